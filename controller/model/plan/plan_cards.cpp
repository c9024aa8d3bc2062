// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/plan/plan_cards.hpp"

#include "common/show/document.hpp"
#include "controller/model/view/addresses.hpp"
#include "controller/model/view/machine_use.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string_view>

namespace submix::model {
namespace {

constexpr int kMtuUsual = 1500;
constexpr int kIpAndTcp = 20 + 20 + 12;    // headers, with TCP's time stamps
constexpr int kFraming = 8 + 14 + 4 + 12;  // preamble, header, checksum, gap
constexpr double kMegabytesOfMegabit = 1.0 / 8;

// Whether nothing that determines a stream's links differs from the running show.
bool has_present_links(const ClusterView& view, const show::Stream& stream, const StreamView& now) {
  const auto* present = view.show == nullptr ? nullptr : view.show->find_stream(stream.name);
  return present != nullptr && present->routes == stream.routes &&
         present->link_count == stream.link_count &&
         present->is_local_allowed == stream.is_local_allowed && !now.links().empty();
}

std::vector<PlannedLink> present_links(const StreamView& now, const NodeView& from,
                                       const NodeView& to) {
  std::vector<PlannedLink> links;
  const bool is_senders = now.are_links_of_sender();
  for (const auto& link : now.links()) {
    const auto near = address_of(is_senders ? link.local : link.remote);
    const auto far = address_of(is_senders ? link.remote : link.local);
    if (near.empty() || far.empty()) continue;
    PlannedLink planned{{from.name, near}, {to.name, far}, {}};
    if (link.capacity_mb_per_second > 0) planned.measured = link.capacity_mb_per_second;
    links.push_back(std::move(planned));
  }
  return links;
}

// Pairs each receiving address with an unused address of the sender: of its subnet, else of its
// family. A card that the sender was not told to use gets no link.
std::vector<PlannedLink> paired_links(const show::Stream& stream, const NodeView& from,
                                      const NodeView& to) {
  std::vector<PlannedLink> links;
  std::set<std::string> taken;
  const auto pair = [&](const DataEndpoint& end, bool by_subnet) {
    for (const auto& own : from.endpoints) {
      if (!own.is_up || taken.contains(own.address)) continue;
      const bool fits = by_subnet ? is_same_subnet(own.address, end.address, end.prefix_length)
                                  : is_same_subnet(own.address, end.address, 0);
      if (!fits) continue;
      taken.insert(own.address);
      links.push_back({{from.name, own.address}, {to.name, end.address}, {}});
      return true;
    }
    return false;
  };
  std::vector<const DataEndpoint*> rest;
  for (const auto& end : to.endpoints) {
    if (end.is_up && !pair(end, true)) rest.push_back(&end);
  }
  for (const auto* end : rest)
    static_cast<void>(pair(*end, false));
  const auto wanted = static_cast<std::size_t>(std::max(1, stream.link_count));
  if (links.size() > wanted) links.resize(wanted);
  return links;
}

}  // namespace

std::optional<double> usable_mb_per_second(int speed_mbit, int mtu_bytes) {
  if (speed_mbit <= 0) return std::nullopt;
  const int mtu = mtu_bytes > kIpAndTcp ? mtu_bytes : kMtuUsual;
  const double share = static_cast<double>(mtu - kIpAndTcp) / (mtu + kFraming);
  return speed_mbit * kMegabytesOfMegabit * share;
}

std::vector<PlannedLink> planned_links(const ClusterView& view, const show::Stream& stream,
                                       const NodeView& from, const NodeView& to) {
  const auto* now = view.find_stream(stream.name);
  if (now != nullptr && now->sender.node == from.name && now->receiver.node == to.name &&
      has_present_links(view, stream, *now))
    return present_links(*now, from, to);
  std::vector<PlannedLink> links;
  if (can_share_memory(from, to) && (stream.is_local_allowed || from.name == to.name)) return links;
  for (const auto& route : stream.routes)
    links.push_back({{from.name, route.from}, {to.name, route.to}, {}});
  return stream.routes.empty() ? paired_links(stream, from, to) : links;
}

CardFacts facts_of(const NodeView& node, const std::string& address) {
  if (address.starts_with("127.") || address == "::1") return {"lo", std::nullopt, true};
  for (const auto& card : node.interfaces) {
    if (card.address == address)
      return {card.name, usable_mb_per_second(card.speed_mbit, card.mtu_bytes), false};
  }
  for (const auto& end : node.endpoints) {
    if (end.address == address)
      return {address, usable_mb_per_second(end.speed_mbit, end.mtu_bytes), false};
  }
  return {address, std::nullopt, false};
}

}  // namespace submix::model
