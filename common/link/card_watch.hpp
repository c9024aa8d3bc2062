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

/// Tells when this machine's cards or their addresses change: what the kernel announces over netlink.
///
/// Threads  open(): before the thread `net` runs; the rest: Confined (net).
/// Cost     A change is told at once; of a storm of them at most one in kCardsPause.
class CardWatch : public std::enable_shared_from_this<CardWatch> {
 public:
  using OnChange = std::function<void(std::vector<NetworkInterface>)>;

  explicit CardWatch(asio::io_context& io);

  /// Announcements from now on count.
  [[nodiscard]] Result<void> open();
  /// Calls `on_change` with all cards whenever they are not what it was told last; `known` is that at first.
  void start(std::vector<NetworkInterface> known, OnChange on_change);
  void close();

 private:
  void wait();
  void drain();
  void look_soon();
  void look();

  asio::posix::stream_descriptor socket_;
  asio::steady_timer timer_;
  std::vector<NetworkInterface> known_;
  OnChange on_change_;
  LocalTime looked_{};
  bool is_look_due_ = false;
  bool is_closed_ = false;
};

}  // namespace submix::link
