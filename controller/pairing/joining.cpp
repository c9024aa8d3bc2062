// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/joining.hpp"

#include "common/base/host_name.hpp"
#include "common/base/plain_text.hpp"
#include "controller/local/start_nats.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace submix::pairing {
namespace {

constexpr std::size_t kShownBytesMax = 60;
constexpr std::string_view kBlanks = " \t\r\n";

// A pasted address often has some around it.
std::string without_blanks_around(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return std::string(text.substr(0, text.find_last_not_of(kBlanks) + 1));
}

}  // namespace

Result<HostPort> parse_desk_end(const std::string& typed, std::uint16_t usual_port) {
  const auto text = without_blanks_around(typed);
  auto end = parse_host_port(text).value_or(HostPort{std::string(without_port(text)), usual_port});
  const bool is_v6 = end.host.find(':') != std::string::npos;
  in6_addr ignored{};
  if (end.host.empty() || text.find_first_of("/@ \t") != std::string::npos ||
      end.host.find_first_of("[]") != std::string::npos ||
      (is_v6 && ::inet_pton(AF_INET6, end.host.c_str(), &ignored) != 1))
    return fail("\"{}\" is no address; write ADDRESS or ADDRESS:PORT, such as 198.18.0.1",
                plain_text(text, kShownBytesMax));
  if (end.port == local::kDefaultNatsPort)
    return fail("port {} is that of NATS; PCs pair at {}: leave the port out", end.port,
                usual_port);
  return end;
}

Result<void> check_free(const std::filesystem::path& folder) {
  const auto before = cluster::read_membership(folder);
  const auto leave = cluster::leave_command(folder);
  if (before && *before && (*before)->is_own)
    return fail("this PC is a desk itself; `{}` first, and every other PC must join anew", leave);
  if (before && *before)
    return fail("this PC has joined {} already; `{}` first", (*before)->desk, leave);
  return cluster::check_place(folder);
}

Result<cluster::Membership> join(const std::filesystem::path& folder,
                                 const std::vector<HostPort>& ends, const PairingCode& code,
                                 const std::stop_token& stop) {
  SUBMIX_TRY(check_free(folder));
  const auto identity = cluster::Identity::read_or_make(folder);
  SUBMIX_TRY(identity);
  const Joiner pc{host_name(), identity->public_key()};
  const auto invitation = join_desk(ends, code, pc, stop);
  SUBMIX_TRY(invitation);
  return keep(folder, *invitation, ends.front().port);
}

Result<cluster::Membership> keep(const std::filesystem::path& folder, const Invitation& invitation,
                                 std::uint16_t pairing_port) {
  SUBMIX_TRY(check_free(folder));  // somebody may have joined meanwhile
  cluster::Membership membership{invitation.desk, invitation.nats_url, {}, false};
  membership.desk_key = invitation.desk_key;
  membership.pairing_port = invitation.pairing_port.value_or(pairing_port);
  membership.key_number = invitation.key_number;
  SUBMIX_TRY(cluster::write_membership(folder, membership, invitation.key));
  return membership;
}

}  // namespace submix::pairing
