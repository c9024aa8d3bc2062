// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

/// Real-time scheduling, for a process with the right to it or with a broker (RealtimeBroker).
/// Frames then keep their time while other programs load every core.
///
/// Raised threads run by SCHED_RR at low priorities: below the kernel's interrupt threads (50) and
/// audio servers, above all ordinary programs. The scheduling is round robin, so that two slots
/// that both compute for long share a core. `net` has a higher priority: its work is short, and
/// both ends of a stream wait for it. Children of a raised thread are not raised. Raised threads
/// cannot take the machine over. The kernel keeps a part of each second for ordinary programs
/// (kernel.sched_rt_runtime_us; since Linux 6.12 its fair server). A thread that computes for
/// kRealtimeRunMax without a pause becomes ordinary for a while; other threads keep their priority.
namespace submix {

/// How badly a late thread hurts.
enum class Urgency {
  /// Carries frames.
  normal,
  stage,  ///< computes frames
  net,
};

inline constexpr int kRealtimeStagePriority = 10;
inline constexpr int kRealtimeNetPriority = 12;
inline constexpr std::chrono::milliseconds kRealtimeRunMax{500};

class RealtimeBroker;

/// After this call, start_thread() raises threads by their urgency. Call once, in main(), before
/// starting such threads.
///
/// Errors   Not permitted: the text says why, and how to permit real-time scheduling.
[[nodiscard]] Result<void> allow_realtime_threads();
/// Locks all memory that this process has touched, or will touch, against paging.
///
/// Errors   Not permitted without a limit on locked memory: under a limit, later allocations would
///          fail. The text says how to permit it.
[[nodiscard]] Result<void> lock_memory();

/// A thread that ran for realtime_run_max() without a pause is ordinary for this time, and then
/// until it sleeps. Each repetition doubles the time, up to sixteen times.
inline constexpr std::chrono::seconds kLoweredPause{10};
/// A repetition within this time after the thread was raised again counts; kLoweredDoublings limits
/// the doublings.
inline constexpr std::chrono::minutes kLoweredSoon{5};
inline constexpr int kLoweredDoublings = 4;
/// Raises lowered threads again whose pause has passed by `now`. Call regularly, on one thread.
/// Returns the names of the threads that are still lowered.
[[nodiscard]] std::vector<std::string> tend_lowered_threads(
    std::chrono::steady_clock::time_point now);
/// Whether any thread is lowered now.
[[nodiscard]] bool is_realtime_withdrawn();
/// kRealtimeRunMax, or less if the process's limit is smaller.
[[nodiscard]] std::chrono::microseconds realtime_run_max();

/// Raises the first thread of a child process to a stage's priority. The child has called
/// become_ordinary_when_out_of_time(). Returns false and changes nothing if this process has no
/// right of its own.
bool raise_child(pid_t process);
/// Whether the first thread of a child process is still raised.
[[nodiscard]] bool is_child_raised(pid_t process);
/// Called by a child process that may be raised. When its first thread computes for
/// realtime_run_max() without a pause, the thread becomes ordinary. Without this call the kernel
/// would kill the process.
void become_ordinary_when_out_of_time();

/// Raises the calling thread by its urgency for this object's lifetime. Does nothing if real-time
/// scheduling is not allowed.
class RaisedThread {
 public:
  explicit RaisedThread(Urgency urgency);
  ~RaisedThread();
  RaisedThread(const RaisedThread&) = delete;
  RaisedThread& operator=(const RaisedThread&) = delete;

 private:
  std::size_t entry_;
  RealtimeBroker* broker_;  // null: not used
};

/// Makes the calling thread ordinary for this object's lifetime. For long work whose result no
/// frame waits for in time anyway, such as opening a file.
class OrdinaryThread {
 public:
  OrdinaryThread();
  ~OrdinaryThread();
  OrdinaryThread(const OrdinaryThread&) = delete;
  OrdinaryThread& operator=(const OrdinaryThread&) = delete;

 private:
  bool is_lowered_;
};

/// For RealtimeBroker only.
namespace detail {
/// Sets the hard limit of a run without a pause, at which the kernel kills the process. The thread
/// is lowered at half of the limit.
void limit_realtime_run(std::chrono::microseconds hard_limit);
void allow_realtime_threads_by(RealtimeBroker* broker);  ///< null: stop using a broker
void lower_thread(pid_t thread);
[[nodiscard]] bool is_to_be_ordinary(pid_t thread);  ///< lowered after a run that was too long
}  // namespace detail

}  // namespace submix
