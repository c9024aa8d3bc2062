// SPDX-License-Identifier: GPL-3.0-or-later
// submix join, submix leave
#include "common/base/files.hpp"
#include "common/base/host_port.hpp"
#include "common/cluster/membership.hpp"
#include "controller/cli/commands.hpp"
#include "controller/pairing/joining.hpp"
#include "controller/pairing/nearby_desks.hpp"

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
constexpr const char* kWhoFollows =
    "a node that runs here follows as soon as it runs no submix; start other programs again\n";

fs::path folder_of(bool is_system) {
  return is_system ? fs::path(cluster::kSystemMemberships) : config_home();
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

/// "(rack0: show duo, running)".
std::string words_of(const pairing::NearbyDesk& desk) {
  const auto told = to_text(desk.told);
  return told.empty() ? desk.name : fmt::format("{}: {}", desk.name, told);
}

std::string listed(const std::vector<pairing::NearbyDesk>& desks) {
  std::vector<std::string> commands;
  for (const auto& desk : desks)
    commands.push_back(
        fmt::format("submix join {}   ({})", to_string(desk.ends.front()), words_of(desk)));
  return fmt::format("{}", fmt::join(commands, "\n  "));
}

/// Where the named desk is; without a name, the only desk nearby.
Result<std::vector<HostPort>> ends_of(Context& context, const std::string& desk) {
  constexpr std::chrono::seconds kSearch{2};
  constexpr const char* kRemedy = "name its address, which it shows: submix join ADDRESS";
  if (!desk.empty()) {
    auto end = pairing::parse_desk_end(desk);
    SUBMIX_TRY(end);
    return std::vector{*std::move(end)};
  }
  const auto desks = pairing::find_desks(kSearch);
  if (!desks) return fail("{}; {}", desks.error().message, kRemedy);
  if (desks->empty()) return fail("no desk shows itself on the networks of this PC; {}", kRemedy);
  if (desks->size() > 1)
    return fail("{} desks are nearby; choose one:\n  {}", desks->size(), listed(*desks));
  const auto& only = desks->front();
  fmt::print(context.out, "desk {} at {}\n", words_of(only), to_string(only.ends.front()));
  return desks->front().ends;
}

/// Gives the files to the services' user.
Result<void> hand_over(const fs::path& folder, const passwd& user) {
  for (const auto& file :
       {folder / "desk.json", folder / "show.key", cluster::Identity::file_in(folder)}) {
    if (::lchown(file.c_str(), user.pw_uid, user.pw_gid) != 0)
      return fail("{}: cannot be given to {}: {}", file.string(), kSystemUser,
                  std::strerror(errno));
  }
  return {};
}

Result<cluster::Membership> join(Context& context, const JoinOptions& options) {
  const auto user = options.is_system ? services_user() : Result<const passwd*>(nullptr);
  SUBMIX_TRY(user);
  const auto folder = folder_of(options.is_system);
  SUBMIX_TRY(pairing::check_free(folder));  // before a person types the code in vain
  const auto ends = ends_of(context, options.desk);
  SUBMIX_TRY(ends);
  const auto code = read_code(context);
  SUBMIX_TRY(code);
  const auto membership = pairing::join(folder, *ends, *code);
  SUBMIX_TRY(membership);
  if (*user != nullptr) SUBMIX_TRY(hand_over(folder, **user));
  return *membership;
}

}  // namespace

int run_join(Context& context, const JoinOptions& options) {
  const auto joined = join(context, options);
  if (!joined) return failed(context, joined.error().message);
  fmt::print(context.out, "this PC has joined {}: {}\nnext: {}\n", joined->desk, joined->nats_url,
             options.is_system ? "sudo systemctl enable --now submix-node"
                               : "submix-node --name NAME, submix status, submix-controller");
  context.out << kWhoFollows;
  return kOk;
}

int run_leave(Context& context, const LeaveOptions& options) {
  const auto folder = folder_of(options.is_system);
  const auto membership = cluster::read_membership(folder);
  if (membership && !*membership) return failed(context, "this PC has joined no desk");
  const auto left = cluster::remove_membership(folder);
  if (!left) return failed(context, left.error().message);
  fmt::print(context.out, "this PC has left {}; its key, if any, is kept as {}\n{}",
             membership ? (*membership)->desk : "its desk", (folder / "show.key.old").string(),
             kWhoFollows);
  if (membership && (*membership)->is_own)
    context.out << "the next `submix desk` makes a new key: every other PC must join again\n";
  return kOk;
}

}  // namespace submix::cli
