// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/cluster/cluster.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

namespace submix::agent {

/// News from the control plane for the agent's thread. The mailbox cannot overflow: it keeps the
/// latest show, the latest report of each node, and the names of plugins.
///
/// Threads  Synchronized; one taker.
class Mailbox {
 public:
  struct News {
    std::optional<cluster::Revisioned<cluster::DesiredShow>> show;
    std::map<std::string, cluster::Revisioned<cluster::NodeReport>> reports;  ///< by node
    std::set<std::string> plugins;  ///< plugins that became usable
    bool is_reconnected = false;
  };

  void put(cluster::Revisioned<cluster::DesiredShow> show) SUBMIX_EXCLUDES(mutex_);
  void put(cluster::Revisioned<cluster::NodeReport> report) SUBMIX_EXCLUDES(mutex_);
  void put_plugin(std::string id) SUBMIX_EXCLUDES(mutex_);
  void put_reconnected() SUBMIX_EXCLUDES(mutex_);
  /// Wakes the taker because this node's own state has changed.
  void wake() SUBMIX_EXCLUDES(mutex_);

  /// The news since the last call; waits for news for at most `patience`.
  [[nodiscard]] News take_for(std::chrono::milliseconds patience, std::stop_token stop)
      SUBMIX_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  Condition filled_;
  News news_ SUBMIX_GUARDED_BY(mutex_);
  bool is_empty_ SUBMIX_GUARDED_BY(mutex_) = true;
};

}  // namespace submix::agent
