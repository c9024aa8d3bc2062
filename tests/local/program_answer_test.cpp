// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/program_answer.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

namespace submix::local {
namespace {

using namespace std::chrono_literals;

constexpr auto kLongerThanTheTest = 600s;

TEST(ProgramAnswer, IsAllThatAProgramSaysErrorsIncluded) {
  EXPECT_EQ(answer_of({"sh", "-c", "echo one; echo two >&2"}, kLongerThanTheTest), "one\ntwo\n");
}

// On a busy machine the shell may need longer than a short patience to say anything.
TEST(ProgramAnswer, IsWhatWasSaidWhenPatienceEnds) {
  std::string said;
  for (auto patience = 1s; said.empty() && patience < 100s; patience *= 3)
    said = answer_of({"sh", "-c", "echo one; exec sleep 600"}, patience).value_or("");
  EXPECT_EQ(said, "one\n");
}

TEST(ProgramAnswer, IsNotWaitedForOnceSomebodyStopsIt) {
  std::stop_source stop;
  const std::jthread person([&stop] {
    std::this_thread::sleep_for(200ms);
    stop.request_stop();
  });
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(answer_of({"sleep", "600"}, kLongerThanTheTest, stop.get_token()), "");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 60s);
}

TEST(ProgramAnswer, TellsOfAProgramThatIsNotThere) {
  EXPECT_FALSE(answer_of({"/nowhere/program"}, kLongerThanTheTest));
}

}  // namespace
}  // namespace submix::local
