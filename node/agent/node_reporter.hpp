// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/cluster/messages.hpp"
#include "node/agent/node_parts.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace submix::agent {

/// Exchanges reports with the other nodes: takes theirs, and publishes this node's when it changes.
///
/// Threads  Confined (agent).
class NodeReporter {
 public:
  /// `parts` outlives it.
  explicit NodeReporter(NodeParts& parts) : parts_(parts) {}

  /// Takes a node's report: endpoints, submixes, epoch. `revision` is the report's in the store.
  /// Returns false, and ignores the report, if too many nodes have reported.
  bool take(const cluster::NodeReport& report, std::uint64_t revision);
  /// Publishes this node's report if it has changed. `show_revision`: of the show it answers.
  void report(std::uint64_t show_revision);
  /// Publishes the report again with the next report(): the store may have lost it.
  void repeat() { reported_ = {}; }

 private:
  [[nodiscard]] cluster::NodeReport present_report(std::uint64_t show_revision);
  void check_for_namesake(const cluster::NodeReport& report, std::uint64_t revision);
  void hear_epoch(const cluster::NodeReport& report);
  void hear_identity(const cluster::NodeReport& report);

  NodeParts& parts_;
  cluster::NodeReport reported_;
  std::uint64_t reported_revision_ = 0;  // revision of this node's last report; 0: none yet
  std::map<std::string, std::string> identities_;  // by node; empty: it has none
  bool has_met_namesake_ = false;
  bool has_heard_absurd_epoch_ = false;
};

}  // namespace submix::agent
