// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/calling.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace submix::pairing {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds kConnectTime(3);

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
  why = is_late ? "nothing came back" : error.message();
  co_return nullptr;
}

}  // namespace

awaitable<Call> call(std::vector<HostPort> ends) {
  Call result;
  for (const auto& each : ends) {
    result.end = each;
    result.socket = co_await connect(each, result.why);
    if (result.socket) break;
  }
  co_return result;
}

awaitable<Result<void>> prove(tcp::socket& socket, TypingEnd& end,
                              const tl::unexpected<Error>& hung_up) {
  if (!co_await write_message(socket, end.hello())) co_return hung_up;
  const auto welcome = co_await read_message(socket);
  if (!welcome) co_return hung_up;
  const auto proof = end.proof_for(*welcome);
  if (!proof) co_return tl::unexpected(proof.error());
  if (!co_await write_message(socket, *proof)) co_return hung_up;
  co_return Result<void>();
}

}  // namespace submix::pairing
