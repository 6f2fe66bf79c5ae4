#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "report/compare/comparison.h"
#include "report/testing.h"
#include "report/writers/change_bar.h"

namespace cbench::report {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A repetition whose app `art` took these times for its images' steps.
RepetitionEvidence Repetition(const std::vector<double>& steps, double makespan = 10) {
  AppEvidence app;
  app.app = "art";
  app.type = "image_gen";
  app.has_slo = true;
  app.issued = app.completed = app.met = static_cast<int>(steps.size());
  app.active_s = makespan;
  for (const double step : steps) app.latencies["step"].push_back({{step, 1}});
  RepetitionEvidence repetition;
  repetition.strategy = "greedy";
  repetition.makespan_s = makespan;
  repetition.apps = {app};
  return repetition;
}

Evidence Side(std::vector<RepetitionEvidence> repetitions, const char* label = "side") {
  Evidence side;
  side.label = label;
  side.headers.resize(1);
  for (std::size_t i = 0; i < repetitions.size(); ++i) repetitions[i].repeat = static_cast<int>(i);
  side.repetitions = std::move(repetitions);
  return side;
}

// Three alike repetitions, `factor` times as slow as usual.
Evidence Steady(double factor) {
  std::vector<RepetitionEvidence> repetitions;
  for (const double run : {0.99, 1.0, 1.01}) {
    std::vector<double> steps;
    for (int i = 0; i < 20; ++i) steps.push_back(factor * run * (1 + 0.01 * (i % 5)));
    repetitions.push_back(Repetition(steps, 10 * factor * run));
  }
  return Side(repetitions);
}

const MetricChange& Row(const Comparison& comparison, const std::string& metric) {
  for (const AppChanges& app : comparison.pairings.at(0).apps) {
    for (const MetricChange& row : app.metrics) {
      if (row.metric == metric) return row;
    }
  }
  static const MetricChange none;
  ADD_FAILURE() << "no " << metric;
  return none;
}

TEST(Compare, OfTheSameIsTheSame) {
  const Comparison comparison = Compare({Steady(1), Steady(1)});
  EXPECT_EQ(comparison.outcome, Outcome::kNoRegression);
  ASSERT_EQ(comparison.pairings.size(), 1u);
  for (const AppChanges& app : comparison.pairings[0].apps) {
    for (const MetricChange& row : app.metrics) EXPECT_EQ(row.verdict, Change::kSame) << row.metric;
  }
  EXPECT_EQ(*Row(comparison, "makespan").change, 0);
  EXPECT_THAT(comparison.differences, IsEmpty());
}

TEST(Compare, CallsAFifteenPercentSlowerSideARegression) {
  const Comparison comparison = Compare({Steady(1), Steady(1.15)});
  EXPECT_EQ(comparison.outcome, Outcome::kRegression);
  const MetricChange& step = Row(comparison, "step p50");
  EXPECT_NEAR(*step.change, 0.15, 0.02);
  EXPECT_LT(step.bounds->first, *step.change);
  EXPECT_GT(step.bounds->second, *step.change);
  EXPECT_EQ(step.verdict, Change::kWorse);
  EXPECT_EQ(Row(comparison, "makespan").verdict, Change::kWorse);
  EXPECT_EQ(Row(comparison, "requests/min").verdict, Change::kWorse);  // fewer of them
  EXPECT_EQ(Row(comparison, "attainment").verdict, Change::kSame);
}

TEST(Compare, CallsAFasterSideBetter) {
  const Comparison comparison = Compare({Steady(1.15), Steady(1)});
  EXPECT_EQ(comparison.outcome, Outcome::kNoRegression);
  EXPECT_EQ(Row(comparison, "step p50").verdict, Change::kBetter);
  EXPECT_EQ(Row(comparison, "requests/min").verdict, Change::kBetter);
}

TEST(Compare, CallsNothingWithinFivePercent) {
  const Comparison comparison = Compare({Steady(1), Steady(1.045)});
  EXPECT_EQ(comparison.outcome, Outcome::kNoRegression);
  EXPECT_EQ(Row(comparison, "makespan").verdict, Change::kSame);
}

// ln 10, ln 11, ln 12 and the same times 1.2; four metrics are judged, so t at 1 − 0.05/8 of df 4
// is 3.9608... the floor e^(t·s·√(2/3)) − 1 with s = 0.0913 of these logarithms.
TEST(Compare, NoiseIsAsComputedByHand) {
  std::vector<RepetitionEvidence> before, after;
  for (const double makespan : {10.0, 11.0, 12.0}) {
    before.push_back(Repetition({1, 1, 1}, makespan));
    after.push_back(Repetition({1, 1, 1}, makespan * 1.2));
  }
  const Comparison comparison = Compare({Side(before), Side(after)});
  const MetricChange& row = Row(comparison, "makespan");
  EXPECT_NEAR(*row.before, std::cbrt(10.0 * 11 * 12), 1e-9);
  EXPECT_NEAR(*row.change, 0.2, 1e-9);
  const double mean = std::log(10.0 * 11 * 12) / 3;
  double squares = 0;
  for (const double x : {10.0, 11.0, 12.0}) squares += std::pow(std::log(x) - mean, 2);
  const double error = std::sqrt(squares / 2 * 2 / 3);
  EXPECT_NEAR(*row.noise, std::exp(StudentQuantile(1 - 0.05 / 8, 4) * error) - 1, 1e-9);
  EXPECT_NEAR(row.bounds->first, 1.2 * std::exp(-2.7764451 * error) - 1, 1e-6);
  EXPECT_NEAR(row.bounds->second, 1.2 * std::exp(2.7764451 * error) - 1, 1e-6);
  EXPECT_EQ(row.verdict, Change::kSame);  // within the noise of such repetitions
}

TEST(Compare, FewerMetObjectivesAreWorse) {
  Evidence after = Steady(1);
  for (RepetitionEvidence& one : after.repetitions) one.apps[0].met = 10;
  const Comparison comparison = Compare({Steady(1), after});
  const MetricChange& row = Row(comparison, "attainment");
  EXPECT_DOUBLE_EQ(*row.change, -0.5);
  EXPECT_EQ(row.verdict, Change::kWorse);
  EXPECT_EQ(comparison.outcome, Outcome::kRegression);
}

TEST(Compare, OneMissOfTenIsNoChange) {
  std::vector<RepetitionEvidence> before, after;
  for (int i = 0; i < 2; ++i) {
    before.push_back(Repetition(std::vector<double>(5, 1)));
    after.push_back(before.back());
  }
  after[0].apps[0].met = 4;
  const MetricChange row = Row(Compare({Side(before), Side(after)}), "attainment");
  EXPECT_EQ(row.verdict, Change::kSame);  // two repetitions may well be that far apart
}

TEST(Compare, SingleRunsThatDifferAreNotComparable) {
  const Comparison comparison =
      Compare({Side({Repetition({1, 1, 1})}), Side({Repetition({2, 2, 2})})});
  EXPECT_EQ(Row(comparison, "step p50").verdict, Change::kUnclear);
  EXPECT_EQ(comparison.outcome, Outcome::kNotComparable);
  EXPECT_THAT(comparison.pairings[0].reasons, ElementsAre(HasSubstr("--repeat 3")));
}

TEST(Compare, OneRunAgainstSeveralIsJudgedByTheirSpread) {
  const Comparison comparison = Compare({Steady(1), Side({Repetition({2, 2, 2}, 20)})});
  EXPECT_EQ(Row(comparison, "makespan").verdict, Change::kWorse);
}

TEST(Compare, InvalidRunsAreNotComparable) {
  Evidence after = Steady(1);
  after.repetitions[1].verdict = {false, {"the engine crashed"}};
  const Comparison comparison = Compare({Steady(1), after});
  EXPECT_EQ(comparison.outcome, Outcome::kNotComparable);
  EXPECT_THAT(comparison.pairings[0].reasons, ElementsAre(HasSubstr("the engine crashed")));
}

TEST(Compare, DifferentAppsAreNotComparable) {
  Evidence after = Steady(1);
  for (RepetitionEvidence& one : after.repetitions) one.apps[0].app = "other";
  EXPECT_EQ(Compare({Steady(1), after}).outcome, Outcome::kNotComparable);
}

TEST(Compare, WhatOneSideLacksIsUnclearAndWhatBothLackIsLeftOut) {
  Evidence after = Steady(1);
  for (RepetitionEvidence& one : after.repetitions) {
    one.energy_j["gpu0"] = 5;
    one.apps[0].latencies.clear();
  }
  const Comparison comparison = Compare({Steady(1), after});
  EXPECT_EQ(Row(comparison, "energy gpu0").reason, "not measured before");
  EXPECT_EQ(Row(comparison, "step p50").reason, "not measured after");
  EXPECT_EQ(Row(comparison, "step p50").verdict, Change::kUnclear);
}

TEST(Compare, PairsStrategiesByName) {
  Evidence both = Steady(1);
  for (RepetitionEvidence one : Steady(2).repetitions) {
    one.strategy = "credit";
    both.repetitions.push_back(one);
  }
  const Comparison comparison = Compare({both, Steady(1.001)});
  ASSERT_EQ(comparison.pairings.size(), 1u);
  EXPECT_EQ(comparison.pairings[0].strategy_before, "greedy");
  EXPECT_EQ(comparison.pairings[0].repetitions_before, 3);
  EXPECT_THAT(comparison.notes, ElementsAre("side has no run of credit"));
  EXPECT_EQ(Compare({OnlyStrategy(both, "greedy"), OnlyStrategy(both, "credit")}).outcome,
            Outcome::kRegression);
}

TEST(Compare, NamesWhatDiffersInSetup) {
  Evidence before = Steady(1), after = Steady(1);
  before.headers[0].scenario = *ParseJson(kScenario, "");
  after.headers[0].scenario = *ParseJson(kScenario, "");
  after.headers[0].scenario["repeat"] = 9;
  after.headers[0].scenario["apps"][0]["slo"]["ttft"] = 2.0;
  after.headers[0].engines["text"]["version"] = "b\x1b[2J";
  after.headers[0].seed = 7;
  after.headers.push_back(before.headers[0]);
  EXPECT_THAT(Compare({before, after}).differences,
              ElementsAre("side: scenario.apps.chat.slo.ttft is 2.0, not 1.0",
                          testing::StartsWith("side: engines.text is {\"version\":\"b"),
                          "side: seed is 7, not 0",
                          "side, record 2: scenario.apps.chat.slo.ttft is 1.0, not 2.0",
                          testing::StartsWith("side, record 2: engines.text is absent"),
                          "side, record 2: seed is 0, not 7"));
}

TEST(Compare, TakesEvidenceFromARecord) {
  Tape tape;
  tape.Run().Task(1000, "talk", "started");
  for (int i = 0; i < 4; ++i) tape.Done(Chat(100, 20, 1000 + 1000 * i));
  tape.Task(7000, "talk", "finished").End();
  tape.Alone("chat").Task(9000, "talk", "started").Done(Chat(50, 10)).End();
  Evidence evidence;
  AddRecord(tape.record(), evidence);
  ASSERT_EQ(evidence.repetitions.size(), 1u);
  const RepetitionEvidence& run = evidence.repetitions[0];
  EXPECT_EQ(run.strategy, "greedy");
  const AppEvidence& chat = run.apps.at(0);
  EXPECT_EQ(chat.app, "chat");
  EXPECT_EQ(chat.issued, 4);
  EXPECT_EQ(chat.met, 4);
  EXPECT_EQ(chat.active_s, 6);
  for (const char* metric : {"itl", "tpot", "ttft", "ttft_response"})
    EXPECT_EQ(chat.latencies.at(metric).size(), 4u) << metric;
  EXPECT_EQ(chat.latencies.at("itl")[0].size(), 10u);
  EXPECT_EQ(PercentileOf({chat.latencies.at("ttft")}, 50), 0.1);
}

// Runs vary by a share of `run` between repetitions and of `request` within.
class Device {
 public:
  explicit Device(unsigned seed) : random_(seed) {}

