#include "embedded/http_urgency.h"

#include <httplib.h>

namespace cbench::embedded {
namespace {

TEST(HttpUrgencyTest, ReadsWhatTheHeadersSay) {
  httplib::Request request;
  request.set_header("X-Cbench-App", "chat");
  request.set_header("X-Cbench-Class", "background");
  request.set_header("X-Cbench-Deadline", "123");
  request.set_header("X-Cbench-Per-Step", "45");
  request.set_header("X-Cbench-Weight", "0.5");
  request.set_header("X-Cbench-Next", "678");
  const share::Urgency urgency = ReadUrgency(request);
  EXPECT_EQ(urgency.app, "chat");
  EXPECT_EQ(urgency.priority_class, "background");
  EXPECT_EQ(urgency.deadline, 123);
  EXPECT_EQ(urgency.per_step, 45);
  EXPECT_EQ(urgency.weight, 0.5);
  EXPECT_EQ(urgency.next_request, 678);
}

TEST(HttpUrgencyTest, EachRequestHasItsId) {
  const httplib::Request request;
  EXPECT_NE(ReadUrgency(request).request, ReadUrgency(request).request);
}

TEST(HttpUrgencyTest, TimesThatWouldOverflowAreNotThere) {
  httplib::Request request;
  for (const char* name : {"X-Cbench-Deadline", "X-Cbench-Next", "X-Cbench-Per-Step"})
    request.set_header(name, "9223372036854775807");
  const share::Urgency urgency = ReadUrgency(request);
  EXPECT_EQ(urgency.deadline, 0);
  EXPECT_EQ(urgency.next_request, 0);
  EXPECT_EQ(urgency.per_step, 0);
}

TEST(HttpUrgencyTest, WhatIsNoPositiveNumberIsNotThere) {
  for (const char* text : {"", "x", "-1", "0", "1x", "99999999999999999999999", "inf", "nan"}) {
    httplib::Request request;
    request.set_header("X-Cbench-Deadline", text);
    request.set_header("X-Cbench-Next", text);
    EXPECT_EQ(ReadUrgency(request).deadline, 0) << text;
    EXPECT_EQ(ReadUrgency(request).next_request, 0) << text;
  }
  for (const char* text : {"", "x", "-1", "0", "1x", "1e999", "inf", "nan"}) {
    httplib::Request request;
    request.set_header("X-Cbench-Weight", text);
    EXPECT_EQ(ReadUrgency(request).weight, 1) << text;
  }
}

}  // namespace
}  // namespace cbench::embedded
