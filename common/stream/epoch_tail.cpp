// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/epoch_tail.hpp"

#include "common/base/assert.hpp"

#include <algorithm>
#include <utility>

namespace submix::stream {

void EpochTail::add(media::Frame frame) {
  newest_first_.insert(newest_first_.begin(), std::move(frame));
}

media::Frame EpochTail::take_oldest() {
  SUBMIX_ASSERT(!is_empty());
  auto frame = std::move(newest_first_.back());
  newest_first_.pop_back();
  return frame;
}

std::size_t EpochTail::foreign_frames() const {
  const auto is_foreign = [](const media::Frame& frame) { return frame && frame.is_borrowed(); };
  return static_cast<std::size_t>(std::ranges::count_if(newest_first_, is_foreign));
}

}  // namespace submix::stream
