// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace submix::session {

/// Decides which nodes to ask for their plugins, and keeps the errors of nodes that gave no list.
///
/// Threads  Compatible.
class PluginQuestions {
 public:
  using Errors = std::map<std::string, std::string, std::less<>>;  ///< by node
  static constexpr std::chrono::seconds kRetry{10};                ///< for newly installed plugins

  /// A person wants to choose from the node's plugins.
  void want(const std::string& node) { wanted_.insert(node); }
  void forget(const std::string& node) { wanted_.erase(node); }
  /// The node has answered. Empty `error`: it gave a list.
  void answered(const std::string& node, const std::string& error);
  /// The nodes to ask now: nodes that run a plugin whose parameters no node has described, all
  /// nodes while such a node is absent, and wanted nodes.
  [[nodiscard]] std::vector<std::string> due(const model::ClusterView& known, LocalTime now);

  /// Null: every asked node has listed its plugins.
  [[nodiscard]] const std::shared_ptr<const Errors>& errors() const { return errors_; }

 private:
  [[nodiscard]] bool may_ask(const model::ClusterView& known, const std::string& node,
                             LocalTime now);

  std::map<std::string, LocalTime> asked_;  // by node
  std::set<std::string> wanted_;
  std::shared_ptr<const Errors> errors_;
};

}  // namespace submix::session
