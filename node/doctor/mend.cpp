// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/doctor/mend.hpp"

#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "node/doctor/pc_reading.hpp"

#include <fmt/format.h>
#include <grp.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace submix::doctor {
namespace {

constexpr const char* kGroup = "submix";  // of the package submix-node: its members have the rights
constexpr const char* kSubject = "real-time scheduling";
constexpr std::chrono::seconds kPatience(10);

Finding permitted(const std::string& how) {
  return {.grade = Grade::mended, .subject = kSubject, .found = how + ", from the next login on"};
}

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
  if (is_member(of, user))
    return {{.grade = Grade::note,
             .subject = kSubject,
             .found = fmt::format("{} is in the group {} already", user, kGroup),
             .remedy = "log out and in again, if a node says that it has no right"}};
  if (!run({"/usr/sbin/adduser", "--quiet", user, kGroup}))
    return {failure(kSubject, fmt::format("{} cannot be added to the group {}", user, kGroup),
                    fmt::format("sudo adduser {} {}", user, kGroup))};
  return {permitted(fmt::format("{} is in the group {} now", user, kGroup))};
}

}  // namespace

// Not by capabilities of the program's file: a program with these outlives the one that started it.
Findings permit_by_limits(const std::filesystem::path& root, const std::string& user) {
  const bool is_plain =
      user.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-.") == user.npos;
  if (user.empty() || !is_plain)
    return {failure(kSubject, fmt::format("\"{}\" is no name for a file of limits", user),
                    "add the user by hand to /etc/security/limits.conf")};
  const auto file = root / "etc/security/limits.d/submix-doctor.conf";
  const auto text = fmt::format("{0} - rtprio 20\n{0} - memlock unlimited\n", user);
  if (read_text_file(file).value_or("") == text)
    return {{.grade = Grade::note,
             .subject = kSubject,
             .found = file.string() + " permits it already",
             .remedy = "log out and in again, if a node says that it has no right"}};
  if (const auto written = write_file_atomically(file, text); !written)
    return {failure(kSubject, written.error().message, "let root write there")};
  return {permitted(fmt::format("{} permits it to {}", file.string(), user))};
}

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

Findings mend() {
  if (::geteuid() != 0)
    return {failure("--fix", "this user may not change the PC", "sudo submix doctor --fix")};
  auto findings = mend_governors("/");
  const char* const user = std::getenv("SUDO_USER");
  if (user == nullptr) return findings;  // root itself has all rights
  const auto* const of = ::getgrnam(kGroup);
  std::ranges::move(of != nullptr ? add_to_group(*of, user) : permit_by_limits("/", user),
                    std::back_inserter(findings));
  return findings;
}

}  // namespace submix::doctor
