// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/ended_nodes.hpp"

#include <utility>
#include <vector>

namespace submix::agent {

bool EndedNodes::watch(const std::set<std::string>& nodes, LocalTime now) {
  const MutexLock lock(mutex_);
  std::erase_if(silences_, [&](const auto& entry) { return !nodes.contains(entry.first); });
  for (const auto& node : nodes)
    silences_.try_emplace(node, 0);
  const bool is_due = !silences_.empty() && (!probed_ || now - *probed_ >= kPause);
  if (is_due) probed_ = now;
  return is_due;
}

void EndedNodes::probe(const std::stop_token& stop) {
  std::vector<std::string> nodes;
  {
    const MutexLock lock(mutex_);
    for (const auto& [node, silences] : silences_)
      nodes.push_back(node);
  }
  for (const auto& node : nodes) {
    if (stop.stop_requested()) return;
    const bool is_there = is_there_(node);
    const MutexLock lock(mutex_);
    const auto found = silences_.find(node);
    if (found == silences_.end()) continue;
    found->second = is_there ? 0 : found->second + 1;
    if (found->second >= kSilences) ended_.insert(node);
  }
}

std::set<std::string> EndedNodes::take() {
  const MutexLock lock(mutex_);
  for (const auto& node : ended_)
    silences_.erase(node);
  return std::exchange(ended_, {});
}

}  // namespace submix::agent
