#include "cli/share_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cbench::cli {
namespace {

using testing::HasSubstr;

constexpr Nanos kNow = 100 * kSecond;

share::GateStatus::App App(int index, const char* name, share::AppClass app_class) {
  share::GateStatus::App app;
  app.index = index;
  share::SetName(app.account, name);
  app.account.app_class = app_class;
  app.account.steps = 7;
  app.account.credit = index == 0 ? 80 * kMillisecond : -80 * kMillisecond;
  return app;
}

share::Hold HoldOf(const char* app, Nanos asked, Nanos granted, Nanos released) {
  share::Hold hold;
  std::snprintf(hold.app, sizeof hold.app, "%s", app);
  hold.asked = asked;
  hold.granted = granted;
  hold.released = released;
  return hold;
}

class ShareViewTest : public testing::Test {
 protected:
  ShareViewTest() {
    status_.now = kNow;
    status_.policy = "credit";
    status_.apps = {App(0, "talk", share::AppClass::kLatency),
                    App(1, "mail", share::AppClass::kBackground),
                    App(2, "gone", share::AppClass::kLatency)};
    status_.processes = {{10, 0, true}, {11, 0, false}, {20, 1, true}, {30, -1, false}};
    share::GateStatus::Step holds, waits;
    holds.view.account = 0;
    holds.running = true;
    holds.granted = kNow - kSecond;
    waits.view.account = 1;
    waits.view.asked = kNow - 3 * kMillisecond;
    status_.steps = {holds, waits};
    holds_ = {HoldOf("mail", kNow - 7 * kSecond, kNow - 7 * kSecond, kNow - 6 * kSecond),
              HoldOf("mail", kNow - 5 * kSecond, kNow - 4 * kSecond, kNow - 2 * kSecond)};
  }

  share::GateStatus status_;
  std::vector<share::Hold> holds_;
};

TEST_F(ShareViewTest, SaysWhoHoldsWhoWaitsAndWhoHadHowMuch) {
  const ShareView view = MakeShareView(status_, holds_);
  ASSERT_EQ(view.rows.size(), 2u);  // of the third app nothing is there
  const ShareRow& talk = view.rows[0];
  EXPECT_EQ(talk.app, "talk");
  EXPECT_EQ(talk.processes, std::vector<int>{11});  // not the one that only started it
  EXPECT_EQ(talk.state, ShareRow::State::kHolds);
  EXPECT_EQ(talk.since, kSecond);
  EXPECT_DOUBLE_EQ(talk.device_share, 0.2);
  const ShareRow& mail = view.rows[1];
  EXPECT_EQ(mail.processes, std::vector<int>{20});
  EXPECT_EQ(mail.state, ShareRow::State::kWaits);
  EXPECT_EQ(mail.since, 3 * kMillisecond);
  EXPECT_DOUBLE_EQ(mail.steps_per_s, 0.2);
  EXPECT_DOUBLE_EQ(mail.device_share, 0.4);
  EXPECT_EQ(mail.mean_wait, kSecond);
}

TEST_F(ShareViewTest, ShowsItAsTextAndAsJson) {
  const ShareView view = MakeShareView(status_, holds_);
  EXPECT_EQ(ToText(view),
            "APP   CLASS       WEIGHT  PID  NOW         STEPS/S  DEVICE  WAIT  CREDIT\n"
            "talk  latency     1       11   holds 1 s   0.0      20 %    0 us  +80 ms\n"
            "mail  background  1       20   waits 3 ms  0.2      40 %    1 s   -80 ms\n");
  const Json json = ToJson(view);
  EXPECT_EQ(json["policy"].get<std::string>(), "credit");
  EXPECT_EQ(json["apps"][1]["state"].get<std::string>(), "waits");
  EXPECT_EQ(json["apps"][1]["since_ns"].get<Nanos>(), 3 * kMillisecond);
  EXPECT_EQ(json["apps"][0]["pids"], Json::array({11}));
}

TEST_F(ShareViewTest, HostileNamesCannotMoveTheCursor) {
  share::SetName(status_.apps[0].account, "\x1b[2Jtalk");
  EXPECT_THAT(ToText(MakeShareView(status_, holds_)), HasSubstr("[2Jtalk"));
  EXPECT_EQ(ToText(MakeShareView(status_, holds_)).find('\x1b'), std::string::npos);
}

TEST(ShareViewEmptyTest, NobodyShares) {
  EXPECT_EQ(ToText({}), "nobody shares the device\n");
  EXPECT_EQ(ToJson({})["apps"], Json::array());
}

}  // namespace
}  // namespace cbench::cli
