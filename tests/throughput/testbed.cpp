// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/testbed.hpp"

#include <utility>

namespace submix::throughput {
namespace {

constexpr const char* kSender = "send";
constexpr const char* kReceiver = "receive";

const char* host_of(Side side) {
  return side == Side::send ? kSender : kReceiver;
}

}  // namespace

Testbed Testbed::loopback(std::size_t links) {
  return Testbed(links);
}

Result<Testbed> Testbed::namespaces(std::size_t links, const std::vector<BitRate>& shape) {
  Testbed testbed(links);
  testbed.network_ = std::make_unique<testing::NetworkNamespaces>(
      std::vector<std::string>{kSender, kReceiver},
      testing::NetworkOptions{static_cast<int>(links), testing::Wiring::direct});
  if (!testbed.network_->is_ready()) {
    return fail("no network namespaces: {} (--loopback needs none)", testbed.network_->problem());
  }
  for (std::size_t link = 0; link < shape.size(); ++link) {
    if (auto set = testbed.set_rate(link, shape[link]); !set) return tl::unexpected(set.error());
  }
  return testbed;
}

std::vector<std::string> Testbed::addresses(Side side) const {
  std::vector<std::string> addresses;
  for (std::size_t link = 0; link < links_; ++link) {
    addresses.push_back(network_ ? network_->address(host_of(side), static_cast<int>(link))
                                 : "127.0.0." + std::to_string(link + 1));
  }
  return addresses;
}

std::vector<std::string> Testbed::command_on(Side side, const std::vector<std::string>& command) const {
  return network_ ? network_->command_on(host_of(side), command) : command;
}

Result<void> Testbed::set_rate(std::size_t link, BitRate rate) const {
  for (const auto* host : {kSender, kReceiver}) {
    if (!network_->limit_rate(host, static_cast<int>(link), rate.bits_per_second))
      return fail("link {}: tc sets no rate of {}; is the package iproute2 installed?", link, to_text(rate));
  }
  return {};
}

}  // namespace submix::throughput
