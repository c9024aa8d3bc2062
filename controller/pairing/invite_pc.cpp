// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/invite_pc.hpp"

#include "common/base/files.hpp"
#include "common/base/host_name.hpp"
#include "controller/pairing/calling.hpp"
#include "controller/pairing/handshake.hpp"
#include "controller/pairing/own_desk.hpp"

#include <utility>

namespace submix::pairing {
namespace {

/// The messages after the proof.
awaitable<Result<PairingEvent>> hand_over(tcp::socket& socket, const TypingEnd& end,
                                          const PairingPort::Invite& admit,
                                          const tl::unexpected<Error>& hung_up) {
  const auto introduction = co_await read_message(socket);
  if (!introduction) co_return hung_up;
  auto pc = end.read_introduction(*introduction);
  if (!pc) co_return tl::unexpected(pc.error());
  pc->address = address_of_peer(socket);
  const auto admission = admit(*pc, own_address(socket));
  if (!admission) co_return tl::unexpected(admission.error());

  if (!co_await write_message(socket, end.seal(admission->invitation))) co_return hung_up;
  const auto receipt = co_await read_message(socket);
  if (!receipt) co_return hung_up;
  const auto kept = end.read_receipt(*receipt);
  if (!kept) co_return tl::unexpected(kept.error());
  co_return PairingEvent{.kind = PairingEvent::Kind::joined,
                         .pc = pc->name,
                         .address = pc->address,
                         .remark = admission->remark};
}

awaitable<Result<PairingEvent>> ask(std::vector<HostPort> ends, TypingEnd end,
                                    const PairingPort::Invite& admit) {
  const auto called = co_await call(std::move(ends));
  const auto address = to_string(called.end);
  if (!called.socket)
    co_return fail(
        "no PC waits to be invited at {}: {}; does submix-node run there, without a show?", address,
        called.why);
  auto& socket = *called.socket;
  const auto hung_up = fail("the PC at {} ended the connection", address);

  const auto proven = co_await prove(socket, end, hung_up);
  if (!proven) co_return tl::unexpected(proven.error());
  co_return co_await hand_over(socket, end, admit, hung_up);
}

}  // namespace

Result<PairingEvent> invite_pc(const std::vector<HostPort>& ends, const PairingCode& code,
                               const Joiner& desk, const PairingPort::Invite& admit,
                               const std::stop_token& stop) {
  const auto talk = [&] { return ask(ends, TypingEnd(code, desk, Purpose::invite), admit); };
  auto outcome = run_talk<PairingEvent>(talk, stop);
  if (outcome) return *std::move(outcome);
  if (stop.stop_requested()) return fail("the invitation was given up");
  return fail("the PC at {} does not answer within {} s; does a firewall lie between?",
              to_string(ends.front()), kCallTime.count());
}

Result<PairingEvent> invite_to_own_desk(const std::vector<HostPort>& ends, const PairingCode& code,
                                        const std::stop_token& stop) {
  SUBMIX_TRY(check_own_desk_serves());
  const auto identity = cluster::Identity::read(config_home());
  SUBMIX_TRY(identity);
  return invite_pc(ends, code, {host_name(), identity->public_key()}, &admit_by_own_desk, stop);
}

}  // namespace submix::pairing
