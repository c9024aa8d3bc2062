// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <thread>

namespace submix::agent {

/// What the agent does not wait for: it reads and writes files, or runs other programs. Earlier ones go
/// first.
enum class Chore { plugins, pictures, trace, retry, files, nodes, good_show, sign_of_life, count };

/// Does chores one after the other on a thread of its own, "slow".
///
/// Shape    One of each kind waits at most: a newer one takes its place.
/// Threads  Synchronized. The destructor waits for the one that is under way; those that wait are not done.
class SlowWork {
 public:
  /// Something of several steps looks at the token between them.
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
  std::jthread thread_;  // last: it uses all above
};

}  // namespace submix::agent
