// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/bounded_queue.hpp"
#include "common/media/frame_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace submix::engine {

using FrameQueue = BoundedQueue<media::Frame>;

/// The queues and the pool of a stage, fixed for as long as the patch keeps its shape. A queue has
/// a single producer and a single consumer; the producer closes it after its last frame. Immutable.
struct Wiring {
  struct Input {
    std::string from;  ///< the slot that fills the queue
    std::shared_ptr<FrameQueue> queue;
    std::size_t delay = 0;  ///< in frames: the queue began with as many black frames
  };
  /// Identifies an input when its queue is replaced: the producing slot, the delay, and the index
  /// among inputs with the same two.
  using Edge = std::tuple<std::string, std::size_t, std::size_t>;
  [[nodiscard]] Edge edge(std::size_t input) const {
    const auto is_alike = [&](const Input& other) {
      return other.from == inputs[input].from && other.delay == inputs[input].delay;
    };
    const auto end = inputs.begin() + static_cast<std::ptrdiff_t>(input);
    return {inputs[input].from, inputs[input].delay,
            static_cast<std::size_t>(std::count_if(inputs.begin(), end, is_alike))};
  }

  std::vector<Input> inputs;
  std::vector<std::shared_ptr<FrameQueue>> readers;  ///< each gets every frame
  std::shared_ptr<media::FramePool> pool;            ///< null where the output is always the input
  std::optional<std::size_t> terminal;               ///< its number among the terminal slots
  bool keeps_time = false;  ///< a terminal slot only: waits for the show's time
};

}  // namespace submix::engine
