// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/reachable.hpp"

#include "common/cluster/nats_connection.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

namespace submix::cluster {

bool is_reachable(std::string_view url, const std::optional<ShowKey>& key) {
  constexpr std::chrono::seconds kPatience(1);  // a try may take twice as long
  constexpr std::array kAnswers{NATS_OK, NATS_CONNECTION_AUTH_FAILED,
                                NATS_SECURE_CONNECTION_WANTED};
  const auto status = NatsConnection::try_once(
      {.url = std::string(url), .name = "submix", .key = key, .patience = kPatience});
  return std::ranges::find(kAnswers, status) != kAnswers.end();
}

}  // namespace submix::cluster
