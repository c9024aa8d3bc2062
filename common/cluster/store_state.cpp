// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/store_state.hpp"

#include "common/base/clock.hpp"
#include "common/base/log.hpp"

namespace submix::cluster {

void StoreState::note_answer(std::string_view bucket) {
  MutexLock lock(mutex_);
  const auto found = silent_buckets_.find(bucket);
  if (found == silent_buckets_.end()) return;
  silent_buckets_.erase(found);
  if (silent_buckets_.empty()) log::info("NATS: its store answers again");
}

void StoreState::note_silence(std::string_view bucket, const std::string& text) {
  const auto said = limiter_.admit("store", text, SteadyClock().now());
  if (said) log::warning("{}", *said);
  MutexLock lock(mutex_);
  silent_buckets_.emplace(bucket);
}

bool StoreState::is_silent() const {
  MutexLock lock(mutex_);
  return !silent_buckets_.empty();
}

}  // namespace submix::cluster
