// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/base/result.hpp"
#include "common/link/net_context.hpp"
#include "common/link/operation_memory.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace submix::link {

class PendingConnection;

/// The listening TCP sockets of a node's data plane: one for each address, all with the same port
/// where possible.
///
/// Threads  open() and endpoints() before the thread `net` runs; the rest: Confined (net).
/// Errors   At most kPendingMax pending connections: a further one takes the place of an older
///          one. Without a free descriptor each new connection is accepted and closed; one event
///          says so until a connection is taken in and another descriptor is still free.
class Listener : public std::enable_shared_from_this<Listener> {
 public:
  explicit Listener(std::shared_ptr<NetContext> context);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] Result<void> open(const std::vector<std::string>& addresses, std::uint16_t port);
  void start();
  /// Closes the sockets of addresses that are not listed, and opens the missing ones. False: a
  /// socket could not be opened, and an event says why.
  [[nodiscard]] bool follow(const std::vector<std::string>& addresses);
  [[nodiscard]] std::vector<DataEndpoint> endpoints(std::span<const NetworkInterface> cards) const;
  void close();

 private:
  using Acceptor = asio::ip::tcp::acceptor;

  struct ListeningSocket {
    std::string address;
    Acceptor acceptor;
    asio::steady_timer retry;
  };
  /// A connection during its handshake.
  struct Pending {
    std::weak_ptr<PendingConnection> connection;
    asio::ip::address address;  // the peer's address
  };
  using ListeningSockets =
      std::vector<std::shared_ptr<ListeningSocket>>;  // shared with the pending accept operations

  [[nodiscard]] Result<ListeningSockets> open_all(const std::vector<std::string>& addresses,
                                                  std::uint16_t port);
  [[nodiscard]] Result<std::shared_ptr<ListeningSocket>> open_socket(const std::string& address,
                                                                     std::uint16_t port);
  [[nodiscard]] bool add_socket(const std::string& address);
  void accept(const std::shared_ptr<ListeningSocket>& listening);
  void on_accepted(asio::ip::tcp::socket socket);
  void make_room();
  void on_no_descriptor(const std::shared_ptr<ListeningSocket>& listening);
  void accept_later(const std::shared_ptr<ListeningSocket>& listening);

  const std::shared_ptr<NetContext> context_;
  ListeningSockets sockets_;
  std::uint16_t wanted_port_ = 0;
  std::uint16_t port_ = 0;
  int spare_descriptor_ = -1;
  bool is_out_of_descriptors_ = false;
  std::vector<Pending> pending_;  // oldest first
  bool is_closed_ = false;
};

}  // namespace submix::link
