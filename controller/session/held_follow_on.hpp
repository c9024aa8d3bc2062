// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <optional>

namespace submix::session {

/// A follow-on that waits while the show is paused. Once the show runs on, it is due as much later
/// as it has waited.
///
/// Threads  Compatible.
class HeldFollowOn {
 public:
  struct Now {
    std::optional<std::chrono::milliseconds> due;  ///< of the follow-on that runs
    bool waits = false;                            ///< with the paused show
    std::chrono::nanoseconds show_time{0};
    /// How long others have the first word when the show runs on.
    std::chrono::milliseconds patience{0};
  };
  struct State {
    bool is_held = false;                                   ///< nothing follows now
    std::optional<std::chrono::milliseconds> new_due = {};  ///< to be written now
  };
  [[nodiscard]] State look(const Now& now);

 private:
  std::optional<std::chrono::milliseconds> due_;
  std::optional<std::chrono::nanoseconds> held_since_;
  std::optional<std::chrono::nanoseconds> released_at_;
};

}  // namespace submix::session
