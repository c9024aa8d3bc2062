// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"

#include <cstdint>
#include <optional>
#include <stop_token>

namespace submix::engine {

/// Pause and single step, as a state that all patches of a node share. It may last for hours.
///
/// Threads  Synchronized.
class Transport {
 public:
  struct State {
    bool is_paused = false;
    std::uint64_t pauses = 0;  ///< so far; tells one pause from the next
    std::uint64_t steps = 0;   ///< asked for within this pause

    friend bool operator==(const State&, const State&) = default;
  };

  void pause() SUBMIX_EXCLUDES(mutex_);
  void resume() SUBMIX_EXCLUDES(mutex_);
  /// Lets exactly one frame through every paced terminal slot. Nothing happens unless paused.
  void step() SUBMIX_EXCLUDES(mutex_);
  /// Does what the cluster's transport key says: `steps_total` grows by one for each step ever asked for;
  /// only growth from one paused state to the next paused state counts.
  void follow(bool is_paused, std::uint64_t steps_total) SUBMIX_EXCLUDES(mutex_);

  [[nodiscard]] State state() const SUBMIX_EXCLUDES(mutex_);
  /// Waits until the state differs from `seen`, `deadline` comes (none: never) or a stop is asked for.
  void wait(const State& seen, std::optional<LocalTime> deadline, const std::stop_token& stop) const
      SUBMIX_EXCLUDES(mutex_);

 private:
  void enter(bool is_paused) SUBMIX_REQUIRES(mutex_);

  mutable Mutex mutex_;
  mutable Condition changed_;
  State state_ SUBMIX_GUARDED_BY(mutex_);
  std::uint64_t steps_followed_ SUBMIX_GUARDED_BY(mutex_) = 0;
};

}  // namespace submix::engine
