// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"

#include <cstdint>
#include <optional>
#include <stop_token>

namespace submix::engine {

/// The pause and single-step state, shared by all patches of a node. A pause may last for hours.
///
/// Threads  Synchronized.
class Transport {
 public:
  struct State {
    bool is_paused = false;
    std::uint64_t pauses = 0;  ///< pauses so far; distinguishes a pause from the next
    std::uint64_t steps = 0;   ///< steps requested within this pause

    friend bool operator==(const State&, const State&) = default;
  };

  void pause() SUBMIX_EXCLUDES(mutex_);
  void resume() SUBMIX_EXCLUDES(mutex_);
  /// Lets exactly a single frame through every paced terminal slot. No effect unless paused.
  void step() SUBMIX_EXCLUDES(mutex_);
  /// Follows the cluster's transport key. `steps_total` counts all steps ever requested; only its
  /// growth from a paused state to the next paused state causes steps.
  void follow(bool is_paused, std::uint64_t steps_total) SUBMIX_EXCLUDES(mutex_);

  [[nodiscard]] State state() const SUBMIX_EXCLUDES(mutex_);
  /// Waits until the state differs from `seen`, `deadline` comes (empty: never) or a stop is
  /// requested.
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
