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

/// News from the control plane on its way to the agent's thread. It cannot overflow: of each thing only the
/// latest is kept, and there are as many things as nodes
/// and plugins.
///
/// Threads  Synchronized; one taker.
class Mailbox {
 public:
  struct News {
    std::optional<cluster::Revisioned<cluster::DesiredShow>> show;
    std::map<std::string, cluster::Revisioned<cluster::NodeReport>> reports;  ///< by node
    std::set<std::string> plugins;  ///< that can be used by now
    bool is_reconnected = false;
  };

  void put(cluster::Revisioned<cluster::DesiredShow> show) SUBMIX_EXCLUDES(mutex_);
  void put(cluster::Revisioned<cluster::NodeReport> report) SUBMIX_EXCLUDES(mutex_);
  void put_plugin(std::string id) SUBMIX_EXCLUDES(mutex_);
  void put_reconnected() SUBMIX_EXCLUDES(mutex_);
  /// Something of this node itself has changed: the taker comes and sees.
  void wake() SUBMIX_EXCLUDES(mutex_);

  /// What came since the last call; waits for something at most `patience`.
  [[nodiscard]] News take_for(std::chrono::milliseconds patience, std::stop_token stop)
      SUBMIX_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  Condition filled_;
  News news_ SUBMIX_GUARDED_BY(mutex_);
  bool is_empty_ SUBMIX_GUARDED_BY(mutex_) = true;
};

}  // namespace submix::agent
