// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/cards_in_use.hpp"

#include "common/base/host_port.hpp"

namespace submix::agent {

std::set<std::string> addresses_in_use(std::span<const telemetry::StreamReading> streams) {
  std::set<std::string> addresses;
  for (const auto& stream : streams) {
    for (const auto& link : stream.links)
      addresses.emplace(without_port(link.local));
  }
  return addresses;
}

}  // namespace submix::agent
