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

/// Called every 20 ms while something is waited for; an error ends it.
using Meanwhile = std::function<Result<void>()>;

/// A command as it runs where the work is to be done.
using Placed = std::function<std::vector<std::string>(const std::vector<std::string>&)>;

/// This program in another process, as one side of a measurement. It ends with this object. Compatible.
class WorkerProcess {
 public:
  [[nodiscard]] static Result<WorkerProcess> start(const Job& job, const Placed& placed);

  [[nodiscard]] Result<void> tell(const std::string& message) { return channel_.send(message); }
  /// Its next message; or one of `other`, which meanwhile can only be a failure. Null: there is no other.
  [[nodiscard]] Result<std::string> wait_for_message(WorkerProcess* other,
                                                     const Meanwhile& meanwhile,
                                                     std::chrono::milliseconds patience);

 private:
  WorkerProcess(Channel channel, ChildProcess process)
      : channel_(std::move(channel)), process_(std::move(process)) {}

  Channel channel_;
  ChildProcess process_;
};

/// How long a job may take: what it asks for, and some more.
[[nodiscard]] std::chrono::milliseconds patience_for(const Job& job);
/// How many frames its ledger must have room for.
[[nodiscard]] std::size_t frames_bound(const Job& job);

inline constexpr std::chrono::milliseconds kAnswerPatience{20'000};

}  // namespace submix::throughput
