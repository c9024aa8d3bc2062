// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/frame.hpp"

#include <atomic>

namespace submix::media {

/// A frame that a thread replaces while another thread looks at it; neither waits for the other.
///
/// During a look, a few instructions long, the frame is lent; a frame stored meanwhile stays.
///
/// Threads  A single storing or clearing thread, and a single looking thread beside it.
/// Cost     Two atomic exchanges at most. No lock, no allocation.
class AtomicFrame {
 public:
  AtomicFrame() = default;
  ~AtomicFrame() { store({}); }
  AtomicFrame(const AtomicFrame&) = delete;
  AtomicFrame& operator=(const AtomicFrame&) = delete;

  /// An empty frame clears it.
  void store(Frame frame);
  [[nodiscard]] Frame look();

 private:
  std::atomic<detail::PoolSeat*> seat_{// owns a reference, unless it is the mark "lent"
                                       nullptr};
};

}  // namespace submix::media
