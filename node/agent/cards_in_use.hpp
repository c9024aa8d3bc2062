// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/link/interfaces.hpp"
#include "common/telemetry/readings.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace submix::agent {

/// This machine's addresses that streams' links have.
[[nodiscard]] std::set<std::string> addresses_in_use(
    std::span<const telemetry::StreamReading> streams);

/// Cuts a list of cards, or of endpoints, that is longer than a message may have: those that streams use, and
/// loopback, stay before others, and those that are up before what is down. A shorter list is left alone.
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
