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

class PendingConnection;

/// The listening socket of a node for other nodes of the same machine: an abstract Unix socket with
/// a random name.
///
/// Threads  open() and endpoint() before the thread `net` runs; the rest: Confined (net).
/// Errors   Connections of other users are closed at once, and so are new ones while kPendingMax
///          are pending.
class LocalListener : public std::enable_shared_from_this<LocalListener> {
 public:
  explicit LocalListener(std::shared_ptr<NetContext> context);

  [[nodiscard]] Result<void> open();
  /// Its machine is empty when the socket is not open.
  [[nodiscard]] const LocalEndpoint& endpoint() const { return endpoint_; }
  void start();
  void close();

 private:
  using Protocol = asio::local::stream_protocol;

  void accept();
  void accept_later();
  void on_accepted(Protocol::socket socket);

  const std::shared_ptr<NetContext> context_;
  LocalEndpoint endpoint_;
  Protocol::acceptor acceptor_;
  asio::steady_timer retry_;
  std::vector<std::weak_ptr<PendingConnection>> pending_;
  bool is_closed_ = false;
};

}  // namespace submix::link
