// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/loop.hpp"

#include <boost/asio/io_context.hpp>

namespace submix::link {

namespace asio = boost::asio;

/// A Loop on Boost.Asio, with the machine's monotonic clock.
class AsioLoop : public Loop {
 public:
  [[nodiscard]] const Clock& clock() const override { return clock_; }
  [[nodiscard]] std::unique_ptr<Timer> make_timer(std::function<void()> on_time) override;
  [[nodiscard]] std::unique_ptr<Wakeup> make_wakeup(std::function<void()> look) override;

  asio::io_context io{1};  // 1: Asio may save locks, because a single thread runs it

 private:
  SteadyClock clock_;
};

}  // namespace submix::link
