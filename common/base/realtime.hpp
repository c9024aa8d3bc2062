// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstddef>

/// Real-time scheduling, where the process has the right to it, or somebody who has it lends a hand
/// (RealtimeBroker): frames then keep their time while other programs load every core.
///
/// The raised threads run by SCHED_RR at low priorities: behind the kernel's interrupt threads (50) and audio
/// servers, ahead of all ordinary programs. Round robin, since two slots that both compute for long on one
/// core shall share it; `net` stands above them, for its work is short and both ends of a stream wait for it.
/// What they start is not raised. They cannot take the machine over: the kernel keeps a part of each second
/// for ordinary programs (kernel.sched_rt_runtime_us, since Linux 6.12 its fair server), and a thread that
/// computes for kRealtimeRunMax without a pause ends real-time scheduling for the whole process.
namespace submix {

/// How much it costs when a thread comes late.
enum class Urgency {
  normal,
  stage,  ///< computes frames
  net,    ///< carries them
};

inline constexpr int kRealtimeStagePriority = 10;
inline constexpr int kRealtimeNetPriority = 12;
inline constexpr std::chrono::milliseconds kRealtimeRunMax{500};

class RealtimeBroker;

/// From now on start_thread() raises threads by their urgency. Call once, in main(), before such threads.
///
/// Errors   Not permitted: says why, and how to permit it.
[[nodiscard]] Result<void> allow_realtime_threads();
/// Keeps what this process has touched, and will touch, from being paged out.
///
/// Errors   Not permitted without a limit, which would make later allocations fail: how to permit it.
[[nodiscard]] Result<void> lock_memory();

/// A thread ran for realtime_run_max() without a pause: all are ordinary ones again.
[[nodiscard]] bool is_realtime_withdrawn();
/// kRealtimeRunMax, or less where this process may have less only.
[[nodiscard]] std::chrono::microseconds realtime_run_max();

/// Raises the first thread of another program that this process started, as a stage's; nothing where this
/// process has no right of its own to it. That program has called become_ordinary_when_out_of_time().
void raise_child(pid_t process);
/// Of a program that may be raised: when its first thread computes for realtime_run_max() without a pause, it
/// becomes an ordinary one. Without this the kernel would end it.
void become_ordinary_when_out_of_time();

/// Raises the thread that makes it by its urgency, until it is destroyed; nothing where that is not allowed.
class RaisedThread {
 public:
  explicit RaisedThread(Urgency urgency);
  ~RaisedThread();
  RaisedThread(const RaisedThread&) = delete;
  RaisedThread& operator=(const RaisedThread&) = delete;

 private:
  std::size_t place_;
  RealtimeBroker* broker_;  // null: it was not asked
};

/// For RealtimeBroker only.
namespace detail {
/// At the hard limit without a pause the kernel kills; at half of it real-time scheduling is withdrawn.
void limit_realtime_run(std::chrono::microseconds hard_limit);
void allow_realtime_threads_by(RealtimeBroker* broker);  ///< null: no more
void lower_thread(pid_t thread);
}  // namespace detail

}  // namespace submix
