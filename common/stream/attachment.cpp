// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/attachment.hpp"

namespace submix::stream {

bool Attachment::take() {
  waited_for_since_.reset();
  if (is_attached_ || ++taken_in_row_ < frames_to_return_) return false;
  is_attached_ = true;
  return true;
}

void Attachment::attach() {
  *this = Attachment(frames_to_return_);
}

bool Attachment::delay(bool do_others_wait, LocalTime now, std::chrono::nanoseconds pause_budget) {
  if (!do_others_wait) {
    waited_for_since_.reset();
    return false;
  }
  if (!waited_for_since_) waited_for_since_ = now;
  if (now - *waited_for_since_ < pause_budget) return false;
  waited_for_since_.reset();
  is_attached_ = false;
  taken_in_row_ = 0;
  return true;
}

}  // namespace submix::stream
