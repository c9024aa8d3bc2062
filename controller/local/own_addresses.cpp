// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/own_addresses.hpp"

#include "common/base/host_port.hpp"
#include "common/cluster/address.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <memory>

namespace submix::local {
namespace {

// Empty for other families than IPv4 and IPv6, and for link-local addresses of IPv6.
std::string address_text(const sockaddr* address) {
  if (address == nullptr) return {};
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address->sa_family == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(address);
    ::inet_ntop(AF_INET, &v4->sin_addr, text.data(), text.size());
  } else if (address->sa_family == AF_INET6) {
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(address);
    if (IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr)) return {};
    ::inet_ntop(AF_INET6, &v6->sin6_addr, text.data(), text.size());
  }
  return text.data();
}

}  // namespace

std::vector<std::string> own_addresses() {
  ifaddrs* raw = nullptr;
  if (::getifaddrs(&raw) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> list(raw, &::freeifaddrs);
  constexpr unsigned kUsable = IFF_UP | IFF_RUNNING;
  std::vector<std::string> addresses;
  for (const auto* each = list.get(); each != nullptr; each = each->ifa_next) {
    if ((each->ifa_flags & kUsable) != kUsable) continue;
    auto address = address_text(each->ifa_addr);
    if (!address.empty() && !cluster::is_loopback(address)) addresses.push_back(std::move(address));
  }
  return addresses;
}

std::vector<std::string> own_ipv4_addresses() {
  auto addresses = own_addresses();
  std::erase_if(addresses,
                [](const std::string& address) { return address.find(':') != std::string::npos; });
  return addresses;
}

std::string nats_urls(std::vector<std::string> addresses, std::uint16_t port,
                      const std::string& first) {
  const auto found = std::ranges::find(addresses, first);
  if (found != addresses.end()) std::rotate(addresses.begin(), found, found + 1);
  if (addresses.size() > cluster::kUrlsMax) addresses.resize(cluster::kUrlsMax);
  std::vector<std::string> urls;
  for (const auto& address : addresses)
    urls.push_back("nats://" + to_string(HostPort{address, port}));
  return fmt::format("{}", fmt::join(urls, ","));
}

}  // namespace submix::local
