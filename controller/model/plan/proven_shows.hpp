// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

namespace submix::model {

/// Whether the view's show runs on all its nodes and its outputs keep its rate.
[[nodiscard]] bool keeps_its_rate(const ClusterView& view);

/// The shows that have kept their rate while this program watched. A plan never refuses the way
/// back to one of them.
///
/// Shape    At most kShowsMax; the oldest are forgotten. A show is added when it has kept its rate
///          for kProof.
/// Threads  Compatible. The class has no clock: callers pass the time.
/// Cost     update(): visits nodes and submixes; compares two shows after a change.
class ProvenShows {
 public:
  using Shows = std::vector<std::shared_ptr<const show::Show>>;
  static constexpr std::size_t kShowsMax = 32;
  static constexpr std::chrono::seconds kProof{3};

  /// Call a few times a second. `is_written`: the view's show is the cluster's.
  void update(const ClusterView& view, bool is_written, LocalTime now);
  /// The newest last; never null. A returned list is never changed.
  [[nodiscard]] std::shared_ptr<const Shows> shows() const { return shows_; }

 private:
  void keep(std::shared_ptr<const show::Show> show);

  std::shared_ptr<const show::Show> candidate_;  // null: the running show does not keep its rate
  LocalTime since_{};
  std::shared_ptr<const Shows> shows_ = std::make_shared<const Shows>();
};

}  // namespace submix::model
