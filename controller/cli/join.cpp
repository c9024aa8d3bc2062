// SPDX-License-Identifier: GPL-3.0-or-later
// submix join, submix leave
#include "common/base/files.hpp"
#include "common/base/host_port.hpp"
#include "common/cluster/membership.hpp"
#include "controller/cli/commands.hpp"
#include "controller/local/start_nats.hpp"
#include "controller/pairing/join_desk.hpp"
#include "controller/pairing/nearby_desks.hpp"

#include <arpa/inet.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <pwd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace submix::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSystemUser = "submix";

/// Where a membership lies, and what a person types to leave it.
struct Place {
  fs::path folder;
  const char* leave;
};

Place place_of(bool is_system) {
  if (is_system) return {cluster::kSystemMemberships, "sudo submix leave --system"};
  return {config_home(), "submix leave"};
}

Result<const passwd*> services_user() {
  if (::geteuid() != 0) return fail("--system is for root: sudo submix join --system");
  const auto* user = ::getpwnam(kSystemUser);
  if (user == nullptr)
    return fail("there is no user \"{}\": install the package submix-node first", kSystemUser);
  return user;
}

Result<pairing::PairingCode> read_code(Context& context) {
  if (::isatty(STDIN_FILENO) == 1) context.out << "code that the desk shows: " << std::flush;
  std::string line;
  if (!std::getline(std::cin, line)) return fail("no code was typed; the desk shows one");
  return pairing::PairingCode::parse(line);
}

std::string listed(const std::vector<pairing::NearbyDesk>& desks) {
  std::vector<std::string> commands;
  for (const auto& desk : desks)
    commands.push_back(
        fmt::format("submix join {}   ({})", to_string(desk.ends.front()), desk.name));
  return fmt::format("{}", fmt::join(commands, "\n  "));
}

/// "198.18.0.1", "desk.local", "fd00::1", each with or without ":4223".
Result<HostPort> end_of(const std::string& text) {
  auto end = parse_host_port(text).value_or(
      HostPort{std::string(without_port(text)), pairing::kDefaultPort});
  const bool is_v6 = end.host.find(':') != std::string::npos;
  in6_addr ignored{};
  if (end.host.empty() || end.host.find_first_of("/@[] \t") != std::string::npos ||
      (is_v6 && ::inet_pton(AF_INET6, end.host.c_str(), &ignored) != 1))
    return fail("\"{}\" is no address; write ADDRESS or ADDRESS:PORT, such as 198.18.0.1", text);
  if (end.port == local::kDefaultNatsPort)
    return fail("port {} is that of NATS; PCs join at {}: leave the port out", end.port,
                pairing::kDefaultPort);
  return end;
}

/// Where the named desk is; without a name, the only desk nearby.
Result<std::vector<HostPort>> ends_of(Context& context, const std::string& desk) {
  constexpr std::chrono::seconds kSearch{2};
  constexpr const char* kRemedy = "name its address, which it shows: submix join ADDRESS";
  if (!desk.empty()) {
    auto end = end_of(desk);
    SUBMIX_TRY(end);
    return std::vector{*std::move(end)};
  }
  const auto desks = pairing::find_desks(kSearch);
  if (!desks) return fail("{}; {}", desks.error().message, kRemedy);
  if (desks->empty()) return fail("no desk shows itself on the networks of this PC; {}", kRemedy);
  if (desks->size() > 1)
    return fail("{} desks are nearby; choose one:\n  {}", desks->size(), listed(*desks));
  fmt::print(context.out, "desk {} at {}\n", desks->front().name,
             to_string(desks->front().ends.front()));
  return desks->front().ends;
}

/// Gives the files to the services' user.
Result<void> hand_over(const fs::path& folder, const passwd& user) {
  for (const auto& file : {folder / "desk.json", folder / "show.key"}) {
    if (::lchown(file.c_str(), user.pw_uid, user.pw_gid) != 0)
      return fail("{}: cannot be given to {}: {}", file.string(), kSystemUser,
                  std::strerror(errno));
  }
  return {};
}

Result<cluster::Membership> join(Context& context, const JoinOptions& options) {
  const auto user = options.is_system ? services_user() : Result<const passwd*>(nullptr);
  SUBMIX_TRY(user);
  const auto [folder, leave] = place_of(options.is_system);
  const auto before = cluster::read_membership(folder);
  if (before && *before && (*before)->is_own)
    return fail("this PC is a desk itself; `{}` first, and every other PC must join anew", leave);
  if (before && *before)
    return fail("this PC has joined {} already; `{}` first", (*before)->desk, leave);
  SUBMIX_TRY(cluster::check_place(folder));
  const auto ends = ends_of(context, options.desk);
  SUBMIX_TRY(ends);
  const auto code = read_code(context);
  SUBMIX_TRY(code);
  const auto invitation = pairing::join_desk(*ends, *code, host_name());
  SUBMIX_TRY(invitation);
  cluster::Membership membership{invitation->desk, invitation->nats_url, {}, false};
  SUBMIX_TRY(cluster::write_membership(folder, membership, invitation->key));
  if (*user != nullptr) SUBMIX_TRY(hand_over(folder, **user));
  return membership;
}

}  // namespace

int run_join(Context& context, const JoinOptions& options) {
  const auto joined = join(context, options);
  if (!joined) return failed(context, joined.error().message);
  fmt::print(context.out, "this PC has joined {}: {}\nnext: {}\n", joined->desk, joined->nats_url,
             options.is_system
                 ? "sudo systemctl enable submix-node; sudo systemctl restart submix-node"
                 : "submix-node --name NAME, submix status, submix-controller; restart those that "
                   "run already");
  return kOk;
}

int run_leave(Context& context, const LeaveOptions& options) {
  const auto folder = place_of(options.is_system).folder;
  const auto membership = cluster::read_membership(folder);
  if (membership && !*membership) return failed(context, "this PC has joined no desk");
  const auto left = cluster::remove_membership(folder);
  if (!left) return failed(context, left.error().message);
  fmt::print(context.out,
             "this PC has left {}; its key, if any, is kept as {}\nprograms that run "
             "keep the desk until they end\n",
             membership ? (*membership)->desk : "its desk", (folder / "show.key.old").string());
  if (membership && (*membership)->is_own)
    context.out << "the next `submix desk` makes a new key: every other PC must join again\n";
  return kOk;
}

}  // namespace submix::cli
