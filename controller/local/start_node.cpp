// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/start_node.hpp"

#include "common/base/program_folder.hpp"

namespace submix::local {

std::vector<std::string> node_command(const NodeOptions& options) {
  std::vector<std::string> command{(program_folder() / "submix-node").string(), "--name",
                                   options.name};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) command.insert(command.end(), {option, value});
  };
  add("--nats", options.nats_url);
  add("--key", options.key_file.string());
  for (const auto& address : options.data_addresses)
    add("--data-address", address);
  add("--media", options.media.string());
  add("--recordings", options.recordings.string());
  add("--traces", options.traces.string());
  if (options.is_rendering)
    command.insert(command.end(), {"--render", "--realtime", "off", "--no-trace-at-end"});
  return command;
}

Result<ChildProcess> start_node(const NodeOptions& options, const std::filesystem::path& log_file) {
  return ChildProcess::start(node_command(options), log_file);
}

}  // namespace submix::local
