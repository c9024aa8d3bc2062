// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/asio_loop.hpp"

#include "common/link/operation_memory.hpp"

#include <sys/eventfd.h>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace submix::link {
namespace {

class AsioTimer final : public Timer {
 public:
  AsioTimer(asio::io_context& io, std::function<void()> on_time)
      : timer_(io), on_time_(std::move(on_time)) {}

  void set(std::chrono::nanoseconds pause, std::shared_ptr<void> keeper) override {
    timer_.cancel();
    auto on_event = [this, round = ++round_,
                     keeper = std::move(keeper)](boost::system::error_code = {}) {
      if (round == round_) on_time_();
    };
    if (pause <= std::chrono::nanoseconds::zero()) {
      return asio::post(timer_.get_executor(), with_memory(memory_, std::move(on_event)));
    }
    timer_.expires_after(pause);
    timer_.async_wait(with_memory(memory_, std::move(on_event)));
  }
  void cancel() override {
    ++round_;
    timer_.cancel();
  }

 private:
  asio::steady_timer timer_;
  const std::function<void()> on_time_;
  std::uint64_t round_ = 0;  // distinguishes this set() from earlier ones
  OperationMemory memory_;
};

int open_event() {
  const int descriptor = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (descriptor < 0)
    throw std::runtime_error("no free file descriptor for a stream; raise ulimit -n");
  return descriptor;
}

// Uses an eventfd, because asio::post() from another thread allocates.
class EventWakeup final : public Wakeup {
 public:
  EventWakeup(asio::io_context& io, std::function<void()> look)
      : event_(io, open_event()), look_(std::move(look)) {}

  void notify() override {
    // acq_rel: the function sees all writes made before notify(). One write serves several notify()
    // calls.
    if (is_pending_.exchange(true, std::memory_order_acq_rel)) return;
    ::eventfd_write(event_.native_handle(), 1);
  }
  void start(std::shared_ptr<void> keeper) override {
    auto on_event = [this, keeper = std::move(keeper)](const boost::system::error_code& error) {
      if (error || is_stopped_) return;
      eventfd_t ignored = 0;
      ::eventfd_read(event_.native_handle(), &ignored);
      is_pending_.store(false, std::memory_order_release);
      look_();
      if (!is_stopped_) start(keeper);
    };
    event_.async_wait(asio::posix::stream_descriptor::wait_read,
                      with_memory(memory_, std::move(on_event)));
  }
  void stop() override {
    is_stopped_ = true;  // the descriptor stays open, because other threads may still call notify()
    event_.cancel();
  }

 private:
  asio::posix::stream_descriptor event_;
  const std::function<void()> look_;
  std::atomic<bool> is_pending_{false};
  bool is_stopped_ = false;
  OperationMemory memory_;
};

}  // namespace

std::unique_ptr<Timer> AsioLoop::make_timer(std::function<void()> on_time) {
  return std::make_unique<AsioTimer>(io, std::move(on_time));
}

std::unique_ptr<Wakeup> AsioLoop::make_wakeup(std::function<void()> look) {
  return std::make_unique<EventWakeup>(io, std::move(look));
}

}  // namespace submix::link
