// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/host/channel.hpp"
#include "node/host/control_block.hpp"

namespace submix::host {

/// What a host process does, called by do_jobs() on its one thread.
class JobHandler {
 public:
  virtual ~JobHandler() = default;

  /// First of all, and once: confines the process.
  [[nodiscard]] virtual Result<void> begin() = 0;
  /// Takes a message that belongs to the next job.
  [[nodiscard]] virtual Result<void> take(Received received) = 0;
  /// Does `control.job`; all its messages have been taken.
  [[nodiscard]] virtual Result<void> work(ControlBlock& control) = 0;
};

/// Does the jobs of a host process, one after the other, until the node ends the process. Expects the channel
/// and the control block at their descriptors (control_block.hpp).
///
/// Errors   Where the handler fails, the control block says why, and the process ends with status 1.
[[noreturn]] void do_jobs(JobHandler& handler);

}  // namespace submix::host
