// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/network.hpp"
#include "common/base/result.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace submix::link {

namespace asio = boost::asio;

/// Reports changes of this machine's cards and their addresses, which the kernel announces over
/// netlink.
///
/// Threads  open(): before the thread `net` runs. The rest: Confined (net).
/// Cost     A single change is reported at once; many changes in a row at most once in kCardsPause.
class CardWatch : public std::enable_shared_from_this<CardWatch> {
 public:
  using OnChange = std::function<void(std::vector<NetworkInterface>)>;

  explicit CardWatch(asio::io_context& io);

  /// Announcements count from now on.
  [[nodiscard]] Result<void> open();
  /// Calls `on_change` with all cards whenever they differ from the last report. `known` counts as
  /// the first report.
  void start(std::vector<NetworkInterface> known, OnChange on_change);
  void close();

 private:
  void wait();
  void drain();
  void read_soon();
  void read_cards();

  asio::posix::stream_descriptor socket_;
  asio::steady_timer timer_;
  std::vector<NetworkInterface> known_;
  OnChange on_change_;
  LocalTime read_at_{};
  bool is_read_due_ = false;
  bool is_closed_ = false;
};

}  // namespace submix::link
