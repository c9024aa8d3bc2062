// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/is_ready.hpp"
#include "controller/ui/shell/window.hpp"

#include <future>
#include <thread>
#include <utility>

namespace submix::ui {

/// A task on a thread of its own, and its result. The window is woken once the result can be taken:
/// std::async() cannot do that, because its task ends before the result is there.
///
/// Threads  Confined (ui). The destructor and an assignment wait for the task.
template <typename Value>
class Background {
 public:
  Background() = default;
  template <typename Task>
  explicit Background(Task task) {
    std::packaged_task<Value()> work(std::move(task));
    result_ = work.get_future();
    thread_ = std::jthread([work = std::move(work)]() mutable {
      work();
      Window::wake();
    });
  }

  /// Whether a task runs, or its result waits to be taken.
  [[nodiscard]] bool is_under_way() const { return result_.valid(); }
  /// Whether the result waits to be taken.
  [[nodiscard]] bool is_ready() const { return submix::is_ready(result_); }
  [[nodiscard]] Value take() { return result_.get(); }

 private:
  std::future<Value> result_;
  std::jthread thread_;
};

}  // namespace submix::ui
