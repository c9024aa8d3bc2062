// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to planner.cpp: what slots take, and what computers would have to do.

#include "controller/model/plan/planner.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::model {

/// Of one slot and one frame.
struct SlotCost {
  double ms = 0;          ///< all of it; of a submix in a slot: of all slots inside
  double slowest_ms = 0;  ///< of one plugin
  bool is_guess =
      false;  ///< measured at another size, far from the wanted one or unknown, or of another clip
};

/// What was measured of the show that runs, as the costs of another one.
///
/// Shape    The work of a slot on a frame has three parts.
///          - A clip's decoding, which its counter tells. It is the same in every second, whatever the show's
///            size and rate.
///          - What each frame costs at any size: threads and processes hand it over (kHandOverMs).
///          - The rest grows with the pixels; a clip's painting with those that it reads and writes. All are
///          measured at the size that the submix runs at: while a show changes, or where a plugin refused
///          its size, not the show's own. A cost is a guess where this size is not known.
///          A plugin in a process of its own copies what a stream-in gives it. What another slot took for
///          that plugin is a guess where only one of both slots reads a stream-in.
///          Waits are not counted. A computer's other work (streams, previews, the system) stays as it is.
class PlanCosts {
 public:
  PlanCosts(const ClusterView& view, const show::Show& wanted);

  /// Measured of this slot, or of another one with the same plugin; empty: of none.
  [[nodiscard]] std::optional<SlotCost> of(const show::Submix& submix,
                                           const show::Slot& slot) const;
  [[nodiscard]] std::vector<MachinePlan> machines() const;

 private:
  // Of the frames that it makes now; empty: not known.
  [[nodiscard]] std::optional<Size> size_of(const SubmixView& submix) const;
  [[nodiscard]] std::optional<SlotCost> cost_of(const SubmixView& submix,
                                                const StageView& stage) const;
  [[nodiscard]] std::optional<SlotCost> cost_inside(const SubmixView& submix,
                                                    const std::string& prefix) const;
  [[nodiscard]] double output_chain_ms(const show::Submix& submix) const;

  const ClusterView& view_;
  const show::Show& wanted_;
  /// Of one plugin, the dearest.
  struct Known {
    SlotCost cost;
    bool is_hosted = false;  // in a process of its own
  };
  using Kind = std::pair<std::string, bool>;  // the plugin; whether its slot reads a stream-in
  [[nodiscard]] std::optional<SlotCost> of_plugin(const Kind& kind) const;

  double rate_ratio_ = 1;  // of the wanted rate, the present one
  std::map<Kind, Known> by_plugin_;
};

}  // namespace submix::model
