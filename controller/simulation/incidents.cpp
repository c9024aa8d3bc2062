// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/incidents.hpp"

#include "controller/simulation/seed.hpp"

#include <array>

namespace submix::simulation {
namespace {

struct IncidentPlan {
  IncidentKind kind;
  std::chrono::seconds begin;
  std::chrono::seconds end;
};

using std::chrono::seconds;
constexpr std::array kPlans{IncidentPlan{IncidentKind::slow_link, seconds(10), seconds(22)},
                            IncidentPlan{IncidentKind::absent_node, seconds(32), seconds(40)},
                            IncidentPlan{IncidentKind::broken_slot, seconds(48), seconds(54)}};

}  // namespace

std::vector<Incident> incidents_within(std::uint64_t seed, std::chrono::nanoseconds from,
                                       std::chrono::nanoseconds to) {
  std::vector<Incident> incidents;
  for (auto cycle = from / kIncidentCycle; cycle <= to / kIncidentCycle; ++cycle) {
    const auto begin = kIncidentCycle * cycle;
    for (const auto& plan : kPlans) {
      const auto number = spread(spread(seed + static_cast<std::uint64_t>(cycle)) ^
                                 static_cast<std::uint64_t>(plan.kind));
      for (const bool is_over : {false, true}) {
        const auto at = begin + (is_over ? plan.end : plan.begin);
        if (at > from && at <= to) incidents.push_back({plan.kind, number, is_over});
      }
    }
  }
  return incidents;
}

}  // namespace submix::simulation
