// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/pairing.hpp"

#include "common/wire/message.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace submix::link {
namespace {

namespace ip = boost::asio::ip;

std::optional<ip::address> parse(const std::string& text) {
  boost::system::error_code failed;
  auto address = ip::make_address(text, failed);
  if (failed) return std::nullopt;
  return address;
}

template <typename Bytes>
bool is_equal_prefix(const Bytes& a, const Bytes& b, int bits) {
  for (std::size_t i = 0; i < a.size() && bits > 0; ++i, bits -= 8) {
    const int unused = std::max(0, 8 - bits);
    if ((a[i] >> unused) != (b[i] >> unused)) return false;
  }
  return true;
}

bool is_same_family(const std::string& own, const DataEndpoint& to) {
  const auto a = parse(own);
  const auto b = parse(to.address);
  return a && b && a->is_v4() == b->is_v4() && a->is_loopback() == b->is_loopback();
}

bool is_same_subnet(const std::string& own, const DataEndpoint& to) {
  const auto a = parse(own);
  const auto b = parse(to.address);
  if (!a || !b || a->is_v4() != b->is_v4() || to.prefix_length <= 0) return false;
  if (a->is_v4()) return is_equal_prefix(a->to_v4().to_bytes(), b->to_v4().to_bytes(), to.prefix_length);
  return is_equal_prefix(a->to_v6().to_bytes(), b->to_v6().to_bytes(), to.prefix_length);
}

std::vector<LinkPath> follow(std::span<const Route> routes, std::span<const DataEndpoint> receiver) {
  std::vector<LinkPath> paths;
  for (const auto& route : routes) {
    const auto found = std::find_if(receiver.begin(), receiver.end(),
                                    [&](const auto& endpoint) { return endpoint.address == route.to; });
    if (found != receiver.end() && paths.size() < wire::kLinksMax) paths.push_back({route.from, *found});
  }
  return paths;
}

/// Takes the first of `unused` that `is_fit`.
template <typename Question>
std::optional<std::string> take(std::vector<std::string>& unused, Question is_fit) {
  const auto found = std::find_if(unused.begin(), unused.end(), is_fit);
  if (found == unused.end()) return std::nullopt;
  auto taken = *found;
  unused.erase(found);
  return taken;
}

std::vector<LinkPath> pair(std::span<const std::string> own, std::span<const DataEndpoint> receiver) {
  std::vector<std::string> unused(own.begin(), own.end());
  std::vector<std::optional<std::string>> from(receiver.size());
  for (std::size_t i = 0; i < receiver.size();
       ++i) {  // subnets first, for all: the rest must not take their cards
    from[i] = take(unused, [&](const auto& address) { return is_same_subnet(address, receiver[i]); });
  }
  std::vector<LinkPath> paths;
  for (std::size_t i = 0; i < receiver.size(); ++i) {
    if (!from[i]) {
      from[i] = take(unused, [&](const auto& address) { return is_same_family(address, receiver[i]); });
    }
    if (from[i]) paths.push_back({*from[i], receiver[i]});
  }
  return paths;
}

}  // namespace

std::vector<LinkPath> pair_cards(std::span<const std::string> own, std::span<const DataEndpoint> receiver,
                                 std::size_t link_count, std::span<const Route> routes) {
  if (!routes.empty()) return follow(routes, receiver);
  const auto pairs = pair(own, receiver);
  std::vector<LinkPath> paths;
  while (!pairs.empty() && paths.size() < std::min(link_count, wire::kLinksMax)) {
    paths.push_back(pairs[paths.size() % pairs.size()]);
  }
  return paths;
}

}  // namespace submix::link
