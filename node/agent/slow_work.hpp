// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <thread>

namespace submix::agent {

/// Work that the agent does not wait for: reading and writing files, running other programs.
/// Earlier kinds go first.
enum class Chore {
  plugins,
  pictures,
  trace,
  retry,
  files,
  nodes,
  good_show,
  clock,
  sign_of_life,
  sound_devices,
  count
};

/// Does chores one after the other on its own thread "slow".
///
/// Shape    At most one chore of each kind waits: a newer one replaces it.
/// Threads  Synchronized. The destructor waits for the running chore; waiting chores are dropped.
class SlowWork {
 public:
  /// A chore of several steps checks `stop` between them.
  using Work = std::function<void(const std::stop_token& stop)>;

  SlowWork();
  SlowWork(const SlowWork&) = delete;
  SlowWork& operator=(const SlowWork&) = delete;
  ~SlowWork() = default;

  void post(Chore chore, Work work) SUBMIX_EXCLUDES(mutex_);

 private:
  void run(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);

  Mutex mutex_;
  Condition posted_;
  std::array<Work, static_cast<std::size_t>(Chore::count)> waiting_ SUBMIX_GUARDED_BY(mutex_);
  std::jthread thread_;  // last member: uses all above
};

}  // namespace submix::agent
