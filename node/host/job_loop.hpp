// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/host/channel.hpp"
#include "node/host/control_block.hpp"

namespace submix::host {

/// The work of a host process. do_jobs() calls it on the process's one thread.
class JobHandler {
 public:
  virtual ~JobHandler() = default;

  /// Called first, and once. Confines the process. A process whose first message says what it may
  /// read is confined by take() instead, before take() does anything else.
  [[nodiscard]] virtual Result<void> begin() = 0;
  /// Takes a message for the next job.
  [[nodiscard]] virtual Result<void> take(Received received) = 0;
  /// Does `control.job`. All messages for the job have been taken.
  [[nodiscard]] virtual Result<void> work(ControlBlock& control) = 0;
};

/// Does the jobs of a host process, one after the other, until the node ends the process. Expects
/// the channel and the control block at their descriptors (control_block.hpp).
///
/// Errors   When the handler fails, the control block says why, and the process ends with status 1.
[[noreturn]] void do_jobs(JobHandler& handler);

}  // namespace submix::host
