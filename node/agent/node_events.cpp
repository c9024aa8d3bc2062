// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/node_events.hpp"

#include "common/base/log.hpp"

#include <utility>

namespace submix::agent {
namespace {

log::Level level_of(Severity severity) {
  switch (severity) {
    case Severity::note:
      return log::Level::info;
    case Severity::warning:
      return log::Level::warning;
    case Severity::fault:
      return log::Level::error;
  }
  return log::Level::error;
}

}  // namespace

NodeEvents::NodeEvents(std::string node, cluster::Cluster& cluster)
    : node_(std::move(node)), cluster_(cluster) {}

void NodeEvents::report(Severity severity, std::string about, std::string text) {
  log::write(level_of(severity), about + ": " + text);
  cluster_.publish(cluster::Event{node_, severity, std::move(about), std::move(text)});
}

}  // namespace submix::agent
