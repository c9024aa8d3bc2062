// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/join_desk.hpp"

#include "controller/pairing/handshake.hpp"
#include "controller/pairing/message_socket.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace submix::pairing {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds kConnectTime(3);
constexpr std::chrono::seconds kJoinTime(15);

/// Null: nobody answers at `end`; `why` says why.
awaitable<std::shared_ptr<tcp::socket>> connect(const HostPort& end, std::string& why) {
  boost::system::error_code error;
  const auto executor = co_await asio::this_coro::executor;
  tcp::resolver resolver(executor);
  const auto ends = co_await resolver.async_resolve(
      end.host, std::to_string(end.port), asio::redirect_error(asio::use_awaitable, error));
  const auto socket = std::make_shared<tcp::socket>(executor);
  asio::steady_timer limit(executor, kConnectTime);
  limit.async_wait([socket](const boost::system::error_code& ended) {
    boost::system::error_code ignored;
    if (!ended) socket->close(ignored);
  });
  if (!error)
    co_await asio::async_connect(*socket, ends, asio::redirect_error(asio::use_awaitable, error));
  limit.cancel();
  if (!error && socket->is_open()) co_return socket;
  const bool is_late = error == asio::error::operation_aborted;
  why = fmt::format("no desk answers at {}: {}; is `submix desk` running there?", to_string(end),
                    is_late ? "nothing came back" : error.message());
  co_return nullptr;
}

awaitable<Result<Invitation>> ask(std::vector<HostPort> desk, JoiningEnd end) {
  std::string why;
  std::shared_ptr<tcp::socket> connected;
  std::string address;
  for (const auto& each : desk) {
    address = to_string(each);
    connected = co_await connect(each, why);
    if (connected) break;
  }
  if (!connected) co_return fail("{}", why);
  auto& socket = *connected;
  const auto hung_up = fail("the desk at {} ended the connection", address);

  if (!co_await write_message(socket, end.hello())) co_return hung_up;
  const auto welcome = co_await read_message(socket);
  if (!welcome) co_return hung_up;
  const auto proof = end.proof_for(*welcome);
  if (!proof) co_return tl::unexpected(proof.error());
  if (!co_await write_message(socket, *proof)) co_return hung_up;
  const auto message = co_await read_message(socket);
  if (!message) co_return hung_up;
  co_return end.read_invitation(*message);
}

}  // namespace

Result<Invitation> join_desk(const std::vector<HostPort>& desk, const PairingCode& code,
                             const Joiner& pc, const std::stop_token& stop) {
  asio::io_context io;
  std::optional<Result<Invitation>> outcome;
  const auto run = [&]() -> awaitable<void> { outcome = co_await ask(desk, JoiningEnd(code, pc)); };
  asio::co_spawn(io, run, [](const std::exception_ptr& error) {
    if (error) std::rethrow_exception(error);
  });
  const std::stop_callback on_stop(stop, [&io] { io.stop(); });
  io.run_for(kJoinTime);
  if (outcome) return *std::move(outcome);
  if (stop.stop_requested()) return fail("joining was given up");
  return fail("the desk at {} does not answer within {} s; does a firewall lie between?",
              to_string(desk.front()), kJoinTime.count());
}

}  // namespace submix::pairing
