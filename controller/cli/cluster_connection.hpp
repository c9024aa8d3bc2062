// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/cluster.hpp"
#include "controller/cli/context.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::cli {

/// The key of --key. Empty: no key was given.
[[nodiscard]] Result<std::optional<cluster::ShowKey>> read_key(const Context& context);

/// Whether other commands find a server at `url` only if they are told: by themselves they go
/// elsewhere.
[[nodiscard]] bool needs_telling(const std::string& url);

/// For connecting, and for each answer of NATS.
inline constexpr std::chrono::milliseconds kConnectPatience{2000};

/// A connection to the cluster of --nats and --key. Movable. open() fails if it cannot connect.
class ClusterConnection {
 public:
  [[nodiscard]] static Result<ClusterConnection> open(
      const Context& context, cluster::Bus::StateCallback on_state = {},
      std::chrono::milliseconds patience = kConnectPatience);

  [[nodiscard]] cluster::Cluster& cluster() { return *cluster_; }
  [[nodiscard]] cluster::Bus& bus() { return *bus_; }
  [[nodiscard]] const cluster::Bus& bus() const { return *bus_; }
  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  ClusterConnection(std::string url, std::unique_ptr<cluster::Bus> bus);

  std::string url_;
  std::unique_ptr<cluster::Bus> bus_;
  std::unique_ptr<cluster::Cluster> cluster_;  // uses *bus_
};

}  // namespace submix::cli
