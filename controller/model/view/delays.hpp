// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace submix::model {

/// How old a performer's picture is when an output shows it, recently.
struct PerformerDelay {
  std::string performer;  ///< a submix that gets no stream
  std::string output;     ///< a submix with an output of the show; it may be the performer itself
  /// Sums of the medians and of the 99th percentiles of each part of the way: the patches, from
  /// taking a frame to passing it on, and the streams between them. Where several ways lead to the
  /// output, of the longest.
  std::chrono::nanoseconds p50{0};
  std::chrono::nanoseconds p99{0};
};

/// The delays of all performers whose whole way is measured, by output and performer in the show's
/// order.
[[nodiscard]] std::vector<PerformerDelay> find_delays(const ClusterView& view);

}  // namespace submix::model
