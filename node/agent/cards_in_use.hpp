// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/link/cards/interfaces.hpp"
#include "common/telemetry/readings.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace submix::agent {

/// This machine's addresses that the streams' links use.
[[nodiscard]] std::set<std::string> addresses_in_use(
    std::span<const telemetry::StreamReading> streams);

/// Cuts a list of cards or endpoints to the most that a message may carry (cluster::kCardsMax).
/// Cards in use and loopback are kept first, then cards that are up, then the rest. A shorter list
/// is unchanged.
template <typename Card>
void keep_most_used(std::vector<Card>& cards, const std::set<std::string>& in_use) {
  if (cards.size() <= cluster::kCardsMax) return;
  std::ranges::stable_sort(cards, {}, [&in_use](const Card& card) {
    if (in_use.contains(card.address) || link::is_loopback(card.address)) return 0;
    return card.is_up ? 1 : 2;
  });
  cards.erase(cards.begin() + static_cast<std::ptrdiff_t>(cluster::kCardsMax), cards.end());
}

}  // namespace submix::agent
