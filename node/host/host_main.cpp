// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one third-party plugin for a node: confines itself, loads the plugin, does job after job.

#include "common/base/version.hpp"
#include "node/host/confinement.hpp"
#include "node/host/host_loop.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdio>
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

// "submix-plugin-host SLOT FILE WIDTH HEIGHT NODE-PID", so that process lists say whose it is.
std::optional<host::HostTask> parse(int argc, char** argv) {
  if (argc != 6) return std::nullopt;
  const auto width = number(argv[3]);
  const auto height = number(argv[4]);
  const auto node = number(argv[5]);
  if (!width || !height || !node || !is_allowed({*width, *height})) return std::nullopt;
  return host::HostTask{.slot = argv[1], .file = argv[2], .size = {*width, *height}, .node = *node};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && (std::string_view(argv[1]) == "--version" || std::string_view(argv[1]) == "-V")) {
    fmt::print("submix-plugin-host {}\n", version());
    return 0;
  }
  const auto task = parse(argc, argv);
  if (!task) {
    fmt::print(stderr,
               "submix-plugin-host: is started by submix-node, once for each slot that has a third-party "
               "plugin; there is nothing to be done with it by hand\n");
    return kUsageStatus;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != task->node) return kUsageStatus;  // the node ended before the line above
  return host::run(*task);
}
