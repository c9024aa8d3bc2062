// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/cards/card_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace submix::link {
namespace {

void add(std::string& text, const std::string& part) {
  if (!text.empty() && !part.empty()) text += "; ";
  text += part;
}

std::string route_text(const LinkFacts& facts) {
  const auto& route = *facts.route;
  if (!route.gateway.empty()) {
    return fmt::format(
        "not direct: the way to {} goes through {}; give both cards addresses of one subnet, or "
        "plug them into one switch",
        facts.to.address, route.gateway);
  }
  if (route.card == facts.card.name) return "";
  return fmt::format(
      "not direct: the routing table sends {} by card {}, {} card {}; give each cable a subnet of "
      "its own",
      facts.to.address, route.card, facts.is_bound ? "the link is bound to" : "not by",
      facts.card.name);
}

std::string own_speed_text(const NetworkInterface& card) {
  if (card.speed_mbit <= 0 || card.speed_mbit >= card.speed_max_mbit) return "";
  return fmt::format(
      "card {} runs at {} Mbit/s of {}: look at the cable, the switch's port and the card's "
      "settings",
      card.name, card.speed_mbit, card.speed_max_mbit);
}

std::string far_speed_text(const LinkFacts& facts) {
  const auto& far = facts.to;
  if (far.speed_mbit <= 0) return "";
  if (far.speed_mbit < far.speed_max_mbit) {
    return fmt::format(
        "the receiver's card with {} runs at {} Mbit/s of {}: look at its cable, its switch's port "
        "and its settings",
        far.address, far.speed_mbit, far.speed_max_mbit);
  }
  if (far.speed_mbit >= facts.card.speed_mbit) return "";
  return fmt::format(
      "the receiver's card with {} is made for {} Mbit/s, card {} runs at {}: pair it with a "
      "faster one there, if there is one",
      far.address, far.speed_mbit, facts.card.name, facts.card.speed_mbit);
}

/// For a link that should leave by `card`: where the routing table sends it, and the remedy.
std::string detour_text(const LinkPath& path, const KernelRoute& route, const std::string& card,
                        Cards cards) {
  const auto through = route.gateway.empty() ? "" : fmt::format("through {} ", route.gateway);
  const auto bound = needs_binding(path, cards, route) && route.card != card
                         ? fmt::format(", while the link is bound to card {}", card)
                         : "";
  const auto remedy =
      route.gateway.empty()
          ? "give each cable a subnet of its own, or mend that route"
          : "give both cards addresses of one subnet, or mend that route or that gateway";
  return fmt::format(
      "the routing table leads to {} {}by card {}{}: {} (\"ip route get {} from {}\" shows it)",
      path.to.address, through, route.card, bound, remedy, path.to.address, path.from);
}

}  // namespace

bool is_usable(const std::string& own_address, Cards cards) {
  if (cards.empty() || is_loopback(own_address) || is_link_local(own_address)) return true;
  const auto* card = find_address(own_address, cards);
  return card != nullptr && card->is_up;
}

std::string obstacle_here(const LinkPath& path, Cards cards) {
  if (is_usable(path.from, cards)) return "";
  if (is_of_this_machine(path.to.address, cards) && is_of_this_machine(path.from, cards)) return "";
  const auto* card = find_address(path.from, cards);
  if (card == nullptr) return fmt::format("no card of this node has the address {}", path.from);
  return fmt::format("card {} ({}) is off or has no carrier", card->name, path.from);
}

std::string obstacle_there(const LinkPath& path, Cards cards, const std::string& peer) {
  if (path.to.is_up || is_of_this_machine(path.to.address, cards)) return "";
  return fmt::format("node {}: the card with {} is off or has no carrier", peer, path.to.address);
}

bool needs_binding(const LinkPath& path, Cards cards, const std::optional<KernelRoute>& route) {
  if (is_of_this_machine(path.to.address, cards)) return false;
  const auto* card = find_address(path.from, cards);
  if (card == nullptr || is_loopback(path.from)) return false;
  return !route || route->card == card->name ||
         is_in_subnet(path.to.address, path.from, card->prefix_length);
}

std::string explain_silence(const LinkPath& path, Cards cards,
                            const std::optional<KernelRoute>& route) {
  const auto& to = path.to.address;
  if (is_of_this_machine(to, cards)) {
    return fmt::format("{} is of this machine: the node there hangs, or a firewall drops port {}",
                       to, path.to.port);
  }
  const auto* card = find_address(path.from, cards);
  const auto name = card == nullptr ? std::string("of no known name") : card->name;
  const auto begin = fmt::format("sent from {}, card {}; ", path.from, name);
  if (!route) {
    return begin + fmt::format(
                       "the routing table has no way from there to {}: give both cards addresses "
                       "of one subnet",
                       to);
  }
  if (!route->gateway.empty() || route->card != name)
    return begin + detour_text(path, *route, name, cards);
  return begin + fmt::format(
                     "the routing table leads there directly, so the answer may be sent another "
                     "way: on the receiver's machine \"ip route get {} from {}\" must name the "
                     "card that has {} and no gateway, and no firewall may drop port {}",
                     path.from, to, to, path.to.port);
}

Result<bool> bind_where_needed(int socket, const LinkPath& path, Cards cards) {
  if (!needs_binding(path, cards, look_up_route(path.from, path.to.address))) return false;
  if (auto bound = bind_to_card(socket, find_address(path.from, cards)->name); !bound)
    return fail("{}; the routing table chooses", bound.error().message);
  return true;
}

std::string warning_of(const LinkFacts& facts) {
  std::string text;
  if (!facts.companions.empty()) {
    add(text,
        fmt::format("leaves by card {} as link {} does: one cable carries both; use fewer links or "
                    "another card",
                    facts.card.name, fmt::join(facts.companions, ", ")));
  }
  if (facts.card.mtu_bytes > 0 && facts.to.mtu_bytes > 0 &&
      facts.card.mtu_bytes != facts.to.mtu_bytes) {
    add(text, fmt::format("MTU {} here, {} at {}: set both ends, and the switch, alike",
                          facts.card.mtu_bytes, facts.to.mtu_bytes, facts.to.address));
  }
  add(text, own_speed_text(facts.card));
  add(text, far_speed_text(facts));
  if (facts.route) add(text, route_text(facts));
  return text;
}

}  // namespace submix::link
