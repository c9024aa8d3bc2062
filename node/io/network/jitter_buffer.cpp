// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/network/jitter_buffer.hpp"

#include <utility>

namespace submix::io {

JitterBuffer::Pixels JitterBuffer::take_memory() {
  if (memory_.empty()) return {};
  auto taken = std::move(memory_.back());
  memory_.pop_back();
  return taken;
}

void JitterBuffer::put(Picture picture) {
  ++counts_.received;
  if (waiting_.size() >= pictures_max_) show_next();
  waiting_.push_back(std::move(picture));
}

const JitterBuffer::Picture* JitterBuffer::take(Time now) {
  const auto limit = now + (is_close_ ? kTolerance : std::chrono::milliseconds(0));
  std::size_t due = 0;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    if (waiting_[i].due <= limit) due = i + 1;
  }
  for (; due > 0; --due)
    show_next();
  if (!shown_) return nullptr;
  if (!std::exchange(was_taken_, true)) {
    shown_since_ = now;
    is_close_ = now - shown_->due < kTolerance;
  } else if (now - shown_since_ <= kHeld) {
    ++counts_.repeated;
  }
  return now - shown_since_ <= kHeld ? &*shown_ : nullptr;
}

void JitterBuffer::show_next() {
  if (shown_ && !was_taken_) ++counts_.skipped;
  if (shown_ && memory_.empty()) memory_.push_back(std::move(shown_->rgba));
  shown_ = std::move(waiting_.front());
  waiting_.pop_front();
  was_taken_ = false;
}

}  // namespace submix::io
