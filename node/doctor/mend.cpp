// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/doctor/mend.hpp"

#include "common/base/child_process.hpp"
#include "node/doctor/pc_reading.hpp"

#include <fmt/format.h>
#include <grp.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>

namespace submix::doctor {
namespace {

constexpr const char* kGroup = "submix";  // of the package submix-node: its members have the rights
constexpr std::chrono::seconds kPatience(10);

Finding failure(std::string subject, std::string found, std::string remedy) {
  return {.grade = Grade::bad,
          .subject = std::move(subject),
          .found = std::move(found),
          .remedy = std::move(remedy)};
}

/// Whether the program ends with status 0 in time.
bool run(const std::vector<std::string>& command) {
  auto child = ChildProcess::start(command, "/dev/null");
  if (!child) return false;
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!child->exit_status() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return child->exit_status() == 0;
}

bool is_member(const group& of, const std::string& user) {
  for (char** member = of.gr_mem; *member != nullptr; ++member) {
    if (user == *member) return true;
  }
  return false;
}

/// Puts the person into the group of the package.
Findings add_to_group(const group& of, const std::string& user) {
  if (is_member(of, user)) return {};
  if (!run({"adduser", "--quiet", user, kGroup}))
    return {failure("real-time scheduling",
                    fmt::format("{} cannot be added to the group {}", user, kGroup),
                    fmt::format("sudo adduser {} {}", user, kGroup))};
  return {
      {.grade = Grade::mended,
       .subject = "real-time scheduling",
       .found = fmt::format("{} is in the group {} now, and has the right from the next login on",
                            user, kGroup)}};
}

/// Gives the right to this program's file.
Findings permit_program() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error).string();
  constexpr const char* kRights = "cap_sys_nice,cap_ipc_lock+ep";
  if (error || ::getxattr(program.c_str(), "security.capability", nullptr, 0) > 0) return {};
  if (!run({"setcap", kRights, program}))
    return {failure(
        "real-time scheduling", "setcap cannot permit it to " + program,
        fmt::format("sudo apt install libcap2-bin, then sudo setcap {} {}", kRights, program))};
  return {{.grade = Grade::mended,
           .subject = "real-time scheduling",
           .found = program + " has the right now; a new build of it has not"}};
}

Findings permit_realtime() {
  const char* const user = std::getenv("SUDO_USER");
  if (user == nullptr) return {};  // root needs no right
  const auto* const of = ::getgrnam(kGroup);
  return of != nullptr ? add_to_group(*of, user) : permit_program();
}

}  // namespace

Findings mend_governors(const std::filesystem::path& root) {
  int set = 0;
  for (const auto& file : governor_files(root)) {
    std::string governor;
    std::ifstream(file) >> governor;
    if (governor == "performance") continue;
    std::ofstream writing(file);
    writing << "performance" << std::flush;
    if (!writing)
      return {
          failure("processor frequency", file.string() + " cannot be written",
                  "choose the fastest power profile in the settings of the desktop or the BIOS")};
    ++set;
  }
  if (set == 0) return {};
  return {{.grade = Grade::mended,
           .subject = "processor frequency",
           .found = fmt::format("\"performance\" on {} {} until the next start", set,
                                set == 1 ? "processor" : "processors")}};
}

Findings mend(const std::filesystem::path& root) {
  if (::geteuid() != 0)
    return {failure("--fix", "this user may not change the PC", "sudo submix doctor --fix")};
  auto findings = mend_governors(root);
  for (auto& finding : permit_realtime())
    findings.push_back(std::move(finding));
  return findings;
}

}  // namespace submix::doctor
