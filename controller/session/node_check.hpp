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

/// What the nodes say of a show that is to be written. Lines for people.
struct NodeCheck {
  /// What a node cannot run, and why; also what would leave a node that runs it for one that is not there.
  std::vector<std::string> refusals = {};
  std::vector<std::string> silent =
      {};  ///< nodes that are there, but gave no answer in time: they hang
  std::vector<std::string> absent =
      {};  ///< nodes that are not there: they look for themselves once they come
  bool is_unreachable = false;          ///< nobody could be asked: there is no connection
  std::vector<std::string> asked = {};  ///< names of the nodes that answered

  /// Whether the show may be written: why not, a reason a line.
  [[nodiscard]] Result<void> verdict() const;
};

/// How long the nodes have, all together: one may have to open clips on a slow disk.
inline constexpr std::chrono::milliseconds kNodeCheckPatience{4000};

/// How nodes are asked; a seam, so that the check can be tested without any. Both are called by several
/// threads at once.
struct NodeQuestions {
  std::function<cluster::Presence(const std::string& node, std::chrono::milliseconds patience)>
      presence;
  std::function<Result<std::vector<cluster::SubmixFault>>(
      const std::string& node, const std::string& show, std::chrono::milliseconds patience)>
      faults;
};

/// Asks all nodes that a change concerns (model::concerned_nodes), side by side. None is asked where nothing
/// concerns any. Threads: any; blocks up to `patience`.
[[nodiscard]] NodeCheck check_on_nodes(const NodeQuestions& questions, const show::Show* before,
                                       const show::Show& after,
                                       std::chrono::milliseconds patience = kNodeCheckPatience);
[[nodiscard]] NodeCheck check_on_nodes(cluster::Cluster& cluster, const show::Show* before,
                                       const show::Show& after);
/// Asks all nodes of the show for all of it, also for what runs already: a file may be gone since.
[[nodiscard]] NodeCheck check_whole_show(cluster::Cluster& cluster, const show::Show& show);

}  // namespace submix::session
