#include "monitor/device_facts.h"

#include <gtest/gtest.h>

#include <map>

namespace cbench::monitor {
namespace {

TEST(DeviceFacts, ReadsWhatTheKernelSays) {
  const std::map<std::string, std::string> files = {
      {"/proc/cpuinfo", "processor\t: 0\nmodel name\t: Example CPU 9\nprocessor\t: 1\n"},
      {"/proc/meminfo", "MemTotal:       16384 kB\nMemFree: 1 kB\n"},
      {"/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n"},
      {"/etc/os-release", "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n"}};
  const Json facts = DeviceFacts([&](const std::string& path) -> std::optional<std::string> {
    const auto file = files.find(path);
    if (file == files.end()) return std::nullopt;
    return file->second;
  });
  EXPECT_EQ(facts["cpu"], "Example CPU 9");
  EXPECT_EQ(facts["memory_bytes"], 16384u * 1024);
  EXPECT_EQ(facts["kernel"], "6.1.0-18-amd64");
  EXPECT_EQ(facts["os"], "Debian GNU/Linux 12");
  EXPECT_TRUE(facts["governor"].is_null());
}

TEST(DeviceFacts, NothingReadableIsNullNotZero) {
  const Json facts = DeviceFacts([](const std::string&) { return std::nullopt; });
  for (const char* key : {"cpu", "memory_bytes", "kernel", "os", "governor"}) {
    EXPECT_TRUE(facts[key].is_null()) << key;
  }
}

}  // namespace
}  // namespace cbench::monitor
