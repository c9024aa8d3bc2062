// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one third-party plugin for a node: confines itself, loads the plugin, does job after job. Or looks at
// plugins' libraries and tells what they are.

#include "common/base/version.hpp"
#include "node/host/confinement.hpp"
#include "node/host/control_block.hpp"
#include "node/host/host_loop.hpp"
#include "node/host/probe_loop.hpp"
#include "node/host/probe_status.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

namespace {

using namespace submix;

constexpr int kUsageStatus = 2;

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// "submix-plugin-host SLOT FILE WIDTH HEIGHT NODE-PID [spare]", so that process lists say whose it is.
std::optional<host::HostTask> parse(int argc, char** argv) {
  const bool is_spare = argc == 7 && argv[6] == host::kSpareMark;
  if (argc != 6 && !is_spare) return std::nullopt;
  const auto width = number(argv[3]);
  const auto height = number(argv[4]);
  const auto node = number(argv[5]);
  if (!width || !height || !node || !is_allowed({*width, *height})) return std::nullopt;
  host::HostTask task{.slot = argv[1], .file = argv[2], .size = {*width, *height}, .node = *node};
  if (is_spare) task.spare_mark = {argv[6], std::strlen(argv[6])};
  return task;
}

/// Whether the node lives; if not, nobody ends this process later.
bool is_tied_to(std::optional<int> node) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  return node && ::getppid() == *node;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && (std::string_view(argv[1]) == "--version" || std::string_view(argv[1]) == "-V")) {
    fmt::print("submix-plugin-host {}\n", version());
    return 0;
  }
  if (argc == 3 && argv[1] == host::kProbeOption) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    return host::probe(argv[2]);
  }
  // "submix-plugin-host --describe NODE-PID FOLDER…"
  if (argc > 3 && std::string_view(argv[1]) == "--describe")
    return is_tied_to(number(argv[2])) ? host::run_probe({argv + 3, argv + argc}) : kUsageStatus;
  const auto task = parse(argc, argv);
  if (!task) {
    fmt::print(stderr,
               "submix-plugin-host: is started by submix-node, once for each slot that has a third-party "
               "plugin; there is nothing to be done with it by hand\n");
    return kUsageStatus;
  }
  return is_tied_to(task->node) ? host::run(*task) : kUsageStatus;
}
