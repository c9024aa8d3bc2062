// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/cards/pairing.hpp"

#include "common/link/cards/interfaces.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace submix::link {
namespace {

namespace ip = boost::asio::ip;

std::optional<ip::address> parse(const std::string& text) {
  boost::system::error_code failed;
  auto address = ip::make_address(text, failed);
  if (failed) return std::nullopt;
  return address;
}

bool is_same_family(const OwnAddress& own, const DataEndpoint& to) {
  const auto a = parse(own.address);
  const auto b = parse(to.address);
  return a && b && a->is_v4() == b->is_v4() && a->is_loopback() == b->is_loopback();
}

std::vector<LinkPath> follow(std::span<const LinkRoute> routes,
                             std::span<const DataEndpoint> receiver) {
  std::vector<LinkPath> paths;
  for (const auto& route : routes) {
    const auto found = std::find_if(receiver.begin(), receiver.end(), [&](const auto& endpoint) {
      return endpoint.address == route.to;
    });
    if (found != receiver.end() && paths.size() < wire::kLinksMax)
      paths.push_back({route.from, *found});
  }
  return paths;
}

/// Removes and returns the first of `unused` that `is_fit`.
template <typename Question>
std::optional<OwnAddress> take(std::vector<OwnAddress>& unused, Question is_fit) {
  const auto found = std::find_if(unused.begin(), unused.end(), is_fit);
  if (found == unused.end()) return std::nullopt;
  auto taken = *found;
  unused.erase(found);
  return taken;
}

struct CardPair {
  LinkPath path;
  bool is_up = false;  // at both ends
};

std::vector<CardPair> pair(std::span<const OwnAddress> own,
                           std::span<const DataEndpoint> receiver) {
  std::vector<OwnAddress> unused(own.begin(), own.end());
  std::vector<std::optional<OwnAddress>> from(receiver.size());
  // Pairs within a subnet come first, so that other pairs do not take their cards.
  for (std::size_t i = 0; i < receiver.size(); ++i) {
    from[i] = take(unused, [&](const auto& address) {
      return is_in_subnet(address.address, receiver[i].address, receiver[i].prefix_length);
    });
  }
  std::vector<CardPair> pairs;
  for (std::size_t i = 0; i < receiver.size(); ++i) {
    if (!from[i]) {
      from[i] =
          take(unused, [&](const auto& address) { return is_same_family(address, receiver[i]); });
    }
    if (from[i])
      pairs.push_back({{from[i]->address, receiver[i]}, from[i]->is_up && receiver[i].is_up});
  }
  return pairs;
}

bool contains(std::span<const LinkPath> paths, const LinkPath& wanted) {
  return std::any_of(paths.begin(), paths.end(),
                     [&](const auto& each) { return is_same_path(each, wanted); });
}

/// Running pairs first, then pairs that are up, then the rest; each group in its order.
std::vector<CardPair> best_first(std::span<const CardPair> pairs,
                                 std::span<const LinkPath> current) {
  constexpr int kRanks = 3;
  const auto rank = [&](const CardPair& each) {
    if (!each.is_up) return kRanks - 1;
    return contains(current, each.path) ? 0 : 1;
  };
  std::vector<CardPair> sorted;
  for (int wanted = 0; wanted < kRanks; ++wanted) {
    std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(sorted),
                 [&](const CardPair& each) { return rank(each) == wanted; });
  }
  return sorted;
}

}  // namespace

bool is_same_path(const LinkPath& a, const LinkPath& b) {
  return a.local_socket == b.local_socket && a.from == b.from && a.to.address == b.to.address &&
         a.to.port == b.to.port;
}

std::vector<LinkPath> pair_cards(std::span<const OwnAddress> own,
                                 std::span<const DataEndpoint> receiver, const LinkSetup& setup,
                                 std::span<const LinkPath> current) {
  if (!setup.routes.empty()) return follow(setup.routes, receiver);
  auto pairs = pair(own, receiver);
  if (pairs.size() > setup.count) pairs = best_first(pairs, current);
  std::vector<LinkPath> paths;
  while (!pairs.empty() && paths.size() < std::min(setup.count, wire::kLinksMax)) {
    paths.push_back(pairs[paths.size() % pairs.size()].path);
  }
  return paths;
}

PathTable assign_slots(const PathTable& current, std::span<const LinkPath> wanted) {
  PathTable slots;
  std::vector<const LinkPath*> joining;
  for (const auto& path : wanted) {
    std::size_t i = 0;
    while (i < current.size() && (slots[i] || !current[i] || !is_same_path(*current[i], path)))
      ++i;
    if (i == current.size()) {
      joining.push_back(&path);
    } else {
      slots[i] = path;
    }
  }
  for (const auto* path : joining) {
    const auto free = std::find(slots.begin(), slots.end(), std::nullopt);
    if (free != slots.end()) *free = *path;
  }
  return slots;
}

}  // namespace submix::link
