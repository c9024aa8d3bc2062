// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/held_follow_on.hpp"

namespace submix::session {

// A new due time is a new follow-on, or another controller has moved it already.
HeldFollowOn::State HeldFollowOn::look(const Now& now) {
  if (now.due != due_) {
    due_ = now.due;
    held_since_.reset();
    released_at_.reset();
  }
  if (!due_) return {};
  if (now.waits) {
    if (!held_since_) held_since_ = now.show_time;
    released_at_.reset();
    return {.is_held = true};
  }
  if (!held_since_) return {};
  if (!released_at_) released_at_ = now.show_time;
  if (now.show_time - *released_at_ < now.patience) return {.is_held = true};

  const auto held = std::chrono::floor<std::chrono::milliseconds>(*released_at_ - *held_since_);
  held_since_.reset();
  return {.is_held = true, .new_due = *due_ + held};
}

}  // namespace submix::session
