// SPDX-License-Identifier: GPL-3.0-or-later
// submix join, submix leave
#include "common/base/files.hpp"
#include "common/base/host_port.hpp"
#include "common/base/stop_signal.hpp"
#include "common/cluster/membership.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/pairing_input.hpp"
#include "controller/pairing/joining.hpp"
#include "controller/pairing/waiting_pc.hpp"

#include <fmt/ostream.h>
#include <pwd.h>
#include <unistd.h>

#include <filesystem>
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

/// Where the named desk is; without a name, the only desk nearby.
Result<std::vector<HostPort>> ends_of_desk(Context& context, const std::string& desk) {
  if (desk.empty())
    return find_one(context, {pairing::NearbyKind::desk, "desk", "submix join",
                              "name its address, which it shows: submix join ADDRESS"});
  auto end = pairing::parse_desk_end(desk);
  SUBMIX_TRY(end);
  return std::vector{*std::move(end)};
}

Result<cluster::Membership> join(Context& context, const JoinOptions& options) {
  const auto user = options.is_system ? services_user() : Result<const passwd*>(nullptr);
  SUBMIX_TRY(user);
  const auto folder = folder_of(options.is_system);
  SUBMIX_TRY(pairing::check_free(folder));  // before a person types the code in vain
  const auto ends = ends_of_desk(context, options.desk);
  SUBMIX_TRY(ends);
  const auto code = read_code(context, "desk");
  SUBMIX_TRY(code);
  const auto membership = pairing::join(folder, *ends, *code);
  SUBMIX_TRY(membership);
  if (*user != nullptr) SUBMIX_TRY(cluster::give_membership(folder, **user));
  return *membership;
}

/// Until a desk has invited this PC.
int wait_for_invitation(Context& context) {
  StopSignal stop;
  const auto pc = pairing::WaitingPc::open({.folder = config_home()});
  if (!pc)
    return failed(context, fmt::format("{}; a node of this PC that waits already shows its code "
                                       "in its terminal or journal",
                                       pc.error().message));
  const auto say = [&](const std::string& line) { context.out << line << std::endl; };
  if (!wait_for_desk(**pc, stop, say)) return kFailed;
  context.out << kWhoFollows;
  return kOk;
}

}  // namespace

int run_join(Context& context, const JoinOptions& options) {
  if (options.is_waiting) return wait_for_invitation(context);
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
             membership ? (*membership)->desk : "its desk", cluster::kept_key_file(folder).string(),
             kWhoFollows);
  if (membership && (*membership)->is_own)
    context.out << "the next `submix desk` makes a new key: every other PC must join again\n";
  return kOk;
}

}  // namespace submix::cli
