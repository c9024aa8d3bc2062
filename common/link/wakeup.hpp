// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/operation_memory.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <atomic>
#include <functional>
#include <memory>

namespace submix::link {

namespace asio = boost::asio;

/// Makes the thread `net` look, from any thread, without allocating (asio::post() from another thread does).
///
/// Threads  notify(): Synchronized. The rest: Confined (net).
class Wakeup {
 public:
  explicit Wakeup(asio::io_context& io);

  void notify();
  /// Calls `look` on `net` after each notify(); several in a row may become one. `keeper` keeps this alive.
  void start(std::shared_ptr<void> keeper, std::function<void()> look);
  void stop();

 private:
  void wait(std::shared_ptr<void> keeper);

  asio::posix::stream_descriptor event_;
  std::atomic<bool> is_pending_{false};
  bool is_stopped_ = false;
  std::function<void()> look_;
  OperationMemory memory_;
};

}  // namespace submix::link
