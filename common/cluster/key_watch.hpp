// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the bus.

#include "common/cluster/bus.hpp"
#include "common/cluster/connector.hpp"
#include "common/cluster/nats_connection.hpp"

#include <functional>
#include <stop_token>
#include <string>
#include <thread>

namespace submix::cluster {

/// The watch of Bus::watch(). The watch is set up again on each new connection, on its own thread.
class KeyWatch final : public Subscription {
 public:
  KeyWatch(Connector& connector, std::string bucket, std::string key,
           std::function<void(const BucketEntry&)> callback);
  ~KeyWatch() override;

 private:
  void run(const std::stop_token& stop);
  void complain(const std::string& why);
  void follow(NatsConnection& connection, const std::stop_token& stop);
  void read(kvWatcher& watcher, NatsConnection& connection, const std::stop_token& stop);

  Connector& connector_;
  const std::string bucket_;
  const std::string key_;
  const std::function<void(const BucketEntry&)> callback_;
  std::jthread thread_;
};

}  // namespace submix::cluster
