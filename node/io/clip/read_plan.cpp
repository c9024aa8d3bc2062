// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/read_plan.hpp"

#include <algorithm>
#include <cstddef>

namespace submix::io {

// Backwards, one picture may cost the decoding of a whole group. So the plan reads many at a time:
// it begins when half of the store is free, and reads until the store is full.
ReadPlan::Choice ReadPlan::choose(const PictureStore& store, const Course& course,
                                  const StretchReader& reader) {
  const auto missing = store.first_missing(course);
  if (!missing) {
    is_filling_ = false;
    return {};
  }
  const auto room = store.room_for(course, missing->frames);
  const auto picture_bytes = store.bytes() / std::max(store.pictures(), std::size_t{1});
  const bool is_due = missing->frames < 1;
  const bool has_room = is_due || room >= picture_bytes;
  const bool may_begin = is_due || course.step_seconds >= 0 || room >= store.bytes_max() / 2;
  is_filling_ = has_room && (is_filling_ || may_begin);
  if (!has_room) return {};

  const bool is_behind = missing->seconds < reader.position_seconds();
  if (is_behind) return is_filling_ ? Choice{Step::seek, missing->seconds} : Choice{};
  if (reader.can_skip_to(missing->seconds)) return {Step::seek, missing->seconds};
  return {Step::read_on};
}

}  // namespace submix::io
