// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/bounded_queue.hpp"
#include "common/media/frame_pool.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::engine {

using FrameQueue = BoundedQueue<media::Frame>;

/// Where a stage's frames come from and go to, for as long as the patch has this shape. A queue has one
/// producer and one consumer; the producer closes it with the last frame that it gives there. Immutable.
struct Wiring {
  struct Input {
    std::string from;  ///< the slot that fills it
    std::shared_ptr<FrameQueue> queue;
  };
  std::vector<Input> inputs;
  std::vector<std::shared_ptr<FrameQueue>> readers;  ///< each gets every frame
  std::shared_ptr<media::FramePool> pool;            ///< null where the output is always the input
  std::optional<std::size_t> terminal;               ///< its number among the terminal slots
};

}  // namespace submix::engine
