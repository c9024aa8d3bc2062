// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/base/result.hpp"
#include "common/link/net_context.hpp"

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <string>
#include <vector>

namespace submix::link {

class Stranger;

/// The door of a node's data plane for the other nodes of its machine: an abstract Unix socket of random
/// name.
///
/// Threads  open() and door() before the thread `net` runs; the rest: Confined (net).
/// Errors   Processes of other users are closed at once, as is whoever comes while kStrangersMax are
/// unproven.
class LocalListener : public std::enable_shared_from_this<LocalListener> {
 public:
  explicit LocalListener(std::shared_ptr<NetContext> context);

  [[nodiscard]] Result<void> open();
  /// Empty machine: it is not open.
  [[nodiscard]] const LocalEndpoint& door() const { return door_; }
  void start();
  void close();

 private:
  using Protocol = asio::local::stream_protocol;

  void accept();
  void accept_later();
  void on_accepted(Protocol::socket socket);

  const std::shared_ptr<NetContext> context_;
  LocalEndpoint door_;
  Protocol::acceptor acceptor_;
  asio::steady_timer retry_;
  std::vector<std::weak_ptr<Stranger>> strangers_;
  bool is_closed_ = false;
};

}  // namespace submix::link
