// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/demo_processes.hpp"

#include "common/base/program_folder.hpp"
#include "controller/local/start_nats.hpp"
#include "controller/local/start_node.hpp"

#include <fmt/format.h>

#include <system_error>

namespace submix::cli {
Result<DemoProcesses> DemoProcesses::start(const show::Show& show, const Folders& folders) {
  auto nats = local::start_nats_where_free(folders.state);
  SUBMIX_TRY(nats);
  DemoProcesses processes(std::move(*nats), folders);
  for (const auto& node : show.nodes) {
    SUBMIX_TRY(processes.start_node(node.name));
  }
  return processes;
}

Result<void> DemoProcesses::start_node(const std::string& name) {
  // Two addresses of this machine stand for two network cards.
  auto process = local::start_node({.name = name,
                                    .nats_url = nats_url(),
                                    .data_addresses = {"127.0.0.1", "127.0.0.2"},
                                    .media = folders_.media,
                                    .recordings = folders_.out,
                                    .traces = folders_.out},
                                   log_of(name));
  SUBMIX_TRY(process);
  nodes_.push_back({name, std::move(*process)});
  return {};
}

Result<void> DemoProcesses::open_controller() {
  auto process =
      ChildProcess::start({(program_folder() / "submix-controller").string(), "--nats", nats_url()},
                          log_of("controller"));
  SUBMIX_TRY(process);
  controller_ = std::move(*process);
  return {};
}

std::optional<int> DemoProcesses::take_controller_status() {
  const auto status = controller_ ? controller_->exit_status() : std::nullopt;
  if (status) controller_.reset();
  return status;
}

Result<std::string> DemoProcesses::tend() {
  for (auto& node : nodes_) {
    if (const auto status = node.process.exit_status())
      return fail("node {} ended by itself (status {}); see {}", node.name, *status,
                  log_of(node.name).string());
  }
  if (const auto status = nats_.process().exit_status()) return restart_nats(*status);
  return {};
}

Result<std::string> DemoProcesses::restart_nats(int status) {
  std::error_code ignored;  // its own folder ends with the demo
  std::filesystem::copy_file(nats_.log_file(), log_of("nats-server"),
                             std::filesystem::copy_options::overwrite_existing, ignored);
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(nats_restarts_, [&](const auto& at) { return now - at >= kNatsRestartWindow; });
  if (nats_restarts_.size() == kNatsRestartsMax)
    return fail("nats-server ended by itself (status {}), {} times in {} s; see {}", status,
                kNatsRestartsMax + 1, kNatsRestartWindow.count(), log_of("nats-server").string());
  nats_restarts_.push_back(now);
  auto again = local::NatsServer::start({.folder = folders_.state, .port = nats_.port()});
  if (!again)
    return fail("nats-server ended by itself (status {}), and cannot be started again: {}", status,
                again.error().message);
  nats_ = std::move(*again);
  return fmt::format(
      "nats-server ended by itself (status {}) and was started again; the nodes went on.", status);
}

void DemoProcesses::end_nodes() {
  for (auto& node : nodes_)
    node.process.terminate(std::chrono::seconds(10));
}

std::filesystem::path DemoProcesses::log_of(const std::string& name) const {
  return folders_.out / "logs" / (name + ".log");
}

}  // namespace submix::cli
