// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to planner.cpp: what slots take, and what computers would have to do.

#include "controller/model/cluster_view.hpp"
#include "controller/model/planner.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::model {

/// Of one slot and one frame.
struct SlotCost {
  double ms = 0;          ///< all of it; of a submix in a slot: of all slots inside
  double slowest_ms = 0;  ///< of one plugin
};

/// What was measured of the show that runs, as the costs of another one.
class PlanCosts {
 public:
  PlanCosts(const ClusterView& view, const show::Show& wanted);

  /// Measured of this slot, or of another one with the same plugin; empty: of none.
  [[nodiscard]] std::optional<SlotCost> of(const show::Submix& submix, const show::Slot& slot) const;
  [[nodiscard]] std::vector<MachinePlan> machines() const;

 private:
  [[nodiscard]] double output_chain_ms(const show::Submix& submix) const;

  const ClusterView& view_;
  const show::Show& wanted_;
  double scale_ = 1;                                        // by the pixels
  std::map<std::string, SlotCost, std::less<>> by_plugin_;  // the dearest of each
};

}  // namespace submix::model
