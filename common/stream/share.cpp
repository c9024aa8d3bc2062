// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/share.hpp"

#include "common/base/assert.hpp"
#include "common/wire/message.hpp"

#include <algorithm>
#include <array>

namespace submix::stream {
namespace {

/// A link as a vessel in the water-filling: its width and its content.
struct Vessel {
  double rate = 0;  // 0: left out
  double filled = 0;
};

/// The time at which the remaining vessels have taken `remaining_bytes`. Sets the rate of each
/// vessel that is too full to 0, which leaves it out.
double common_level(std::span<Vessel> vessels, double remaining_bytes) {
  while (true) {
    double rate = 0;
    double filled = remaining_bytes;
    for (const auto& vessel : vessels) {
      if (vessel.rate <= 0) continue;
      rate += vessel.rate;
      filled += vessel.filled;
    }
    if (rate <= 0) return 0;
    const double level = filled / rate;
    bool is_settled = true;
    for (auto& vessel : vessels) {
      if (vessel.rate <= 0 || vessel.filled <= level * vessel.rate) continue;
      vessel.rate = 0;
      is_settled = false;
    }
    if (is_settled) return level;
  }
}

}  // namespace

double planning_rate(std::span<const LinkLoad> links, std::size_t link) {
  const auto& own = links[link];
  if (own.bytes_per_second > 0 && !own.is_lower_bound) return own.bytes_per_second;
  double fastest = own.bytes_per_second;
  for (const auto& each : links) {
    if (each.is_open) fastest = std::max(fastest, each.bytes_per_second);
  }
  return fastest > 0 ? fastest : kGigabitBytesPerSecond;
}

double fair_share(std::span<const LinkLoad> links, std::size_t link, double remaining_bytes) {
  SUBMIX_ASSERT(link < links.size() && links.size() <= wire::kLinksMax);
  std::array<Vessel, wire::kLinksMax> vessels;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!links[i].is_open) continue;
    const auto rate = planning_rate(links, i);
    vessels[i] = {rate, links[i].queued_bytes + rate * links[i].delay.count()};
  }
  const double level = common_level(std::span(vessels).first(links.size()), remaining_bytes);
  return std::max(0.0, level * vessels[link].rate - vessels[link].filled);
}

}  // namespace submix::stream
