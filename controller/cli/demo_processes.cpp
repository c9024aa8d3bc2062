// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/demo_processes.hpp"

#include "common/cluster/address.hpp"

namespace submix::cli {
namespace {

constexpr std::uint16_t kUsualNatsPort = 4222;  // where `submix status` looks when it is not told

Result<cluster::NatsServer> start_nats(const std::filesystem::path& folder) {
  cluster::NatsServerSettings settings;
  settings.folder = folder;
  settings.port = cluster::is_reachable(cluster::kDefaultUrl) ? std::uint16_t{0} : kUsualNatsPort;
  return cluster::NatsServer::start(std::move(settings));
}

}  // namespace

std::filesystem::path program_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

Result<DemoProcesses> DemoProcesses::start(const show::Show& show, const Folders& folders) {
  auto nats = start_nats(folders.state);
  if (!nats) return tl::unexpected(nats.error());
  DemoProcesses processes(std::move(*nats), folders);
  for (const auto& node : show.nodes) {
    if (auto started = processes.start_node(node.name); !started) return tl::unexpected(started.error());
  }
  return processes;
}

Result<void> DemoProcesses::start_node(const std::string& name) {
  // Two addresses of this machine stand for two network cards.
  auto process =
      ChildProcess::start({(program_folder() / "submix-node").string(), "--name", name, "--nats", nats_url(),
                           "--data-address", "127.0.0.1", "--data-address", "127.0.0.2", "--media",
                           folders_.out.string(), "--recordings", folders_.out.string()},
                          log_of(name));
  if (!process) return tl::unexpected(process.error());
  nodes_.push_back({name, std::move(*process)});
  return {};
}

Result<void> DemoProcesses::open_controller() {
  auto process = ChildProcess::start(
      {(program_folder() / "submix-controller").string(), "--nats", nats_url()}, log_of("controller"));
  if (!process) return tl::unexpected(process.error());
  controller_ = std::move(*process);
  return {};
}

bool DemoProcesses::is_controller_closed() {
  return controller_ && controller_->exit_status();
}

Result<void> DemoProcesses::check() {
  if (const auto status = nats_.process().exit_status()) {
    std::error_code ignored;  // its own folder ends with the demo
    std::filesystem::copy_file(nats_.log_file(), log_of("nats-server"),
                               std::filesystem::copy_options::overwrite_existing, ignored);
    return fail("nats-server ended by itself (status {}); see {}", *status, log_of("nats-server").string());
  }
  for (auto& node : nodes_) {
    if (const auto status = node.process.exit_status())
      return fail("node {} ended by itself (status {}); see {}", node.name, *status,
                  log_of(node.name).string());
  }
  return {};
}

void DemoProcesses::end_nodes() {
  for (auto& node : nodes_)
    node.process.terminate(std::chrono::seconds(10));
}

std::filesystem::path DemoProcesses::log_of(const std::string& name) const {
  return folders_.out / "logs" / (name + ".log");
}

}  // namespace submix::cli
