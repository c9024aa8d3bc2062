// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "tests/throughput/channel.hpp"
#include "tests/throughput/job.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace submix::throughput {

/// Called every 20 ms during a wait. An error ends the wait.
using Meanwhile = std::function<Result<void>()>;

/// A command line, wrapped to run at the place of the work.
using Placed = std::function<std::vector<std::string>(const std::vector<std::string>&)>;

/// This program in another process, as one side of a measurement. The process ends with this
/// object. Compatible.
class WorkerProcess {
 public:
  [[nodiscard]] static Result<WorkerProcess> start(const Job& job, const Placed& placed);

  [[nodiscard]] Result<void> tell(const std::string& message) { return channel_.send(message); }
  /// The next message of the process, or a message of `other`, which can only be a failure. Null:
  /// no other.
  [[nodiscard]] Result<std::string> wait_for_message(WorkerProcess* other,
                                                     const Meanwhile& meanwhile,
                                                     std::chrono::milliseconds patience);

 private:
  WorkerProcess(Channel channel, ChildProcess process)
      : channel_(std::move(channel)), process_(std::move(process)) {}

  Channel channel_;
  ChildProcess process_;
};

/// The time limit of a job: its own duration and a reserve.
[[nodiscard]] std::chrono::milliseconds patience_for(const Job& job);
/// The number of frames for which the job's ledger needs room.
[[nodiscard]] std::size_t frames_bound(const Job& job);

inline constexpr std::chrono::milliseconds kAnswerPatience{20'000};

}  // namespace submix::throughput
