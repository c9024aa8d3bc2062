// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/cluster/cluster.hpp"

#include <string>

namespace submix::agent {

/// Writes a node's events to its log and publishes them on the control plane. Synchronized.
class NodeEvents final : public EventSink {
 public:
  /// `cluster` outlives it.
  NodeEvents(std::string node, cluster::Cluster& cluster);
  void report(Severity severity, std::string about, std::string text) override;

 private:
  std::string node_;
  cluster::Cluster& cluster_;
};

}  // namespace submix::agent
