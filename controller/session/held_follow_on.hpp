// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <optional>

namespace submix::session {

/// Holds a follow-on while the show is paused. When the show resumes, the follow-on is due later by
/// the length of the pause.
///
/// Threads  Compatible.
class HeldFollowOn {
 public:
  struct Now {
    std::optional<std::chrono::milliseconds> due;  ///< of the follow-on that runs
    bool waits = false;                            ///< with the paused show
    std::chrono::nanoseconds show_time{0};
    /// After the show has resumed, other controllers may write the new time first, for this long.
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
