// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/link_cards.hpp"

#include "controller/model/view/addresses.hpp"
#include "controller/model/view/list_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>

namespace submix::model {
namespace {

CardEnd end_of(const ClusterView& view, const std::string& node_name, const std::string& address) {
  CardEnd end{.node = node_name, .host = {}, .machine = {}, .card = {}};
  const auto* node = view.find_node(node_name);
  if (node == nullptr) return end;
  end.host = node->host;
  end.machine = node->machine;
  const auto found = std::ranges::find(node->interfaces, address, &NetworkInterface::address);
  if (found != node->interfaces.end()) end.card = found->name;
  return end;
}

// The end's node, or the submix's node where the end reports none.
std::string node_of(const ClusterView& view, const StreamEndView& end, const show::Port& port) {
  if (!end.node.empty()) return end.node;
  const auto* submix = view.find_submix(port.submix);
  return submix == nullptr ? std::string() : submix->node;
}

/// Two addresses that a link may use.
struct AddressPair {
  std::string from;
  std::string to;
  bool is_of_one_subnet = false;
  bool is_up = false;  // at both ends
};

/// As link::pair_cards(): each receiving address gets an unused address of the sender, of its
/// subnet, else of its family.
std::vector<AddressPair> pairs_of(const std::vector<DataEndpoint>& from,
                                  const std::vector<DataEndpoint>& to) {
  std::vector<const DataEndpoint*> partners(to.size());
  std::set<const DataEndpoint*> taken;
  const auto take = [&](std::size_t i, auto fits) {
    for (const auto& own : from) {
      if (partners[i] != nullptr || taken.contains(&own) || !fits(own, to[i])) continue;
      partners[i] = &own;
      taken.insert(&own);
    }
  };
  const auto is_near = [](const DataEndpoint& own, const DataEndpoint& far) {
    return is_same_subnet(own.address, far.address, far.prefix_length);
  };
  const auto is_alike = [](const DataEndpoint& own, const DataEndpoint& far) {
    return is_same_family(own.address, far.address) &&
           is_reachable_address(own.address) == is_reachable_address(far.address);
  };
  for (std::size_t i = 0; i < to.size(); ++i)
    take(i, is_near);
  for (std::size_t i = 0; i < to.size(); ++i)
    take(i, is_alike);
  std::vector<AddressPair> pairs;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (partners[i] == nullptr) continue;
    pairs.push_back({partners[i]->address, to[i].address, is_near(*partners[i], to[i]),
                     partners[i]->is_up && to[i].is_up});
  }
  return pairs;
}

// Nodes of one computer share its cards, unless they are in different network namespaces.
bool is_one_card(const CardEnd& end, const CardEnd& other) {
  if (end.card.empty() || end.card != other.card) return false;
  if (end.machine.empty() || other.machine.empty()) return name_of(end) == name_of(other);
  return end.machine == other.machine;
}

bool is_used_by(const LinkCards& cards, const CardEnd& end) {
  return is_one_card(cards.from, end) || is_one_card(cards.to, end);
}

// Whether any link uses the card: a used card has less to spare than an idle one.
bool is_used(const ClusterView& view, const CardEnd& end) {
  return std::ranges::any_of(view.streams, [&](const StreamView& stream) {
    return std::ranges::any_of(stream.links(), [&](const LinkView& link) {
      return is_used_by(cards_of(view, stream, link), end);
    });
  });
}

bool carries(const StreamView& stream, const LinkView& link, const AddressPair& pair) {
  const bool is_senders = stream.are_links_of_sender();
  return address_of(is_senders ? link.local : link.remote) == pair.from &&
         address_of(is_senders ? link.remote : link.local) == pair.to;
}

void add_once(std::vector<std::string>& words, const std::string& word) {
  if (std::ranges::find(words, word) == words.end()) words.push_back(word);
}

}  // namespace

LinkCards cards_of(const ClusterView& view, const StreamView& stream, const LinkView& link) {
  const bool is_senders = stream.are_links_of_sender();
  const auto from = address_of(is_senders ? link.local : link.remote);
  const auto to = address_of(is_senders ? link.remote : link.local);
  return {end_of(view, node_of(view, stream.sender, stream.from), from),
          end_of(view, node_of(view, stream.receiver, stream.to), to)};
}

std::string name_of(const CardEnd& end) {
  if (end.card.empty()) return {};
  return fmt::format("{}'s {}", end.host.empty() ? end.node : end.host, end.card);
}

const CardView* find_card(const ClusterView& view, const CardEnd& end) {
  const auto* node = view.find_node(end.node);
  if (node == nullptr) return nullptr;
  const auto found = std::ranges::find(node->cards, end.card, &CardView::name);
  return found == node->cards.end() ? nullptr : &*found;
}

std::optional<LinkCards> spare_cards(const ClusterView& view, const StreamView& stream) {
  const auto* from = view.find_node(node_of(view, stream.sender, stream.from));
  const auto* to = view.find_node(node_of(view, stream.receiver, stream.to));
  if (from == nullptr || to == nullptr) return std::nullopt;
  const auto pairs = pairs_of(from->endpoints, to->endpoints);
  const auto next = std::ranges::find_if(pairs, [&](const AddressPair& pair) {
    return pair.is_up && std::ranges::none_of(stream.links(), [&](const LinkView& link) {
             return carries(stream, link, pair);
           });
  });
  if (next == pairs.end() || !next->is_of_one_subnet) return std::nullopt;
  if (!is_reachable_address(next->from) || !is_reachable_address(next->to)) return std::nullopt;
  LinkCards cards{end_of(view, from->name, next->from), end_of(view, to->name, next->to)};
  if (name_of(cards.from).empty() || name_of(cards.to).empty()) return std::nullopt;
  if (is_used(view, cards.from) || is_used(view, cards.to)) return std::nullopt;
  return cards;
}

std::string sharing_of(const ClusterView& view, const StreamView& stream) {
  std::set<std::string> sharers{stream.name};
  std::vector<std::string> shared;
  for (const auto& link : stream.links()) {
    const auto own = cards_of(view, stream, link);
    for (const auto& other : view.streams) {
      if (other.name == stream.name || other.mb_per_second() <= 0) continue;
      for (const auto& far : other.links()) {
        const auto cards = cards_of(view, other, far);
        for (const auto& [mine, theirs] :
             {std::pair(own.from, cards.from), std::pair(own.to, cards.to)}) {
          if (!is_one_card(mine, theirs)) continue;
          add_once(shared, name_of(mine));
          sharers.insert(other.name);
        }
      }
    }
  }
  std::vector<std::string> names;
  for (const auto& each : view.streams) {
    if (sharers.contains(each.name)) names.push_back(each.name);
  }
  return shared.empty() ? std::string()
                        : fmt::format("{} share {}", list_of(names), list_of(shared));
}

}  // namespace submix::model
