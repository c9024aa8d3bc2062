// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/reachable.hpp"

#include "common/cluster/nats_connection.hpp"

#include <string>

namespace submix::cluster {

bool is_reachable(std::string_view url, std::chrono::milliseconds patience) {
  natsOptions* options = nullptr;
  if (natsOptions_Create(&options) != NATS_OK) return false;
  const OptionsHandle handle(options);
  natsOptions_SetURL(options, std::string(url).c_str());
  natsOptions_SetTimeout(options, patience.count());
  natsOptions_SetAllowReconnect(options, false);
  natsConnection* connection = nullptr;
  const auto status = natsConnection_Connect(&connection, options);
  const ConnectionHandle connection_handle(connection);
  return status == NATS_OK || status == NATS_CONNECTION_AUTH_FAILED;
}

}  // namespace submix::cluster
