// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

namespace submix::model {

/// Whether the view's show runs on all its nodes, and its outputs have its rate.
[[nodiscard]] bool runs_at_its_rate(const ClusterView& view);

/// The shows that have run at their rate while this program watched: the way back to each is open, whatever
/// a plan says.
///
/// Shape    At most kShowsMax; the oldest ones go. A show is one of them once it has kept its rate for
/// kProof. Threads  Compatible; no clock of its own. Cost     update(): a look at nodes and submixes; a
/// comparison of two shows where the show has changed.
class RanShows {
 public:
  using Shows = std::vector<std::shared_ptr<const show::Show>>;
  static constexpr std::size_t kShowsMax = 32;
  static constexpr std::chrono::seconds kProof{3};

  /// To be called a few times a second. `is_written`: the view's show is what the cluster has.
  void update(const ClusterView& view, bool is_written, LocalTime now);
  /// The newest last; never null. A list that was given out is never changed.
  [[nodiscard]] std::shared_ptr<const Shows> shows() const { return shows_; }

 private:
  void keep(std::shared_ptr<const show::Show> show);

  std::shared_ptr<const show::Show> candidate_;  // null: what runs does not keep its rate
  LocalTime since_{};
  std::shared_ptr<const Shows> shows_ = std::make_shared<const Shows>();
};

}  // namespace submix::model
