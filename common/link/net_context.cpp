// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/net_context.hpp"

#include "common/link/receiver_core.hpp"

#include <algorithm>

namespace submix::link {

// A stream that changes its format has two receivers: the old one's frames are shown until the new
// one's first frame comes.
bool NetContext::add_receiver(const std::shared_ptr<ReceiverCore>& core) {
  MutexLock lock(mutex_);
  const auto& wanted = core->options();
  const bool is_there = std::any_of(receivers_.begin(), receivers_.end(), [&](const auto& other) {
    const auto& options = other->options();
    return options.stream == wanted.stream && options.size == wanted.size &&
           options.rate == wanted.rate;
  });
  if (!is_there) receivers_.push_back(core);
  return !is_there;
}

void NetContext::remove_receiver(const ReceiverCore& core) {
  MutexLock lock(mutex_);
  std::erase_if(receivers_, [&](const auto& other) { return other.get() == &core; });
}

std::shared_ptr<ReceiverCore> NetContext::find_receiver(const wire::Hello& hello) {
  MutexLock lock(mutex_);
  std::shared_ptr<ReceiverCore> newest;
  for (const auto& core : receivers_) {
    const auto& options = core->options();
    if (options.stream != hello.stream) continue;
    if (options.size == hello.size && options.rate == hello.rate) return core;
    newest = core;
  }
  return newest;
}

}  // namespace submix::link
