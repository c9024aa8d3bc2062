// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/frame.hpp"

#include <atomic>

namespace submix::media {

/// One frame that a thread replaces and another looks at; neither waits for the other.
///
/// While it is looked at for the length of a few instructions it is lent; what is stored meanwhile stays.
///
/// Threads  One stores or clears at a time, one looks at a time; the two beside each other.
/// Cost     Two atomic exchanges at most. No lock, no allocation.
class AtomicFrame {
 public:
  AtomicFrame() = default;
  ~AtomicFrame() { store({}); }
  AtomicFrame(const AtomicFrame&) = delete;
  AtomicFrame& operator=(const AtomicFrame&) = delete;

  /// Empty: nothing is kept from here on.
  void store(Frame frame);
  [[nodiscard]] Frame look();

 private:
  std::atomic<detail::PoolSeat*> seat_{
      nullptr};  // owns a reference, but for the one that says "lent"
};

}  // namespace submix::media
