// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/addresses.hpp"

#include "common/base/host_port.hpp"

#include <arpa/inet.h>

#include <array>
#include <cstddef>

namespace submix::model {
namespace {

using Bytes = std::array<unsigned char, sizeof(in6_addr)>;

struct ParsedAddress {
  int family = 0;  // 0: none
  Bytes bytes{};
};

ParsedAddress parse_address(const std::string& text) {
  ParsedAddress address;
  for (const int family : {AF_INET, AF_INET6}) {
    if (::inet_pton(family, text.c_str(), address.bytes.data()) == 1) {
      address.family = family;
      break;
    }
  }
  return address;
}

}  // namespace

bool is_same_subnet(const std::string& a, const std::string& b, int prefix_length) {
  const auto left = parse_address(a);
  const auto right = parse_address(b);
  if (left.family == 0 || left.family != right.family) return false;
  for (int bit = 0; bit < prefix_length; ++bit) {
    const auto place = static_cast<std::size_t>(bit / 8);
    const auto mask = static_cast<unsigned char>(0x80 >> (bit % 8));
    if (place >= left.bytes.size() || ((left.bytes[place] ^ right.bytes[place]) & mask) != 0)
      return false;
  }
  return true;
}

bool is_same_family(const std::string& a, const std::string& b) {
  const auto family = parse_address(a).family;
  return family != 0 && family == parse_address(b).family;
}

std::string address_of(const std::string& end) {
  std::string address(without_port(end));
  return parse_address(address).family == 0 ? std::string() : address;
}

bool is_reachable_address(const std::string& address) {
  if (parse_address(address).family == 0) return false;
  constexpr int kLoopbackPrefix = 8;
  constexpr int kLinkLocalPrefix = 16;
  constexpr int kLinkLocalPrefix6 = 10;
  const bool is_own = is_same_subnet(address, "127.0.0.0", kLoopbackPrefix) || address == "::1";
  const bool is_of_one_cable = is_same_subnet(address, "169.254.0.0", kLinkLocalPrefix) ||
                               is_same_subnet(address, "fe80::", kLinkLocalPrefix6);
  return !is_own && !is_of_one_cable;
}

}  // namespace submix::model
