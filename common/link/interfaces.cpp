// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/interfaces.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>

namespace submix::link {
namespace {

namespace ip = boost::asio::ip;

std::optional<ip::address> address_of(const sockaddr* from) {
  if (from == nullptr) return std::nullopt;
  if (from->sa_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, from, sizeof in);
    return ip::address_v4(ntohl(in.sin_addr.s_addr));
  }
  if (from->sa_family == AF_INET6) {
    sockaddr_in6 in{};
    std::memcpy(&in, from, sizeof in);
    ip::address_v6::bytes_type bytes;
    std::copy(std::begin(in.sin6_addr.s6_addr), std::end(in.sin6_addr.s6_addr), bytes.begin());
    return ip::address_v6(bytes);
  }
  return std::nullopt;
}

int prefix_of(const ip::address& mask) {
  if (mask.is_v4()) return std::popcount(mask.to_v4().to_uint());
  int bits = 0;
  for (const auto byte : mask.to_v6().to_bytes())
    bits += std::popcount(byte);
  return bits;
}

/// A file of sysfs with one number; 0 when it says nothing or -1.
int number_in(const std::filesystem::path& file) {
  int value = 0;
  std::ifstream(file) >> value;
  return std::max(value, 0);
}

}  // namespace

std::vector<NetworkInterface> list_interfaces(const std::filesystem::path& sysfs) {
  ifaddrs* raw = nullptr;
  if (::getifaddrs(&raw) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> list(raw, &::freeifaddrs);
  std::vector<NetworkInterface> interfaces;
  for (const auto* each = list.get(); each != nullptr; each = each->ifa_next) {
    const auto address = address_of(each->ifa_addr);
    const auto mask = address_of(each->ifa_netmask);
    if (!address || !mask || (address->is_v6() && address->to_v6().is_link_local())) continue;
    const auto folder = sysfs / each->ifa_name;
    const unsigned needed = IFF_UP | IFF_RUNNING;
    interfaces.push_back({each->ifa_name, address->to_string(), prefix_of(*mask), number_in(folder / "mtu"),
                          number_in(folder / "speed"), (each->ifa_flags & needed) == needed});
  }
  return interfaces;
}

int prefix_length_of(const std::string& address, std::span<const NetworkInterface> interfaces) {
  for (const auto& each : interfaces) {
    if (each.address == address) return each.prefix_length;
  }
  boost::system::error_code failed;
  const auto wanted = ip::make_address(address, failed);
  if (failed || !wanted.is_loopback() || !wanted.is_v4()) return 0;
  for (const auto& each : interfaces) {
    const auto other = ip::make_address(each.address, failed);
    if (failed || !other.is_v4() || !other.is_loopback()) continue;
    const ip::network_v4 subnet(other.to_v4(), static_cast<unsigned short>(each.prefix_length));
    if (subnet.canonical() == ip::network_v4(wanted.to_v4(), subnet.prefix_length()).canonical()) {
      return each.prefix_length;
    }
  }
  return 0;
}

}  // namespace submix::link
