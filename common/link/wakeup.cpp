// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/wakeup.hpp"

#include <sys/eventfd.h>

#include <cstdint>
#include <stdexcept>
#include <utility>

namespace submix::link {
namespace {

int open_event() {
  const int descriptor = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (descriptor < 0) throw std::runtime_error("no free file descriptor for a stream; raise ulimit -n");
  return descriptor;
}

}  // namespace

Wakeup::Wakeup(asio::io_context& io) : event_(io, open_event()) {}

void Wakeup::notify() {
  // acq_rel: what was done before notify() is seen by the look that follows; one write is enough for many.
  if (is_pending_.exchange(true, std::memory_order_acq_rel)) return;
  ::eventfd_write(event_.native_handle(), 1);
}

void Wakeup::start(std::shared_ptr<void> keeper, std::function<void()> look) {
  look_ = std::move(look);
  wait(std::move(keeper));
}

void Wakeup::wait(std::shared_ptr<void> keeper) {
  auto on_event = [this, keeper](const boost::system::error_code& error) {
    if (error || is_stopped_) return;
    eventfd_t ignored = 0;
    ::eventfd_read(event_.native_handle(), &ignored);
    is_pending_.store(false, std::memory_order_release);
    look_();
    if (!is_stopped_) wait(keeper);
  };
  event_.async_wait(asio::posix::stream_descriptor::wait_read, with_memory(memory_, std::move(on_event)));
}

void Wakeup::stop() {
  is_stopped_ = true;  // the descriptor stays open: others may still notify()
  event_.cancel();
}

}  // namespace submix::link
