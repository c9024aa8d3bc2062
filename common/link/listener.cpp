// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/listener.hpp"

#include "common/base/descriptor.hpp"
#include "common/link/cards/card_checks.hpp"
#include "common/link/cards/interfaces.hpp"
#include "common/link/connection.hpp"
#include "common/link/pending_connection.hpp"
#include "common/link/timing.hpp"
#include "common/wire/message.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace submix::link {
namespace {

constexpr int kPortAttempts = 16;  // a port that is free on one address may be taken on another

int open_spare() {
  return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

// Without another free descriptor, the next connection would report the same shortage again.
bool is_one_more_free() {
  return static_cast<bool>(Descriptor(open_spare()));
}

}  // namespace

Listener::Listener(std::shared_ptr<NetContext> context)
    : context_(std::move(context)), spare_descriptor_(open_spare()) {}

Listener::~Listener() {
  if (spare_descriptor_ >= 0) ::close(spare_descriptor_);
}

Result<std::shared_ptr<Listener::ListeningSocket>> Listener::open_socket(const std::string& address,
                                                                         std::uint16_t port) {
  boost::system::error_code error;
  const auto ip = asio::ip::make_address(address, error);
  if (error) return fail("data address \"{}\" is not an IP address of this machine", address);
  const tcp::endpoint endpoint(ip, port);
  Acceptor acceptor(context_->io);
  acceptor.open(endpoint.protocol(), error);
  if (!error) {
    set_stream_options(acceptor.native_handle());               // accepted sockets inherit them
    acceptor.set_option(Acceptor::reuse_address(true), error);  // a node may start again at once
    acceptor.bind(endpoint, error);
  }
  if (!error) acceptor.listen(kBacklog, error);
  if (error == asio::error::address_in_use) {
    return fail("data port {} is in use; give another one with --data-port, or 0 for any",
                to_text(endpoint));
  }
  if (error == boost::system::errc::address_not_available) {
    return fail("data address {} is not an address of this machine; see --data-address", address);
  }
  if (error) return fail("cannot listen on {}: {}", to_text(endpoint), error.message());
  acceptor.non_blocking(true, error);
  return std::make_shared<ListeningSocket>(
      ListeningSocket{address, std::move(acceptor), asio::steady_timer(context_->io)});
}

Result<Listener::ListeningSockets> Listener::open_all(const std::vector<std::string>& addresses,
                                                      std::uint16_t port) {
  ListeningSockets sockets;
  for (const auto& address : addresses) {
    auto listening = open_socket(address, port);
    SUBMIX_TRY(listening);
    boost::system::error_code ignored;
    if (port == 0) port = (*listening)->acceptor.local_endpoint(ignored).port();
    sockets.push_back(std::move(*listening));
  }
  return sockets;
}

Result<void> Listener::open(const std::vector<std::string>& addresses, std::uint16_t port) {
  auto sockets = open_all(addresses, port);
  for (int i = 0; port == 0 && !sockets && i < kPortAttempts; ++i)
    sockets = open_all(addresses, port);
  SUBMIX_TRY(sockets);
  sockets_ = std::move(*sockets);
  boost::system::error_code ignored;
  wanted_port_ = port;
  port_ = sockets_.front()->acceptor.local_endpoint(ignored).port();
  return {};
}

bool Listener::follow(const std::vector<std::string>& addresses) {
  if (is_closed_) return true;
  std::erase_if(sockets_, [&](const auto& listening) {
    if (std::find(addresses.begin(), addresses.end(), listening->address) != addresses.end())
      return false;
    boost::system::error_code ignored;
    listening->acceptor.close(ignored);
    return true;
  });
  bool is_complete = true;
  for (const auto& address : addresses) {
    const bool is_open = std::any_of(sockets_.begin(), sockets_.end(), [&](const auto& listening) {
      return listening->address == address;
    });
    if (!is_open) is_complete = add_socket(address) && is_complete;
  }
  return is_complete;
}

bool Listener::add_socket(const std::string& address) {
  auto listening = open_socket(address, port_);
  if (!listening && wanted_port_ == 0) listening = open_socket(address, 0);
  if (!listening) {
    context_->events.report(Severity::warning, "listening", "data port",
                            listening.error().message + "; trying again");
    return false;
  }
  sockets_.push_back(*listening);
  accept(*listening);
  return true;
}

std::vector<DataEndpoint> Listener::endpoints(std::span<const NetworkInterface> cards) const {
  std::vector<DataEndpoint> endpoints;
  for (const auto& listening : sockets_) {
    boost::system::error_code ignored;
    const auto endpoint = listening->acceptor.local_endpoint(ignored);
    const auto address = endpoint.address().to_string();
    const auto* card = find_address(address, cards);
    endpoints.push_back({.address = address,
                         .prefix_length = prefix_length_of(address, cards),
                         .port = endpoint.port(),
                         .mtu_bytes = card == nullptr ? 0 : card->mtu_bytes,
                         .is_up = is_usable(address, cards)});
  }
  return endpoints;
}

void Listener::start() {
  for (const auto& listening : sockets_)
    accept(listening);
}

void Listener::accept(const std::shared_ptr<ListeningSocket>& listening) {
  listening->acceptor.async_accept([this, self = shared_from_this(), listening](
                                       const boost::system::error_code& error, tcp::socket socket) {
    if (is_closed_ || !listening->acceptor.is_open()) return;
    if (error == boost::system::errc::too_many_files_open ||
        error == boost::system::errc::too_many_files_open_in_system) {
      return on_no_descriptor(listening);
    }
    // e.g. no memory; the pending connection would wake us at once again
    if (error) return accept_later(listening);
    // Another thread may have taken the descriptor before the spare was opened again.
    if (spare_descriptor_ < 0) spare_descriptor_ = open_spare();
    if (is_out_of_descriptors_ && spare_descriptor_ >= 0 && is_one_more_free())
      is_out_of_descriptors_ = false;
    on_accepted(std::move(socket));
    accept(listening);
  });
}

void Listener::on_accepted(tcp::socket socket) {
  std::erase_if(pending_, [](const Pending& pending) {
    const auto connection = pending.connection.lock();
    return !connection || connection->is_closed();
  });
  if (pending_.size() >= kPendingMax) make_room();
  boost::system::error_code ignored;
  const auto address = socket.remote_endpoint(ignored).address();
  const auto connection = std::make_shared<PendingConnection>(context_, std::move(socket));
  pending_.push_back({connection, address});
  connection->begin();
}

// Chooses a connection without a Hello: the oldest one of the address that has the most of them,
// not counting the links of one stream. A flood from one address displaces itself; a flood from
// many addresses displaces its own oldest connections. A real sender is at risk only while its
// Hello is under way.
void Listener::make_room() {
  const auto is_silent = [](const Pending& pending) {
    const auto connection = pending.connection.lock();
    return connection && !connection->has_greeted();
  };
  std::map<asio::ip::address, std::size_t> silent;
  for (const auto& pending : pending_) {
    if (is_silent(pending)) ++silent[pending.address];
  }
  auto chosen = pending_.begin();  // if all have said hello: the oldest
  std::optional<std::size_t> greatest;
  for (auto pending = pending_.begin(); pending != pending_.end(); ++pending) {
    if (!is_silent(*pending)) continue;
    const auto rank = std::max(silent[pending->address], wire::kLinksMax) - wire::kLinksMax;
    if (greatest && rank <= *greatest) continue;
    greatest = rank;
    chosen = pending;
  }
  context_->events.report(Severity::warning, "crowd", "data port",
                          fmt::format("{} connections have not proven themselves: the oldest, from "
                                      "{}, gives way to another one",
                                      pending_.size(), chosen->address.to_string()));
  if (const auto connection = chosen->connection.lock()) connection->close_quietly();
  pending_.erase(chosen);
}

void Listener::on_no_descriptor(const std::shared_ptr<ListeningSocket>& listening) {
  if (!std::exchange(is_out_of_descriptors_, true)) {
    context_->events.report(Severity::fault, "descriptors", "data port",
                            "no free file descriptor: new connections are closed; raise ulimit -n");
  }
  // The pending connection would wake us for ever. Closing the spare makes it possible to accept
  // and close the connection.
  if (spare_descriptor_ >= 0) ::close(spare_descriptor_);
  boost::system::error_code ignored;
  {
    const auto refused = listening->acceptor.accept(ignored);
  }
  spare_descriptor_ = open_spare();
  accept_later(listening);
}

void Listener::accept_later(const std::shared_ptr<ListeningSocket>& listening) {
  listening->retry.expires_after(kTick);
  listening->retry.async_wait(
      [this, self = shared_from_this(), listening](const boost::system::error_code& error) {
        if (!error && !is_closed_ && listening->acceptor.is_open()) accept(listening);
      });
}

void Listener::close() {
  is_closed_ = true;
  boost::system::error_code ignored;
  for (const auto& listening : sockets_) {
    listening->acceptor.close(ignored);
    listening->retry.cancel();
  }
  for (const auto& pending : pending_) {
    if (const auto connection = pending.connection.lock()) connection->close_quietly();
  }
}

}  // namespace submix::link
