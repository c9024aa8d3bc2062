// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/channel.hpp"

#include "common/link/timing.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace submix::link {

Channel::Channel(Connection connection, std::shared_ptr<LinkStats> stats, const Clock& clock)
    : connection_(std::move(connection)), stats_(std::move(stats)), clock_(clock) {}

void Channel::start() {
  boost::system::error_code error;
  connection_.socket().non_blocking(true, error);
  if (error) return lose(error.message());
  if (!connection_.input().empty()) {  // arrived together with the handshake
    if (auto handled = handle(); !handled) return lose(handled.error().message);
  }
  if (is_closed_) return;
  if (!write_error_.empty()) return read_last_messages();
  wait_readable();
  pump();
}

void Channel::wake() {
  if (!is_closed_ && !is_waiting_to_write_) pump();
}

void Channel::close() {
  if (std::exchange(is_closed_, true)) return;
  set_activity(LinkActivity::idle);
  connection_.close();
}

void Channel::abandon() {
  boost::system::error_code ignored;
  // Without this option the kernel would still send bytes that another link has taken over.
  if (!is_closed_) connection_.socket().set_option(asio::socket_base::linger(true, 0), ignored);
  close();
}

void Channel::lose(const std::string& reason) {
  if (is_closed_) return;
  close();
  on_lost(reason);
}

Connection Channel::release() {
  is_closed_ = true;
  return std::move(connection_);
}

void Channel::set_activity(LinkActivity activity) {
  if (stats_->shares.state() != activity) stats_->shares.enter(activity, clock_.now());
}

Result<void> Channel::handle() {
  is_handling_ = true;
  auto handled = handle_input();
  is_handling_ = false;
  return handled;
}

// A peer may send its reason before it closes. The reason says more than the failed write.
void Channel::read_last_messages() {
  for (int i = 0; i < kLastReads && read_input() == Connection::Io::done; ++i) {
    const auto handled = handle();
    if (is_closed_) return;
    if (!handled) return lose(handled.error().message);
  }
  lose(write_error_);
}

void Channel::pump() {
  for (int turn = 0; turn < kStepsPerTurn; ++turn) {
    if (!connection_.has_output()) fill_output();
    if (is_closed_) return;
    if (!connection_.has_output()) return set_activity(LinkActivity::idle);
    set_activity(LinkActivity::sending);
    const auto result = connection_.send();
    if (result == Connection::Io::closed) {
      write_error_ = connection_.error();
      is_waiting_to_write_ = true;
      if (!is_handling_) read_last_messages();
      return;
    }
    if (result == Connection::Io::would_block) return wait_writable();
  }
  post_turn();
}

void Channel::on_readable() {
  for (int turn = 0; turn < kStepsPerTurn; ++turn) {
    const auto result = read_input();
    if (result == Connection::Io::closed) return lose(connection_.error());
    if (result == Connection::Io::would_block) break;
    const auto handled = handle();
    if (is_closed_) return;
    if (!handled) return lose(handled.error().message);
    if (!write_error_.empty()) return read_last_messages();
    if (connection_.is_drained()) break;
  }
  wait_readable();
}

void Channel::wait_readable() {
  auto on_event = [this, self = shared_from_this()](const boost::system::error_code& error) {
    if (!error && !is_closed_) on_readable();
  };
  connection_.socket().async_wait(tcp::socket::wait_read,
                                  with_memory(read_memory_, std::move(on_event)));
}

void Channel::wait_writable() {
  set_activity(LinkActivity::blocked);
  is_waiting_to_write_ = true;
  auto on_event = [this, self = shared_from_this()](const boost::system::error_code& error) {
    is_waiting_to_write_ = false;
    if (!error && !is_closed_) pump();
  };
  connection_.socket().async_wait(tcp::socket::wait_write,
                                  with_memory(write_memory_, std::move(on_event)));
}

void Channel::post_turn() {
  is_waiting_to_write_ = true;
  auto on_turn = [this, self = shared_from_this()] {
    is_waiting_to_write_ = false;
    if (!is_closed_) pump();
  };
  asio::post(connection_.socket().get_executor(), with_memory(write_memory_, std::move(on_turn)));
}

Result<std::span<const std::uint8_t>> Channel::next_message() const {
  const auto input = connection_.input();
  if (input.size() < wire::kEnvelopeBytes) return input.first(0);
  const auto envelope = wire::decode_envelope(input);
  SUBMIX_TRY(envelope);
  const auto bytes = envelope->type == wire::MessageType::stripe
                         ? wire::kStripeHeaderBytes
                         : wire::kEnvelopeBytes + envelope->body_bytes;
  return input.first(input.size() < bytes ? 0 : bytes);
}

}  // namespace submix::link
