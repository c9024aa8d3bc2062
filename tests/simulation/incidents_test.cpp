// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/incidents.hpp"

#include <gtest/gtest.h>

#include <map>

namespace submix::simulation {
namespace {

using namespace std::chrono_literals;

TEST(Incidents, EndEachThatBegan) {
  std::map<std::pair<IncidentKind, std::uint64_t>, int> open;
  for (const auto& incident : incidents_within(7, 0s, 10min))
    open[{incident.kind, incident.victim}] += incident.is_over ? -1 : 1;
  EXPECT_EQ(open.size(), 30U) << "three kinds in each of ten minutes";
  for (const auto& [incident, count] : open)
    EXPECT_EQ(count, 0);
}

TEST(Incidents, ComeOnceHoweverTimeIsCut) {
  std::size_t count = 0;
  for (auto at = 0ms; at < 120s; at += 5ms)
    count += incidents_within(7, at, at + 5ms).size();
  EXPECT_EQ(count, incidents_within(7, 0s, 120s).size());
}

TEST(Incidents, AreTheSameForTheSameSeedOnly) {
  const auto victim = [](std::uint64_t seed) {
    return incidents_within(seed, 0s, 30s).at(0).victim;
  };
  EXPECT_EQ(victim(7), victim(7));
  EXPECT_NE(victim(7), victim(8));
}

TEST(Incidents, LeaveTheFirstSecondsInPeace) {
  EXPECT_TRUE(incidents_within(1, 0s, 9s).empty());
}

}  // namespace
}  // namespace submix::simulation
