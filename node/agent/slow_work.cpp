// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/slow_work.hpp"

#include "common/base/thread.hpp"

#include <algorithm>
#include <stop_token>
#include <utility>

namespace submix::agent {

SlowWork::SlowWork()
    : thread_(start_thread("slow", [this](const std::stop_token& stop) { run(stop); })) {}

void SlowWork::post(Chore chore, Work work) {
  const MutexLock lock(mutex_);
  waiting_.at(static_cast<std::size_t>(chore)) = std::move(work);
  posted_.notify_all();
}

void SlowWork::run(const std::stop_token& stop) {
  const auto find = [this]() SUBMIX_REQUIRES(mutex_) {
    return std::find_if(waiting_.begin(), waiting_.end(),
                        [](const auto& work) { return work != nullptr; });
  };
  for (;;) {
    Work work;
    {
      const MutexLock lock(mutex_);
      const bool is_posted = posted_.wait(
          mutex_, stop, [&]() SUBMIX_REQUIRES(mutex_) { return find() != waiting_.end(); });
      if (!is_posted || stop.stop_requested()) return;
      work = std::exchange(*find(), nullptr);
    }
    work(stop);
  }
}

}  // namespace submix::agent
