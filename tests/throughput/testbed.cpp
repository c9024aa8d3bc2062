// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/testbed.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

namespace submix::throughput {
namespace {

constexpr const char* kSender = "send";
constexpr const char* kReceiver = "receive";
constexpr const char* kOwnLoopback = "loopback";  // may exist beside the other two

const char* host_of(Side side) {
  return side == Side::send ? kSender : kReceiver;
}

constexpr std::size_t kMegabyte = 1'000'000;
constexpr std::size_t kOnTheWayMax = 256 * kMegabyte;

// Half as much again, since packets come in bursts, plus the content of the smallest cable.
std::size_t bytes_on_the_way(BitRate rate, std::chrono::microseconds delay) {
  constexpr double kBitsPerByte = 8;
  constexpr double kSpare = 1.5;
  const auto bytes_per_second = static_cast<double>(rate.bits_per_second) / kBitsPerByte;
  return static_cast<std::size_t>(bytes_per_second * std::chrono::duration<double>(delay).count() *
                                  kSpare) +
         4 * kMegabyte;
}

tl::unexpected<Error> no_namespaces(const testing::NetworkNamespaces& network) {
  if (::geteuid() != 0) return fail("{}", network.problem());
  return fail(
      "no network namespaces, which need all of root's rights (a container may lack some): {}",
      network.problem());
}

}  // namespace

Testbed Testbed::loopback(std::size_t links) {
  return {links, true};
}

Result<Testbed> Testbed::own_loopback(std::size_t links) {
  Testbed testbed(links, true);
  testbed.network_ = std::make_unique<testing::NetworkNamespaces>(
      std::vector<std::string>{kOwnLoopback}, testing::NetworkOptions{0});
  if (!testbed.network_->is_ready()) return no_namespaces(*testbed.network_);
  // Set by route: a namespace cannot choose its own default.
  for (const auto* range : {"127.0.0.0/8", "127.0.0.1"}) {
    auto set = testbed.run_on(
        kOwnLoopback, fmt::format("ip route replace local {} dev lo proto kernel scope host src "
                                  "127.0.0.1 table local congctl cubic",
                                  range));
    SUBMIX_TRY(set);
  }
  return testbed;
}

Result<Testbed> Testbed::namespaces(std::size_t links, const std::vector<BitRate>& shape,
                                    const std::vector<std::chrono::microseconds>& delays) {
  Testbed testbed(links, false);
  testbed.network_ = std::make_unique<testing::NetworkNamespaces>(
      std::vector<std::string>{kSender, kReceiver},
      testing::NetworkOptions{static_cast<int>(links), testing::Wiring::direct});
  if (!testbed.network_->is_ready()) return no_namespaces(*testbed.network_);
  SUBMIX_TRY(testbed.lengthen(shape, delays));
  for (std::size_t link = 0; link < shape.size(); ++link) {
    SUBMIX_TRY(testbed.set_rate(link, shape[link]));
  }
  // A card that comes up during a run is an event for the card watcher, which would then allocate.
  if (auto without = testbed.network_->wait_for_carriers(); !without.empty())
    return fail("{}", without);
  return testbed;
}

std::vector<std::string> Testbed::addresses(Side side) const {
  std::vector<std::string> addresses;
  for (std::size_t link = 0; link < links_; ++link) {
    addresses.push_back(is_loopback_ ? "127.0.0." + std::to_string(link + 1)
                                     : network_->address(host_of(side), static_cast<int>(link)));
  }
  return addresses;
}

std::vector<std::string> Testbed::command_on(Side side,
                                             const std::vector<std::string>& command) const {
  if (!network_) return command;
  return network_->command_on(is_loopback_ ? kOwnLoopback : host_of(side), command);
}

Result<void> Testbed::run_on(const char* host, const std::string& command) const {
  const auto complaint = network_->complaint_of(host, command);
  if (!complaint.empty()) return fail("`{}`: {}", command, complaint);
  return {};
}

// A veth pair has no delay. Links without a delay keep their veth pairs.
Result<void> Testbed::lengthen(const std::vector<BitRate>& shape,
                               const std::vector<std::chrono::microseconds>& delays) {
  std::vector<LongCable> cables;
  for (std::size_t link = 0; link < delays.size(); ++link) {
    if (delays[link].count() == 0) continue;
    const auto bytes = bytes_on_the_way(shape.at(link), delays[link]);
    if (bytes > kOnTheWayMax) {
      return fail("link {}: {} for {} ms are {} MB on their way, at most {} MB are held", link,
                  to_text(shape[link]), delays[link].count() / 1000, bytes / kMegabyte,
                  kOnTheWayMax / kMegabyte);
    }
    auto removed =
        run_on(host_of(Side::send),
               "ip link del " + testing::NetworkNamespaces::card(static_cast<int>(link)));
    if (!removed) return removed;
    auto first = replace_card(Side::send, link);
    SUBMIX_TRY(first);
    auto second = replace_card(Side::receive, link);
    SUBMIX_TRY(second);
    cables.push_back({std::move(*first), std::move(*second), delays[link], bytes});
  }
  if (!cables.empty()) cables_ = std::make_unique<LongCables>(std::move(cables));
  return {};
}

Result<Descriptor> Testbed::replace_card(Side side, std::size_t link) const {
  const auto name = testing::NetworkNamespaces::card(static_cast<int>(link));
  Result<Descriptor> card;
  network_->run_on(host_of(side), [&] { card = open_card(name); });
  if (!card) return card;
  // Of IPv6, if any
  static_cast<void>(run_on(host_of(side), fmt::format("ip link set {} addrgenmode none", name)));
  for (const auto& command : {fmt::format("ip addr add {}/24 dev {}", addresses(side)[link], name),
                              fmt::format("ip link set {} up", name)}) {
    SUBMIX_TRY(run_on(host_of(side), command));
  }
  return card;
}

Result<void> Testbed::allow_multipath() const {
  for (const auto side : {Side::send, Side::receive}) {
    auto set = run_on(host_of(side), "ip mptcp limits set subflows 8 add_addr_accepted 8");
    if (!set)
      return fail("this kernel (CONFIG_MPTCP) or iproute2 knows no MPTCP: {}", set.error().message);
  }
  // The receiver announces its other addresses. The sender reaches each by the card of its subnet.
  const auto addresses = this->addresses(Side::receive);
  for (std::size_t link = 1; link < links_; ++link) {
    auto set = run_on(host_of(Side::receive),
                      fmt::format("ip mptcp endpoint add {} dev {} signal", addresses[link],
                                  testing::NetworkNamespaces::card(static_cast<int>(link))));
    if (!set) return set;
  }
  return {};
}

Result<void> Testbed::set_rate(std::size_t link, BitRate rate) const {
  for (const auto* host : {kSender, kReceiver}) {
    if (!network_->limit_rate(host, static_cast<int>(link), rate.bits_per_second))
      return fail("link {}: tc sets no rate of {}; is the package iproute2 installed?", link,
                  to_text(rate));
  }
  return {};
}

}  // namespace submix::throughput
