// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/machine_probe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace submix::agent {
namespace {

using namespace std::chrono_literals;

TEST(MachineProbe, CountsACoresTimeWithoutIdlingAndWaitingForDisks) {
  const auto cores = parse_cores_busy(
      "cpu  9 9 9 9 9 9 9 9 9 9\n"
      "cpu0 100 20 3 5000 600 40 7 8 90 9\n"
      "cpu1 0 0 0 5000 0 0 0 0 0 0\n"
      "intr 12 0 0\nctxt 4711\n",
      100);
  EXPECT_EQ(cores, (std::vector<std::chrono::nanoseconds>{1780ms, 0ms}));
}

TEST(MachineProbe, KeepsThePlaceOfACoreThatWasNeverOn) {
  const auto cores = parse_cores_busy("cpu0 1 0 0 0\ncpu2 3 0 0 0\n", 100);
  EXPECT_EQ(cores, (std::vector<std::chrono::nanoseconds>{10ms, 0ms, 30ms}));
}

TEST(MachineProbe, LetsACoreThatIsSwitchedOffStandStillAndNoneGoBack) {
  const auto cores =
      parse_cores_busy("cpu0 6 0 0 0\ncpu2 3 0 0 0\n", 100, {50ms, 20ms, 40ms, 70ms});
  EXPECT_EQ(cores, (std::vector<std::chrono::nanoseconds>{60ms, 20ms, 40ms, 70ms}));
}

TEST(MachineProbe, IsNotLedAstrayByStrangeCoreLines) {
  for (const std::string text : {"", "\n\n", "cpu", "cpux 1 2 3", "cpu-1 1",
                                 "cpu99999999999999999999 1", "cpu7000000 1", "cpu 1 2 3"})
    EXPECT_TRUE(parse_cores_busy(text, 100).empty()) << text;
  EXPECT_EQ(parse_cores_busy("cpu0 x y z", 100).size(), 1U);
  EXPECT_TRUE(parse_cores_busy("cpu0 1 2 3", 0).empty());
}

TEST(MachineProbe, ReadsAMemoryFieldByItsWholeName) {
  const std::string text = "MemTotalX:    7 kB\nMemTotal:       24684084 kB\nMemAvailable:   12 kB";
  EXPECT_EQ(parse_memory_bytes(text, "MemTotal"), 24684084ULL * 1024);
  EXPECT_EQ(parse_memory_bytes(text, "MemAvailable"), 12U * 1024);
  EXPECT_EQ(parse_memory_bytes(text, "SwapTotal"), 0U);
}

TEST(MachineProbe, ReadsWhatCardsReceivedAndSent) {
  const auto cards = parse_cards(
      "Inter-|   Receive                                                |  Transmit\n"
      " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs\n"
      "    lo:    3193      29    0    0    0     0          0         0     4194      29    0    "
      "0\n"
      "enp12s0f1:395022063123    7492    0    0    0     0          0         0   318872    3877   "
      " 0\n");
  EXPECT_EQ(cards, (std::vector<telemetry::CardReading>{{"lo", 3193, 4194},
                                                        {"enp12s0f1", 395022063123, 318872}}));
}

TEST(MachineProbe, KnowsThisMachine) {
  MachineProbe probe;
  const auto reading = probe.read();
  EXPECT_FALSE(reading.cores_busy.empty());
  EXPECT_GT(reading.memory_bytes, reading.memory_available_bytes);
  EXPECT_GT(reading.memory_available_bytes, 0U);
  EXPECT_TRUE(
      std::ranges::any_of(reading.cards, [](const auto& card) { return card.name == "lo"; }));
}

}  // namespace
}  // namespace submix::agent
