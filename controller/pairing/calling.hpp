// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to this folder.

#include "common/base/host_port.hpp"
#include "common/base/result.hpp"
#include "controller/pairing/handshake.hpp"
#include "controller/pairing/message_socket.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// The end of a pairing that connects to the other end.
namespace submix::pairing {

inline constexpr std::chrono::seconds kCallTime{15};

/// A connection to the first end that answers.
struct Call {
  std::shared_ptr<tcp::socket> socket;  ///< null: no end answers
  HostPort end;                         ///< the last that was tried
  std::string why;                      ///< no end answers: for people
};
[[nodiscard]] awaitable<Call> call(std::vector<HostPort> ends);

/// The first three messages: Hello, Welcome, Proof.
///
/// Errors   As TypingEnd; `hung_up` if the connection ends.
[[nodiscard]] awaitable<Result<void>> prove(tcp::socket& socket, TypingEnd& end,
                                            const tl::unexpected<Error>& hung_up);

/// Runs `talk`, which returns an awaitable<Result<T>>. Empty: it has taken kCallTime, or was told
/// to stop.
///
/// Threads  Blocks.
template <typename T, typename Talk>
std::optional<Result<T>> run_talk(const Talk& talk, const std::stop_token& stop) {
  boost::asio::io_context io;
  std::optional<Result<T>> outcome;
  const auto run = [&]() -> awaitable<void> { outcome = co_await talk(); };
  boost::asio::co_spawn(io, run, [](const std::exception_ptr& error) {
    if (error) std::rethrow_exception(error);
  });
  const std::stop_callback on_stop(stop, [&io] { io.stop(); });
  io.run_for(kCallTime);
  return outcome;
}

}  // namespace submix::pairing
