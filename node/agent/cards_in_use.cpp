// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/cards_in_use.hpp"

#include <string_view>

namespace submix::agent {
namespace {

/// "198.18.0.1" of "198.18.0.1:40000", "fd00::1" of "[fd00::1]:40000". A text without a port is
/// returned as is.
std::string_view without_port(std::string_view end) {
  if (end.starts_with('[')) return end.substr(1, end.find(']') - 1);
  const auto colon = end.find(':');
  return colon == end.rfind(':') ? end.substr(0, colon) : end;
}

}  // namespace

std::set<std::string> addresses_in_use(std::span<const telemetry::StreamReading> streams) {
  std::set<std::string> addresses;
  for (const auto& stream : streams) {
    for (const auto& link : stream.links)
      addresses.emplace(without_port(link.local));
  }
  return addresses;
}

}  // namespace submix::agent
