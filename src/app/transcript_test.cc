#include "app/transcript.h"

#include <gtest/gtest.h>

namespace cbench::app {
namespace {

std::string Roles(const std::vector<engine::Message>& messages) {
  std::string roles;
  for (const auto& message : messages) roles += message.role[0];
  return roles;
}

TEST(Transcript, KeepsAllThatFits) {
  Transcript talk(1000, 1);
  talk.Say("system", "s");
  talk.Say("user", std::string(2000, 'x'));
  EXPECT_EQ(Roles(talk.Fitted(100)), "su");
}

TEST(Transcript, DropsMaterialBeforeExchanges) {
  Transcript talk(1000, 2);
  talk.Say("system", "s");
  talk.Say("user", "question");
  talk.Say("assistant", "plan");
  talk.Say("user", std::string(3000, 'x'), Transcript::Kind::kMaterial);
  talk.Say("assistant", "note");
  talk.Say("user", std::string(1200, 'y'), Transcript::Kind::kMaterial);
  const auto sent = talk.Fitted(100);
  EXPECT_EQ(Roles(sent), "suauau");
  EXPECT_EQ(sent[3].content, "(left out to save space)");
  EXPECT_EQ(sent[5].content.size(), 1200u);
}

TEST(Transcript, ThenDropsTheOldestExchangeButNeverHeadOrLast) {
  Transcript talk(500, 1);
  talk.Say("system", std::string(400, 's'));
  for (int i = 0; i < 4; ++i) {
    talk.Say("user", std::string(400, 'q'));
    talk.Say("assistant", std::string(400, 'a'));
  }
  talk.Say("user", "last");
  EXPECT_EQ(Roles(talk.Fitted(100)), "suau");
  talk.Say("assistant", "a");
  talk.Say("user", std::string(9000, 'z'));
  EXPECT_EQ(Roles(talk.Fitted(100)), "su");
}

TEST(Transcript, AToolResultGoesWithItsCall) {
  Transcript talk(400, 2);
  talk.Say("system", "s");
  talk.Say("user", "q");
  for (int i = 0; i < 3; ++i) {
    engine::Message call;
    call.role = "assistant";
    call.tool_calls = Json::array({{{"id", "1"}, {"arguments", std::string(400, 'n')}}});
    talk.Add(call);
    talk.Say("tool", "Noted.");
  }
  EXPECT_EQ(Roles(talk.Fitted(50)), "suatat");
}

TEST(Transcript, LearnsFromTheEnginesCount) {
  Transcript talk(1000, 1);
  talk.Say("system", "s");
  talk.Say("user", std::string(400, 'x'));
  talk.Say("assistant", std::string(400, 'x'));
  talk.Say("user", std::string(400, 'x'));
  EXPECT_EQ(Roles(talk.Fitted(100)), "suau");
  talk.Learn(1200);  // a token a character
  EXPECT_EQ(Roles(talk.Fitted(100)), "su");
}

TEST(Transcript, RoomForToolDefinitionsIsPartOfTheLimit) {
  Transcript talk(1000, 1);
  talk.Say("system", "s");
  talk.Say("user", std::string(800, 'x'));
  talk.Say("assistant", std::string(800, 'x'));
  talk.Say("user", "last");
  EXPECT_EQ(Roles(talk.Fitted(100, 0)), "suau");
  EXPECT_EQ(Roles(talk.Fitted(100, 500)), "su");
}

}  // namespace
}  // namespace cbench::app
