// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/slow_links.hpp"

#include "controller/model/view/link_cards.hpp"
#include "controller/model/view/machine_use.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace submix::model {
namespace {

constexpr double kNearlyAll = 0.8;      // of a link's measured rate, or a card's speed
constexpr double kHalf = 0.5;           // of a link's expected rate: less is reported
constexpr double kPayloadShare = 0.95;  // of a cable's bits: the rest is headers
constexpr double kHardlyAny = 0.1;      // MB/s: too little to compare

/// A link's expected rate, and its origin in words.
struct ExpectedRate {
  double mb_per_second = 0;
  std::string words;
};

// The planner hopes for a faster link, so its capacity is no measurement where a limit is known.
double able_to_carry(const LinkView& link) {
  const double measured =
      link.limit_mb_per_second > 0 ? link.limit_mb_per_second : link.capacity_mb_per_second;
  return std::max(link.mb_per_second, measured);
}

// Whether the link is rarely idle. Data in a shaper's or a card's queue has left the sender: then
// the link looks idle.
bool is_blocked(const LinkView& link) {
  const auto& shares = link.shares;
  const bool is_measured = shares.sending + shares.blocked + shares.idle > 0;
  return is_measured && shares.idle < kMostOfTheTime;
}

bool has_known_limit(const LinkView& link) {
  return link.is_open() &&
         (link.limit_mb_per_second > 0 || (is_blocked(link) && link.capacity_mb_per_second > 0));
}

/// The speed of the slower card, where both report one. 0: not known, or too fast to judge by.
double speed_of(const ClusterView& view, const LinkCards& cards) {
  constexpr double kBitsPerByte = 8;
  int slower = 0;
  for (const auto& end : {cards.from, cards.to}) {
    const auto* card = find_card(view, end);
    if (card == nullptr || card->speed_mbit <= 0) return 0;
    slower = slower == 0 ? card->speed_mbit : std::min(slower, card->speed_mbit);
  }
  return slower > kSpeedKnownMbit ? 0 : slower * kPayloadShare / kBitsPerByte;
}

int stated_speed(const ClusterView& view, const CardEnd& end) {
  const auto* card = find_card(view, end);
  return card == nullptr ? 0 : card->speed_mbit;
}

/// The stream's fastest other link on cards of the same speed. Null: none.
const LinkView* best_sibling(const ClusterView& view, const StreamView& stream,
                             const LinkView& link) {
  const auto cards = cards_of(view, stream, link);
  const LinkView* best = nullptr;
  for (const auto& other : stream.links()) {
    if (other.index == link.index || !other.is_open()) continue;
    const auto others = cards_of(view, stream, other);
    const bool is_as_fast = stated_speed(view, cards.from) == stated_speed(view, others.from) &&
                            stated_speed(view, cards.to) == stated_speed(view, others.to);
    if (is_as_fast && (best == nullptr || other.mb_per_second > best->mb_per_second)) best = &other;
  }
  return best;
}

/// The first measure by which the link is slow.
std::optional<ExpectedRate> measure_for(const ClusterView& view, const StreamView& stream,
                                        const LinkView& link) {
  const auto is_slow_by = [&](double should) {
    return should > kHardlyAny && able_to_carry(link) < kHalf * should;
  };
  const double speed = speed_of(view, cards_of(view, stream, link));
  if (is_slow_by(speed)) return ExpectedRate{speed, fmt::format("of {:.0f} MB/s", speed)};
  const double greatest = link.best_mb_per_second();
  if (is_slow_by(greatest))
    return ExpectedRate{greatest, fmt::format("of the {:.1f} MB/s it has carried", greatest)};
  const auto* sibling = best_sibling(view, stream, link);
  if (sibling == nullptr || !is_slow_by(sibling->mb_per_second)) return std::nullopt;
  return ExpectedRate{sibling->mb_per_second, fmt::format("of the {:.1f} MB/s that link {} does",
                                                          sibling->mb_per_second, sibling->index)};
}

/// Whether the computers are slow and not the cables: then all links are slow.
bool is_held_by_machines(const ClusterView& view, const StreamView& stream) {
  const bool are_all_slow = std::ranges::all_of(stream.links(), [&](const LinkView& link) {
    return has_known_limit(link) && measure_for(view, stream, link);
  });
  return are_all_slow && (is_full(view, stream.sender.node) || is_full(view, stream.receiver.node));
}

std::string name_of_link(const StreamView& stream, const LinkView& link, const LinkCards& cards) {
  const auto name = name_of(cards.from);
  return name.empty() ? fmt::format("link {} of {}", link.index, stream.name) : name;
}

}  // namespace

bool is_card_full(const ClusterView& view, const StreamView& stream, const LinkView& link,
                  double mb_per_second) {
  const auto cards = cards_of(view, stream, link);
  const auto* from = find_card(view, cards.from);
  const auto* to = find_card(view, cards.to);
  return (from != nullptr && from->sent_mb_per_second >= kNearlyAll * mb_per_second) ||
         (to != nullptr && to->received_mb_per_second >= kNearlyAll * mb_per_second);
}

bool is_at_its_limit(const LinkView& link) {
  if (!link.is_open()) return false;
  const double limit =
      link.limit_mb_per_second > 0 ? link.limit_mb_per_second : link.capacity_mb_per_second;
  return is_blocked(link) || (limit > 0 && link.mb_per_second >= kNearlyAll * limit);
}

std::optional<SlowLink> slowness_of(const ClusterView& view, const StreamView& stream,
                                    const LinkView& link) {
  if (!stream.sender.is_current || &stream.links() != &stream.sender.links) return std::nullopt;
  if (!has_known_limit(link)) return std::nullopt;
  const auto measure = measure_for(view, stream, link);
  if (!measure) return std::nullopt;
  const auto cards = cards_of(view, stream, link);
  if (is_card_full(view, stream, link, measure->mb_per_second)) return std::nullopt;
  if (is_held_by_machines(view, stream)) return std::nullopt;
  const double carries = link.mb_per_second;
  return SlowLink{carries, measure->mb_per_second,
                  fmt::format("{} carries {:.1f} {}", name_of_link(stream, link, cards), carries,
                              measure->words)};
}

}  // namespace submix::model
