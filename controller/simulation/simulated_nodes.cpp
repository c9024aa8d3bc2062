// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/simulated_nodes.hpp"

#include "common/base/log.hpp"
#include "common/show/parse.hpp"
#include "controller/simulation/plugin_list.hpp"

#include <chrono>
#include <utility>

namespace submix::simulation {

SimulatedNodes::SimulatedNodes(cluster::Bus& bus, const Clock& clock, World::WorldSettings settings)
    : cluster_(bus), clock_(clock), world_(std::move(settings), clock.now()) {
  std::size_t nodes = 0;
  {
    MutexLock lock(mutex_);
    nodes = world_.node_count();
  }
  reported_.resize(nodes);
  services_.resize(nodes);
  subscriptions_.push_back(cluster_.watch_show([this](const auto& show) { take_show(show); }));
  subscriptions_.push_back(cluster_.watch_transport([this](const auto& transport) {
    MutexLock lock(mutex_);
    world_.follow(transport);
  }));
}

// A show that cannot be parsed changes nothing, as on real nodes.
void SimulatedNodes::take_show(const cluster::Revisioned<cluster::DesiredShow>& desired) {
  const auto show = show::parse(desired.value.toml, "show of " + desired.value.author);
  if (!show) return log::warning("{}", show::to_string(show.error()));
  MutexLock lock(mutex_);
  world_.follow(*show, desired.revision);
}

void SimulatedNodes::advance() {
  std::vector<telemetry::NodeReading> readings;
  std::vector<cluster::NodeReport> reports;
  std::vector<cluster::Event> events;
  std::vector<bool> are_alive;
  {
    MutexLock lock(mutex_);
    world_.advance(clock_.now());
    for (std::size_t i = 0; i < world_.node_count(); ++i) {
      const auto& node = world_.node(i);
      are_alive.push_back(node.is_alive());
      reports.push_back(node.report());
      if (node.is_alive()) readings.push_back(world_.next_reading(i));
    }
    events = world_.take_events();
  }
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (!are_alive[i]) services_[i].reset();
    if (!are_alive[i]) continue;
    if (!services_[i]) serve(i);
    if (reports[i] != reported_[i] && cluster_.put_report(reports[i]))
      reported_[i] = std::move(reports[i]);
  }
  for (const auto& reading : readings)
    cluster_.publish(reading);
  for (const auto& event : events)
    cluster_.publish(event);
}

void SimulatedNodes::serve(std::size_t node) {
  std::string name;
  {
    MutexLock lock(mutex_);
    name = world_.node(node).name();
  }
  services_[node] = cluster_.serve_commands(
      name, [this, node](const auto& command) { return answer(node, command); });
}

Result<cluster::Reply> SimulatedNodes::answer(std::size_t node, const cluster::Command& command) {
  MutexLock lock(mutex_);
  switch (command.kind) {
    case cluster::CommandKind::snapshot:
      return world_.picture(node, command).map([](auto picture) {
        return cluster::Reply(std::move(picture));
      });
    case cluster::CommandKind::plugins:
      return plugins_for(world_.show());
    case cluster::CommandKind::check:
      return std::vector<cluster::SubmixFault>();  // simulated nodes have every plugin and file
    case cluster::CommandKind::media:
      return cluster::MediaList();  // no disk is behind them
    case cluster::CommandKind::media_picture:
    case cluster::CommandKind::media_part:
    case cluster::CommandKind::media_copy:
      return fail("{}: simulated nodes have no files", command.file);
    case cluster::CommandKind::effect_picture:
      return fail("{}: simulated nodes run no plugins", command.plugin);
    case cluster::CommandKind::trace:
      break;
  }
  if (command.part == 0) traces_[node] = world_.trace(node, std::chrono::seconds(command.seconds));
  const auto& text = traces_[node];
  const auto parts = static_cast<std::uint32_t>((text.size() + cluster::kTracePartBytes - 1) /
                                                cluster::kTracePartBytes);
  if (command.part >= parts) return fail("part {} of a trace of {} parts", command.part, parts);
  return cluster::TracePart{
      parts, text.substr(command.part * cluster::kTracePartBytes, cluster::kTracePartBytes)};
}

}  // namespace submix::simulation
