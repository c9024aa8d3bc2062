// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

/// Real-time scheduling, where the process has the right to it, or somebody who has it lends a hand
/// (RealtimeBroker): frames then keep their time while other programs load every core.
///
/// The raised threads run by SCHED_RR at low priorities: behind the kernel's interrupt threads (50) and audio
/// servers, ahead of all ordinary programs. Round robin, since two slots that both compute for long on one
/// core shall share it; `net` stands above them, for its work is short and both ends of a stream wait for it.
/// What they start is not raised. They cannot take the machine over: the kernel keeps a part of each second
/// for ordinary programs (kernel.sched_rt_runtime_us, since Linux 6.12 its fair server), and a thread that
/// computes for kRealtimeRunMax without a pause is an ordinary one for a while. The others keep their right.
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

/// A thread that ran for realtime_run_max() without a pause stays an ordinary one for so long, and then until
/// it sleeps; twice as long each time that it does so again, up to sixteen times as long.
inline constexpr std::chrono::seconds kLoweredPause{10};
/// What comes within this time after a thread has its right back is "again"; so many times the pause doubles.
inline constexpr std::chrono::minutes kLoweredSoon{5};
inline constexpr int kLoweredDoublings = 4;
/// Raises threads again that have been ordinary ones for long enough by `now`; now and then, on one thread.
/// Returns the names of those that still are.
[[nodiscard]] std::vector<std::string> tend_lowered_threads(
    std::chrono::steady_clock::time_point now);
/// Whether there are any.
[[nodiscard]] bool is_realtime_withdrawn();
/// kRealtimeRunMax, or less where this process may have less only.
[[nodiscard]] std::chrono::microseconds realtime_run_max();

/// Raises the first thread of another program that this process started, as a stage's; false, and nothing,
/// where this process has no right of its own to it. That program has called
/// become_ordinary_when_out_of_time().
bool raise_child(pid_t process);
/// Whether that thread still is raised.
[[nodiscard]] bool is_child_raised(pid_t process);
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

/// While it lives, the thread that makes it is an ordinary one: for long work that no frame waits for in time
/// anyway, such as to open a file.
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
/// At the hard limit without a pause the kernel kills; at half of it the thread is lowered.
void limit_realtime_run(std::chrono::microseconds hard_limit);
void allow_realtime_threads_by(RealtimeBroker* broker);  ///< null: no more
void lower_thread(pid_t thread);
[[nodiscard]] bool is_to_be_ordinary(pid_t thread);  ///< for now: it ran for too long
}  // namespace detail

}  // namespace submix
