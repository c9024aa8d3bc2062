// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/base/result.hpp"
#include "common/link/net_context.hpp"
#include "common/link/operation_memory.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace submix::link {

class Stranger;

/// The door of a node's data plane: one listening socket for each address, all with one port where possible.
///
/// Threads  open() before the thread `net` runs; the rest: Confined (net).
/// Errors   At most kStrangersMax unproven connections; more are closed at once. Without free descriptors it
///          takes and closes what comes instead of spinning on it.
class Listener : public std::enable_shared_from_this<Listener> {
 public:
  explicit Listener(std::shared_ptr<NetContext> context);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] Result<void> open(const std::vector<std::string>& addresses, std::uint16_t port);
  [[nodiscard]] std::vector<DataEndpoint> endpoints() const;
  void start();
  void close();

 private:
  using Acceptor = asio::ip::tcp::acceptor;

  [[nodiscard]] Result<std::vector<Acceptor>> try_open(const std::vector<std::string>& addresses,
                                                       std::uint16_t port);
  [[nodiscard]] Result<Acceptor> open_one(const std::string& address, std::uint16_t port);
  void accept(std::size_t index);
  void on_accepted(asio::ip::tcp::socket socket);
  void on_no_descriptor(std::size_t index);

  const std::shared_ptr<NetContext> context_;
  std::vector<Acceptor> acceptors_;
  asio::steady_timer retry_;
  int spare_descriptor_ = -1;
  std::vector<std::weak_ptr<Stranger>> strangers_;
  bool is_closed_ = false;
};

}  // namespace submix::link
