// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/local/local_listener.hpp"

#include "common/link/local/local_socket.hpp"
#include "common/link/pending_connection.hpp"
#include "common/link/timing.hpp"

#include <fmt/format.h>

#include <utility>

namespace submix::link {

LocalListener::LocalListener(std::shared_ptr<NetContext> context)
    : context_(std::move(context)), acceptor_(context_->io), retry_(context_->io) {}

Result<void> LocalListener::open() {
  if (context_->machine.empty())
    return fail(
        "the boot id (/proc/sys/kernel/random/boot_id) or the network namespace "
        "(/proc/self/ns/net) cannot be read");
  auto name = random_socket_name();
  boost::system::error_code error;
  acceptor_.open(Protocol(), error);
  if (!error) acceptor_.bind(abstract_endpoint(name), error);
  if (!error) acceptor_.listen(static_cast<int>(kPendingMax), error);
  if (!error) acceptor_.non_blocking(true, error);
  if (error) return fail("cannot listen on a Unix socket: {}", error.message());
  endpoint_ = {context_->machine, std::move(name)};
  return {};
}

void LocalListener::start() {
  if (acceptor_.is_open()) accept();
}

void LocalListener::accept() {
  acceptor_.async_accept([this, self = shared_from_this()](const boost::system::error_code& error,
                                                           Protocol::socket socket) {
    if (is_closed_) return;
    // e.g. no free descriptor; the pending connection is not lost
    if (error) return accept_later();
    on_accepted(std::move(socket));
    accept();
  });
}

void LocalListener::accept_later() {
  retry_.expires_after(kTick);
  retry_.async_wait([this, self = shared_from_this()](const boost::system::error_code& error) {
    if (!error && !is_closed_) accept();
  });
}

void LocalListener::on_accepted(Protocol::socket socket) {
  std::erase_if(pending_, [](const auto& pending) {
    const auto connection = pending.lock();
    return !connection || connection->is_closed();
  });
  const auto peer = check_peer_process(socket.native_handle());
  std::string objection = peer ? "" : peer.error().message;
  if (pending_.size() >= kPendingMax)
    objection = fmt::format("{} connections have not proven themselves", pending_.size());
  if (!objection.empty()) {
    context_->events.report(Severity::warning, "local pending", "local data socket",
                            fmt::format("connection closed: {}", objection));
    return;  // the socket closes
  }
  const auto connection =
      std::make_shared<PendingConnection>(context_, std::move(socket), peer->process);
  pending_.push_back(connection);
  connection->begin();
}

void LocalListener::close() {
  is_closed_ = true;
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  retry_.cancel();
  for (const auto& pending : pending_) {
    if (const auto connection = pending.lock()) connection->close_quietly();
  }
}

}  // namespace submix::link
