// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/stop_signal.hpp"

#include <functional>

namespace submix::cli {

/// Runs `work` in a child of this process and returns its exit status. Signals that end this
/// process reach the child, which is told by `stop`. If this process is killed, the child gets
/// SIGTERM. If the child is killed, `tidy` is called here.
///
/// Shape    The child is a copy of this process in a process group of its own: neither the
///          terminal nor a killed shell ends both at once. This process keeps neither standard
///          input nor output.
/// Threads  Confined (main), before any other thread starts: a copy has one thread only.
/// Errors   No process can be started.
[[nodiscard]] Result<int> run_guarded(StopSignal& stop, const std::function<int()>& work,
                                      const std::function<int()>& tidy);

}  // namespace submix::cli
