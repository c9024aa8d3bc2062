// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace submix::cli {

/// Follows a cluster on its way to one revision of the show. A state machine without a clock, fed
/// with views.
class Convergence {
 public:
  explicit Convergence(std::uint64_t revision) : revision_(revision) {}

  /// News since the last call, a line for each submix: "left: starting on left".
  [[nodiscard]] std::vector<std::string> update(const model::ClusterView& view);

  [[nodiscard]] bool is_over() const {
    return is_over_;
  }  ///< every assigned submix runs or has failed
  [[nodiscard]] bool has_failed() const { return has_failed_; }  ///< at least one has
  /// Submixes that neither run nor have failed, with the cause of their wait.
  [[nodiscard]] std::vector<std::string> unfinished() const;
  /// Whether a node has become silent. Locking much memory can silence a node for up to a minute.
  [[nodiscard]] bool has_silent_node() const { return has_silent_node_; }

 private:
  std::uint64_t revision_;
  std::map<std::string, std::string> told_;  // the last line of each submix
  std::set<std::string> heard_;              // nodes that were present at some time
  std::vector<std::string> unfinished_;
  bool has_silent_node_ = false;
  bool is_over_ = false;
  bool has_failed_ = false;
};

}  // namespace submix::cli
