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

class Stranger;

/// The doors of a node's data plane: one listening socket for each address, all with one port where possible.
///
/// Threads  open() before the thread `net` runs, endpoints() also; the rest: Confined (net).
/// Errors   At most kStrangersMax unproven connections: a further one takes an older one's place. Without
/// free descriptors it
///          takes and closes what comes instead of spinning on it, and says so once until one is free.
class Listener : public std::enable_shared_from_this<Listener> {
 public:
  explicit Listener(std::shared_ptr<NetContext> context);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] Result<void> open(const std::vector<std::string>& addresses, std::uint16_t port);
  void start();
  /// Closes the doors of addresses that are not among these, and opens those that are missing. False: one
  /// could not be opened; the event says why.
  [[nodiscard]] bool follow(const std::vector<std::string>& addresses);
  [[nodiscard]] std::vector<DataEndpoint> endpoints(std::span<const NetworkInterface> cards) const;
  void close();

 private:
  using Acceptor = asio::ip::tcp::acceptor;

  struct Door {
    std::string address;
    Acceptor acceptor;
    asio::steady_timer retry;
  };
  /// A connection that has not proven itself.
  struct Guest {
    std::weak_ptr<Stranger> stranger;
    asio::ip::address address;  // where it comes from
  };
  using Doors = std::vector<std::shared_ptr<Door>>;  // shared with the handlers that wait at them

  [[nodiscard]] Result<Doors> try_open(const std::vector<std::string>& addresses,
                                       std::uint16_t port);
  [[nodiscard]] Result<std::shared_ptr<Door>> open_one(const std::string& address,
                                                       std::uint16_t port);
  [[nodiscard]] bool add_door(const std::string& address);
  void accept(const std::shared_ptr<Door>& door);
  void on_accepted(asio::ip::tcp::socket socket);
  void make_room();
  void on_no_descriptor(const std::shared_ptr<Door>& door);
  void accept_later(const std::shared_ptr<Door>& door);

  const std::shared_ptr<NetContext> context_;
  Doors doors_;
  std::uint16_t wished_port_ = 0;
  std::uint16_t port_ = 0;
  int spare_descriptor_ = -1;
  bool is_out_of_descriptors_ = false;
  std::vector<Guest> strangers_;  // the oldest first
  bool is_closed_ = false;
};

}  // namespace submix::link
