// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"
#include "common/base/stop_signal.hpp"
#include "node/agent/agent.hpp"

#include <chrono>

int main(int argc, char** argv) {
  using namespace submix;
  const auto parsed = agent::parse_node_options(argc, argv);
  if (const auto* status = std::get_if<int>(&parsed)) return *status;
  const auto& options = std::get<agent::NodeOptions>(parsed);

  StopSignal stop;
  log::start("submix-node " + options.name, options.is_verbose ? log::Level::debug : log::Level::info);
  const auto agent = agent::Agent::start(options);
  if (!agent) {
    log::error("{}", agent.error().message);
    return 1;
  }
  while (!stop.wait_for(std::chrono::seconds(1))) {
  }
  log::info("stops");
  return 0;
}