  Evidence Measure(int repetitions, double run, double request, double factor = 1) {
    std::vector<RepetitionEvidence> all;
    for (int i = 0; i < repetitions; ++i) {
      const double level = factor * std::exp(run * normal_(random_));
      std::vector<double> steps;
      for (int k = 0; k < 30; ++k) steps.push_back(level * std::exp(request * normal_(random_)));
      all.push_back(Repetition(steps, 30 * level));
    }
    return Side(all);
  }

 private:
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
};

bool IsAllSame(const Comparison& comparison) {
  for (const AppChanges& app : comparison.pairings[0].apps) {
    for (const MetricChange& row : app.metrics) {
      if (row.verdict == Change::kBetter || row.verdict == Change::kWorse) return false;
    }
  }
  return true;
}

TEST(CompareProperty, NinetyFiveOfAHundredAlikePairsAreTheSameInEveryMetric) {
  constexpr int kTrials = 200;
  for (const double run : {0.01, 0.03, 0.10}) {
    for (const int repetitions : {2, 3, 5}) {
      Device device(7);
      int same = 0;
      for (int i = 0; i < kTrials; ++i) {
        const Evidence before = device.Measure(repetitions, run, 0.2);
        same += IsAllSame(Compare({before, device.Measure(repetitions, run, 0.2)}));
      }
      EXPECT_GE(same, kTrials * 95 / 100) << run << ", " << repetitions << " repetitions";
    }
  }
}

TEST(CompareProperty, FifteenPercentAreFoundOnAQuietDevice) {
  constexpr int kTrials = 100;
  Device device(11);
  int found = 0;
  for (int i = 0; i < kTrials; ++i) {
    const Evidence before = device.Measure(3, 0.01, 0.05);
    found += Compare({before, device.Measure(3, 0.01, 0.05, 1.15)}).outcome == Outcome::kRegression;
  }
  EXPECT_GE(found, kTrials * 95 / 100);
}

TEST(CompareWriters, ShowHostileNamesHarmless) {
  Evidence before = Steady(1), after = Steady(1.2);
  before.label = "a|b\x1b[2J";
  for (Evidence* side : {&before, &after}) {
    for (RepetitionEvidence& one : side->repetitions) one.apps[0].app = "<b>|\x1b]0;x";
  }
  const Comparison comparison = Compare({before, after});
  const std::string terminal = ToTerminal(comparison, false), markdown = ToMarkdown(comparison);
  EXPECT_EQ(terminal.find('\x1b'), std::string::npos);
  EXPECT_EQ(markdown.find('\x1b'), std::string::npos);
  EXPECT_EQ(markdown.find("<b>"), std::string::npos);
  EXPECT_THAT(markdown, HasSubstr("&lt;b&gt;&#124;"));
  EXPECT_THAT(markdown, HasSubstr("**worse**"));
  EXPECT_THAT(terminal, HasSubstr("regression: "));
}

// No markup of theirs, in text or in an attribute, and no character that hides.
TEST(CompareWriters, ThePageShowsHostileNamesAsText) {
  constexpr char kHostile[] = "</script><b>\"'&\x1b\xE2\x80\xAE";
  Evidence before = Steady(1), after = Steady(1.2);
  before.label = kHostile;
  for (Evidence* side : {&before, &after}) {
    for (RepetitionEvidence& one : side->repetitions) {
      one.apps[0].app = one.apps[0].type = kHostile;
      one.apps[0].latencies[kHostile] = one.apps[0].latencies["step"];
    }
  }
  const std::string html = ToHtml(Compare({before, after}));
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  EXPECT_EQ(html.find('\x1b'), std::string::npos);
  EXPECT_EQ(html.find("\xE2\x80\xAE"), std::string::npos);
  EXPECT_EQ(html.find("</script>"), html.rfind("</script>"));
  EXPECT_THAT(html, HasSubstr("&lt;/script&gt;&lt;b&gt;&quot;"));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

TEST(CompareWriters, ABarIsDrawnWithinItsPicture) {
  MetricChange row;
  EXPECT_EQ(ChangeBar(row, 0.1), "");
  row.change = 0.15;
  row.bounds = Bounds{0.05, 4};
  row.noise = 0.25;
  const std::string svg = ChangeBar(row, 0.5);
  EXPECT_THAT(svg, HasSubstr("<rect class=\"none\" x=\"55.6\" y=\"2\" width=\"77.4\""));
  EXPECT_THAT(svg, HasSubstr("x1=\"98.6\" x2=\"176.0\""));
  EXPECT_THAT(svg, HasSubstr("cx=\"115.8\""));
}

TEST(CompareWriters, JsonHasEveryMetric) {
  const Json json = ToJson(Compare({Steady(1), Steady(1.2)}));
  EXPECT_EQ(json["schema"], "cbench.compare/1");
  EXPECT_EQ(json["outcome"], "regression");
  const Json& whole = json["pairings"][0]["apps"][0];
  EXPECT_TRUE(whole["app"].is_null());
  EXPECT_EQ(whole["metrics"][0]["metric"], "makespan");
  EXPECT_EQ(whole["metrics"][0]["verdict"], "worse");
  EXPECT_EQ(whole["metrics"][0]["change_ci95"].size(), 2u);
  EXPECT_EQ(json["pairings"][0]["apps"][1]["app"], "art");
}

}  // namespace
}  // namespace cbench::report
