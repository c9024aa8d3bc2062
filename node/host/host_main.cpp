// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one third-party plugin for a node: confines itself, loads the plugin, does job after job.
// With "--describe" it describes plugins' libraries; with kProbeOption it tries a plugin's memory.

#include "common/base/version_option.hpp"
#include "node/host/host_arguments.hpp"
#include "node/host/host_loop.hpp"
#include "node/host/probe_loop.hpp"
#include "node/host/probe_status.hpp"
#include "node/plugin/frei0r/frei0r_instance.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <csignal>
#include <cstdio>
#include <string_view>

namespace {

using namespace submix;

constexpr int kUsageStatus = 2;

}  // namespace

int main(int argc, char** argv) {
  if (has_told_version("submix-plugin-host", argc, argv)) return 0;
  if (argc == 3 && argv[1] == host::kProbeOption) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    return host::probe(argv[2]);
  }
  // "submix-plugin-host --describe NODE-PID FOLDER…"
  if (argc > 3 && std::string_view(argv[1]) == "--describe")
    return host::tie_to_node(host::parse_number(argv[2])) ? host::run_probe({argv + 3, argv + argc})
                                                          : kUsageStatus;
  const auto task = host::parse_task(argc, argv);
  if (!task) {
    fmt::print(stderr,
               "submix-plugin-host: is started by submix-node, once for each slot that has a "
               "third-party plugin; there is nothing to be done with it by hand\n");
    return kUsageStatus;
  }
  if (!host::tie_to_node(task->node)) return kUsageStatus;
  host::run(*task, {.make = [](const auto& file, const auto& setup) {
    return plugin::Frei0rInstance::make(file, setup);
  }});
}
