// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/frame_pool.hpp"
#include "node/plugin/plugin.hpp"
#include "tests/chain/contest.hpp"
#include "tests/chain/fixed_picture.hpp"

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace submix::chain {

/// Filters called one after the other with two pictures in turn: the cost of the filters alone. On
/// one thread, or on several threads with their own filters and pictures.
class PlainLoops final : public Contender {
 public:
  using Filters = std::vector<std::unique_ptr<plugin::Plugin>>;

  /// A thread for each element of `filters`.
  PlainLoops(Size size, std::vector<Filters> filters) {
    for (auto& each : filters)
      loops_.emplace_back(size, std::move(each));
  }

  void go_on() override {
    for (auto& loop : loops_)
      threads_.emplace_back([this, &loop](const std::stop_token& stop) {
        for (; !stop.stop_requested(); frames_.fetch_add(1, std::memory_order_relaxed))
          loop.make_frame();
      });
  }
  void rest() override {
    for (auto& thread : threads_)
      thread.request_stop();
    threads_.clear();
  }
  [[nodiscard]] std::uint64_t frames() const override {
    return frames_.load(std::memory_order_relaxed);
  }

 private:
  struct Loop {
    Loop(Size size, Filters all) : filters(std::move(all)), source_pool(size, 1), pool(size, 2) {}

    void make_frame() {
      plugin::Work work;
      work.pool = &source_pool;
      auto picture = source.process(work).value();
      work.pool = &pool;
      for (const auto& filter : filters) {
        work.inputs = {&picture, 1};
        auto next = filter->process(work);
        picture = std::move(*next);
      }
    }

    const Filters filters;
    media::FramePool source_pool;
    media::FramePool pool;
    FixedPicture source;
  };

  std::deque<Loop> loops_;
  std::atomic<std::uint64_t> frames_ = 0;  // relaxed: an independent count
  std::vector<std::jthread> threads_;
};

}  // namespace submix::chain
