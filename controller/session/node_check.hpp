// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/cluster.hpp"
#include "common/show/document.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace submix::session {

/// The nodes' opinion of a show before it is written, as lines for people.
struct NodeCheck {
  /// Parts that a node cannot run, with the reason. Also submixes that move from a running node to
  /// an absent one.
  std::vector<std::string> refusals = {};
  /// Nodes that are present but did not answer in time: they hang.
  std::vector<std::string> silent = {};
  /// Absent nodes: they check the show themselves when they come.
  std::vector<std::string> absent = {};
  bool is_unreachable = false;          ///< no node could be asked: there is no connection
  std::vector<std::string> asked = {};  ///< names of the nodes with an answer

  /// Whether the show may be written. The error has one reason a line.
  [[nodiscard]] Result<void> verdict() const;
};

/// How long all nodes together may take: a node may have to open clips on a slow disk.
inline constexpr std::chrono::milliseconds kNodeCheckPatience{4000};

/// Questions to nodes. An interface, so that the check can be tested without nodes. Several threads
/// call both functions at once.
struct NodeQuestions {
  std::function<cluster::Presence(const std::string& node, std::chrono::milliseconds patience)>
      presence;
  std::function<Result<std::vector<cluster::SubmixFault>>(
      const std::string& node, const std::string& show, std::chrono::milliseconds patience)>
      faults;
};

/// Asks all nodes concerned by a change (model::concerned_nodes), in parallel. No node is asked if
/// the change concerns none.
///
/// Threads  Any. Blocks up to `patience`.
[[nodiscard]] NodeCheck check_on_nodes(const NodeQuestions& questions, const show::Show* before,
                                       const show::Show& after,
                                       std::chrono::milliseconds patience = kNodeCheckPatience);
[[nodiscard]] NodeCheck check_on_nodes(cluster::Cluster& cluster, const show::Show* before,
                                       const show::Show& after);
/// Asks all nodes of the show about the whole show, even about parts that run already: a file may
/// have been removed since.
[[nodiscard]] NodeCheck check_whole_show(cluster::Cluster& cluster, const show::Show& show);

}  // namespace submix::session
