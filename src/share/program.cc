#include "share/program.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>

namespace cbench::share {
namespace {

std::string_view Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Result<AppClass> Class() {
  const auto value = Variable(kClassVariable);
  if (value.empty()) return AppClass::kLatency;
  if (const auto app_class = ParseAppClass(value)) return *app_class;
  return InputError("{} is latency, throughput or background, not {}", kClassVariable, value);
}

Result<double> Weight() {
  const auto value = Variable(kWeightVariable);
  if (value.empty()) return 1.0;
  double weight = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), weight);
  const bool whole = error == std::errc() && end == value.data() + value.size();
  if (whole && weight >= kMinWeight && weight <= kMaxWeight) return weight;
  return InputError("{} is a number from {} to {}, not {}", kWeightVariable, kMinWeight, kMaxWeight,
                    value);
}

}  // namespace

Result<Program> ProgramFromEnvironment() {
  Program program;
  program.app = Variable(kAppVariable);
  if (program.app.empty()) program.app = program_invocation_short_name;
  CBENCH_ASSIGN(program.app_class, Class());
  CBENCH_ASSIGN(program.weight, Weight());
  return program;
}

std::vector<std::pair<std::string, std::string>> EnvironmentOf(const Program& program) {
  return {{kAppVariable, program.app},
          {kClassVariable, std::string(Name(program.app_class))},
          {kWeightVariable, fmt::format("{}", program.weight)}};
}

StepInfo StepOf(const Program& program) {
  StepInfo step;
  step.app = program.app;
  step.app_class = program.app_class;
  step.weight = program.weight;
  return step;
}

}  // namespace cbench::share
