// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/join_desk.hpp"

#include "controller/pairing/calling.hpp"
#include "controller/pairing/handshake.hpp"

#include <utility>

namespace submix::pairing {
namespace {

awaitable<Result<Invitation>> ask(std::vector<HostPort> desk, TypingEnd end) {
  const auto called = co_await call(std::move(desk));
  const auto address = to_string(called.end);
  if (!called.socket)
    co_return fail("no desk answers at {}: {}; is `submix desk` running there?", address,
                   called.why);
  auto& socket = *called.socket;
  const auto hung_up = fail("the desk at {} ended the connection", address);

  const auto proven = co_await prove(socket, end, hung_up);
  if (!proven) co_return tl::unexpected(proven.error());
  const auto message = co_await read_message(socket);
  if (!message) co_return hung_up;
  co_return end.read_invitation(*message);
}

}  // namespace

Result<Invitation> join_desk(const std::vector<HostPort>& desk, const PairingCode& code,
                             const Joiner& pc, const std::stop_token& stop) {
  const auto talk = [&] { return ask(desk, TypingEnd(code, pc)); };
  auto outcome = run_talk<Invitation>(talk, stop);
  if (outcome) return *std::move(outcome);
  if (stop.stop_requested()) return fail("joining was given up");
  return fail("the desk at {} does not answer within {} s; does a firewall lie between?",
              to_string(desk.front()), kCallTime.count());
}

}  // namespace submix::pairing
