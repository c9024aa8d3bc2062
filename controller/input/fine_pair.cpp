// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/fine_pair.hpp"

#include <utility>

namespace submix::input {

std::optional<int> FinePair::complete() {
  waiting_ = Half::none;
  return (coarse_ << 7) | fine_;
}

void FinePair::note(LocalTime now) {
  is_known_ = true;
  last_ = now;
}

std::optional<int> FinePair::coarse(int value, LocalTime now) {
  if (begins(now)) {
    is_fine_first_ = false;
    has_begun_with_fine_ = false;
  } else if (has_begun_with_fine_) {
    is_fine_first_ = true;
    has_begun_with_fine_ = false;
  }
  note(now);
  coarse_ = value;
  has_coarse_ = true;
  if (is_fine_first_) return complete();
  fine_ = 0;
  if (!has_fine_) return complete();
  // Two coarse halves without a fine half in between: the device now sends coarse halves alone.
  if (std::exchange(waiting_, Half::coarse) == Half::coarse) return complete();
  return std::nullopt;
}

std::optional<int> FinePair::fine(int value, LocalTime now) {
  if (begins(now)) has_begun_with_fine_ = true;
  note(now);
  fine_ = value;
  has_fine_ = true;
  if (!has_coarse_) return std::nullopt;  // the coarse half is unknown
  if (!is_fine_first_) return complete();
  // Two fine halves without a coarse half in between: the last coarse half still holds, and nothing
  // waits for another.
  if (std::exchange(waiting_, Half::fine) == Half::fine) {
    is_fine_first_ = false;
    return complete();
  }
  return std::nullopt;
}

std::optional<int> FinePair::due(LocalTime now) {
  if (waiting_ == Half::none || now - last_ < kPairTime) return std::nullopt;
  return complete();
}

}  // namespace submix::input
