// SPDX-License-Identifier: GPL-3.0-or-later
// submix invite
#include "controller/cli/commands.hpp"
#include "controller/cli/pairing_input.hpp"
#include "controller/pairing/invite_pc.hpp"
#include "controller/pairing/joining.hpp"
#include "controller/pairing/own_desk.hpp"

#include <string>
#include <utility>
#include <vector>

namespace submix::cli {
namespace {

/// An address, or the name by which a PC shows itself; empty: the only PC nearby.
Result<std::vector<HostPort>> ends_of_pc(Context& context, const std::string& pc) {
  const bool is_address = pc.find_first_of(".:") != std::string::npos;
  if (!is_address)
    return find_one(context,
                    {pairing::NearbyKind::waiting, "PC without a show", "submix invite",
                     "submix-node must run there; or name its address: submix invite ADDRESS"},
                    pc);
  auto end = pairing::parse_desk_end(pc, pairing::kWaitingPort);
  SUBMIX_TRY(end);
  return std::vector{*std::move(end)};
}

Result<pairing::PairingEvent> invite(Context& context, const InviteOptions& options) {
  SUBMIX_TRY(pairing::check_own_desk_serves());  // before a person types the code in vain
  const auto ends = ends_of_pc(context, options.pc);
  SUBMIX_TRY(ends);
  const auto code = read_code(context, "PC");
  SUBMIX_TRY(code);
  return pairing::invite_to_own_desk(*ends, *code);
}

}  // namespace

int run_invite(Context& context, const InviteOptions& options) {
  const auto invited = invite(context, options);
  if (!invited) return failed(context, invited.error().message);
  context.out << to_text(*invited) << "; its node, if it runs nothing, follows at once\n";
  return kOk;
}

}  // namespace submix::cli
