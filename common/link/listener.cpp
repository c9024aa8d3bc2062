// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/listener.hpp"

#include "common/link/connection.hpp"
#include "common/link/interfaces.hpp"
#include "common/link/stranger.hpp"
#include "common/link/timing.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <utility>

namespace submix::link {
namespace {

constexpr int kPortAttempts = 16;  // a port that is free on one address may be taken on another

int open_spare() {
  return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

}  // namespace

Listener::Listener(std::shared_ptr<NetContext> context)
    : context_(std::move(context)), retry_(context_->io), spare_descriptor_(open_spare()) {}

Listener::~Listener() {
  if (spare_descriptor_ >= 0) ::close(spare_descriptor_);
}

Result<Listener::Acceptor> Listener::open_one(const std::string& address, std::uint16_t port) {
  boost::system::error_code error;
  const auto ip = asio::ip::make_address(address, error);
  if (error) return fail("data address \"{}\" is not an IP address of this machine", address);
  const tcp::endpoint endpoint(ip, port);
  Acceptor acceptor(context_->io);
  acceptor.open(endpoint.protocol(), error);
  if (!error) {
    set_stream_options(acceptor.native_handle());  // accepted sockets inherit them
    acceptor.set_option(Acceptor::reuse_address(true), error);
    acceptor.bind(endpoint, error);
  }
  if (!error) acceptor.listen(static_cast<int>(kStrangersMax), error);
  if (error == asio::error::address_in_use) {
    return fail("data port {} is in use; give another one with --data-port, or 0 for any", to_text(endpoint));
  }
  if (error == boost::system::errc::address_not_available) {
    return fail("data address {} is not an address of this machine; see --data-address", address);
  }
  if (error) return fail("cannot listen on {}: {}", to_text(endpoint), error.message());
  acceptor.non_blocking(true, error);
  return acceptor;
}

Result<std::vector<Listener::Acceptor>> Listener::try_open(const std::vector<std::string>& addresses,
                                                           std::uint16_t port) {
  std::vector<Acceptor> acceptors;
  for (const auto& address : addresses) {
    auto acceptor = open_one(address, port);
    if (!acceptor) return tl::unexpected(acceptor.error());
    boost::system::error_code ignored;
    if (port == 0) port = acceptor->local_endpoint(ignored).port();
    acceptors.push_back(std::move(*acceptor));
  }
  return acceptors;
}

Result<void> Listener::open(const std::vector<std::string>& addresses, std::uint16_t port) {
  auto acceptors = try_open(addresses, port);
  for (int i = 0; port == 0 && !acceptors && i < kPortAttempts; ++i)
    acceptors = try_open(addresses, port);
  if (!acceptors) return tl::unexpected(acceptors.error());
  acceptors_ = std::move(*acceptors);
  return {};
}

std::vector<DataEndpoint> Listener::endpoints() const {
  const auto interfaces = list_interfaces();
  std::vector<DataEndpoint> endpoints;
  for (const auto& acceptor : acceptors_) {
    boost::system::error_code ignored;
    const auto endpoint = acceptor.local_endpoint(ignored);
    const auto address = endpoint.address().to_string();
    endpoints.push_back({address, prefix_length_of(address, interfaces), endpoint.port()});
  }
  return endpoints;
}

void Listener::start() {
  for (std::size_t i = 0; i < acceptors_.size(); ++i)
    accept(i);
}

void Listener::accept(std::size_t index) {
  acceptors_[index].async_accept(
      [this, self = shared_from_this(), index](const boost::system::error_code& error, tcp::socket socket) {
        if (is_closed_) return;
        if (error == boost::system::errc::too_many_files_open ||
            error == boost::system::errc::too_many_files_open_in_system) {
          return on_no_descriptor(index);
        }
        if (!error) on_accepted(std::move(socket));
        accept(index);
      });
}

void Listener::on_accepted(tcp::socket socket) {
  std::erase_if(strangers_, [](const auto& weak) {
    const auto stranger = weak.lock();
    return !stranger || stranger->is_closed();
  });
  if (strangers_.size() >= kStrangersMax) {
    context_->events.report(
        Severity::warning, "crowd", "data port",
        fmt::format("{} connections have not proven themselves: another one is closed", strangers_.size()),
        SteadyClock().now());
    return;  // closes it
  }
  const auto stranger = std::make_shared<Stranger>(context_, std::move(socket));
  strangers_.push_back(stranger);
  stranger->begin();
}

void Listener::on_no_descriptor(std::size_t index) {
  context_->events.report(Severity::fault, "descriptors", "data port",
                          "no free file descriptor: new connections are closed; raise ulimit -n",
                          SteadyClock().now());
  // The waiting connection would wake us for ever: the spare makes room to take and close it.
  if (spare_descriptor_ >= 0) ::close(spare_descriptor_);
  boost::system::error_code ignored;
  {
    const auto refused = acceptors_[index].accept(ignored);
  }
  spare_descriptor_ = open_spare();
  retry_.expires_after(kTick);
  retry_.async_wait([this, self = shared_from_this(), index](const boost::system::error_code& error) {
    if (!error && !is_closed_) accept(index);
  });
}

void Listener::close() {
  is_closed_ = true;
  boost::system::error_code ignored;
  for (auto& acceptor : acceptors_)
    acceptor.close(ignored);
  retry_.cancel();
  for (const auto& weak : strangers_) {
    if (const auto stranger = weak.lock()) stranger->send_away();
  }
}

}  // namespace submix::link
