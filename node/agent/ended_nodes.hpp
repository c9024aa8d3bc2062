// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>

namespace submix::agent {

/// Finds out which nodes have ended. A node's last report alone does not tell: the report stays in
/// the store after the node ends.
///
/// Shape    Only nodes that this node waits for are asked. A node that is silent kSilences times in
///          a row has ended.
/// Threads  Synchronized; probe() waits for the answers.
class EndedNodes {
 public:
  static constexpr std::chrono::seconds kPause{1};  // between two probes
  static constexpr int kSilences = 3;  // a node that reconnects to NATS does not answer meanwhile

  using IsThere = std::function<bool(const std::string& node)>;

  explicit EndedNodes(IsThere is_there) : is_there_(std::move(is_there)) {}

  /// Sets the nodes to wait for. Returns whether a probe is due.
  [[nodiscard]] bool watch(const std::set<std::string>& nodes, LocalTime now)
      SUBMIX_EXCLUDES(mutex_);
  void probe(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  /// The nodes found ended since the last call.
  [[nodiscard]] std::set<std::string> take() SUBMIX_EXCLUDES(mutex_);

 private:
  const IsThere is_there_;
  Mutex mutex_;
  // Silent answers in a row, by node.
  std::map<std::string, int> silences_ SUBMIX_GUARDED_BY(mutex_);
  std::set<std::string> ended_ SUBMIX_GUARDED_BY(mutex_);
  std::optional<LocalTime> probed_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::agent
