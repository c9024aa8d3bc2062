// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/cards/card_watch.hpp"

#include "common/link/cards/interfaces.hpp"
#include "common/link/timing.hpp"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

namespace submix::link {

CardWatch::CardWatch(asio::io_context& io) : socket_(io), timer_(io) {}

Result<void> CardWatch::open() {
  const int socket = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (socket < 0) return fail("no netlink socket: {}", std::strerror(errno));
  sockaddr_nl groups{};
  groups.nl_family = AF_NETLINK;
  groups.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR;
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&groups), sizeof groups) != 0) {
    const int reason = errno;
    ::close(socket);
    return fail("no netlink announcements: {}", std::strerror(reason));
  }
  socket_.assign(socket);
  return {};
}

void CardWatch::start(std::vector<NetworkInterface> known, OnChange on_change) {
  if (is_closed_ || !socket_.is_open()) return;
  known_ = std::move(known);
  on_change_ = std::move(on_change);
  read_cards();  // for changes before the first wait
  wait();
}

void CardWatch::close() {
  is_closed_ = true;
  boost::system::error_code ignored;
  socket_.close(ignored);
  timer_.cancel();
  on_change_ = {};
}

void CardWatch::wait() {
  socket_.async_wait(asio::posix::stream_descriptor::wait_read,
                     [this, self = shared_from_this()](const boost::system::error_code& error) {
                       if (error || is_closed_) return;
                       drain();
                       read_soon();
                       wait();
                     });
}

// The content of announcements is ignored. Some may be lost in a storm, and the cards can be read
// directly.
void CardWatch::drain() {
  std::array<char, std::size_t{16} * 1024> ignored{};
  constexpr int kMessagesMax = 256;  // then other handlers have their turn
  for (int i = 0; i < kMessagesMax; ++i) {
    const auto bytes =
        ::recv(socket_.native_handle(), ignored.data(), ignored.size(), MSG_DONTWAIT);
    if (bytes < 0 && errno != ENOBUFS && errno != EINTR) return;
  }
}

void CardWatch::read_soon() {
  if (is_read_due_) return;
  const auto earliest = read_at_ + kCardsPause;
  if (SteadyClock().now() >= earliest) return read_cards();
  is_read_due_ = true;
  timer_.expires_at(earliest);
  timer_.async_wait([this, self = shared_from_this()](const boost::system::error_code& error) {
    is_read_due_ = false;
    if (!error && !is_closed_) read_cards();
  });
}

void CardWatch::read_cards() {
  read_at_ = SteadyClock().now();
  auto cards = list_interfaces();
  if (cards == known_ || cards.empty()) return;  // empty: the kernel did not answer
  known_ = cards;
  if (const auto tell = on_change_) tell(std::move(cards));
}

}  // namespace submix::link
