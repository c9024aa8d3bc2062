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

/// Finds out which nodes have ended: the last report of a node stays where it is when the node ends.
///
/// Shape    Only nodes that this one waits for are asked. One that gives no answer kSilences times in a row
/// has
///          ended.
/// Threads  Synchronized; look() waits for the answers.
class EndedNodes {
 public:
  static constexpr std::chrono::seconds kPause{1};  // between two looks
  static constexpr int kSilences = 3;  // a node that connects to NATS anew gives none meanwhile

  using IsThere = std::function<bool(const std::string& node)>;

  explicit EndedNodes(IsThere is_there) : is_there_(std::move(is_there)) {}

  /// The nodes that are waited for. Returns whether it is time for a look.
  [[nodiscard]] bool watch(const std::set<std::string>& nodes, LocalTime now)
      SUBMIX_EXCLUDES(mutex_);
  void look(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  /// Those found since the last call.
  [[nodiscard]] std::set<std::string> take() SUBMIX_EXCLUDES(mutex_);

 private:
  const IsThere is_there_;
  Mutex mutex_;
  std::map<std::string, int> silences_
      SUBMIX_GUARDED_BY(mutex_);  // in a row, by node that is waited for
  std::set<std::string> ended_ SUBMIX_GUARDED_BY(mutex_);
  std::optional<LocalTime> looked_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::agent
