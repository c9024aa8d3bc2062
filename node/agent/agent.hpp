// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "node/agent/node_options.hpp"

#include <memory>

namespace submix::agent {

/// A node: follows the show on the control plane, runs its share of it, and reports.
///
/// Threads  Compatible. Owns the threads `agent` (follows shows and reports) and `telemetry` (ten
///          readings a second) and, in its parts, `net`, the stages' threads and those of libnats.
/// Errors   start(): an address or port that cannot be used, addresses beyond this machine without
///          a key, or the name of a running node. An unreachable NATS server is not an error: it is
///          logged, and the connection is retried for ever. Without NATS, running submixes
///          continue.
class Agent {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Agent>> start(const NodeOptions& options);
  ~Agent();
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  /// Whether `agent`, `telemetry` and `net` have gone round since this function last returned
  /// true. False again and again: a thread is stuck. Confined (main).
  [[nodiscard]] bool has_progressed();

  /// Whether the node runs no submix.
  [[nodiscard]] bool is_idle() const;
  [[nodiscard]] bool has_server() const;

 private:
  class RunningNode;
  explicit Agent(std::unique_ptr<RunningNode> node);

  std::unique_ptr<RunningNode> node_;
};

}  // namespace submix::agent
