// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the bus.

#include "common/cluster/bus.hpp"
#include "common/cluster/connector.hpp"
#include "common/cluster/handler.hpp"
#include "common/cluster/nats_connection.hpp"

#include <memory>
#include <string>
#include <utility>

namespace submix::cluster {

/// The subscription of subscribe() and serve(). It is attached to each new connection.
class SubjectSubscription final : public Subscription {
 public:
  SubjectSubscription(Connector& connector, std::string subject, Handler::Function function);
  ~SubjectSubscription() override;

  /// Called by the connector under its lock, as is detach().
  void attach(NatsConnection& connection);
  void detach(NatsConnection& connection) { connection.retire(std::move(handle_)); }

 private:
  Connector& connector_;
  const std::string subject_;
  const std::shared_ptr<Handler> handler_;
  SubscriptionHandle handle_;  // guarded by the connector's lock
};

}  // namespace submix::cluster
