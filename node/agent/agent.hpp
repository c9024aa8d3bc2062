// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "node/agent/node_options.hpp"

#include <memory>

namespace submix::agent {

/// A node: it follows the show on the control plane, runs its share of it and reports.
///
/// Threads  Compatible. Owns `agent` (converges and reports), `telemetry` (ten readings a second) and, in its
///          parts, `net`, the stages' threads and those of libnats.
/// Errors   start(): an address or port that cannot be used, a reach without a key, a name that a running
/// node
///          has. An unreachable NATS is none: it is logged, and tried for ever. Without NATS, what runs goes
///          on.
class Agent {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Agent>> start(const NodeOptions& options);
  ~Agent();
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

 private:
  class Parts;
  explicit Agent(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace submix::agent
