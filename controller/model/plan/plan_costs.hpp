// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to planner.cpp: the work of slots, and the load of computers.

#include "controller/model/plan/planner.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::model {

/// The work of one slot on one frame.
struct SlotCost {
  double ms = 0;          ///< all of it, decoding included; of a macro: of all slots inside
  double slowest_ms = 0;  ///< of the slowest plugin
  /// Measured at another size that is unknown or very different, or on another clip.
  bool is_guess = false;
};

/// Predicts the costs of a wanted show from measurements of the running show.
///
/// A slot's work on a frame has three parts:
/// - A clip's decoding, from its counter. It is done beside the slot, which does not wait for it,
///   and its work per second does not depend on the show's size and rate.
/// - A fixed cost per frame: threads and processes hand the frame over (kHandOverMs).
/// - The rest grows with the pixels. A clip's painting grows with the pixels that it reads and
///   writes.
///
/// Work is measured at the submix's running size, which differs from the show's while a show
/// changes, or where a plugin refused its size. Without a known size the cost is a guess. A plugin
/// in a process of its own may copy the frame of a stream-in. A measurement of another slot with
/// the same plugin is therefore a guess if only one of both slots reads a stream-in. Waits are not
/// counted. A computer's other work (streams, previews, the system) stays as it is.
class PlanCosts {
 public:
  PlanCosts(const ClusterView& view, const show::Show& wanted);

  /// Measured on this slot, or on another slot with the same plugin. Empty: never measured.
  [[nodiscard]] std::optional<SlotCost> of(const show::Submix& submix,
                                           const show::Slot& slot) const;
  [[nodiscard]] std::vector<MachinePlan> machines() const;

 private:
  // Of the present frames. Empty: not known.
  [[nodiscard]] std::optional<Size> size_of(const SubmixView& submix) const;
  [[nodiscard]] std::optional<SlotCost> cost_of(const SubmixView& submix,
                                                const StageView& stage) const;
  [[nodiscard]] std::optional<SlotCost> cost_inside(const SubmixView& submix,
                                                    const std::string& prefix) const;
  [[nodiscard]] double output_chain_ms(const show::Submix& submix) const;

  const ClusterView& view_;
  const show::Show& wanted_;
  /// The most expensive measurement of one plugin.
  struct KnownCost {
    SlotCost cost;
    bool is_hosted = false;  // in a process of its own
  };
  using Kind = std::pair<std::string, bool>;  // the plugin; whether its slot reads a stream-in
  [[nodiscard]] std::optional<SlotCost> of_plugin(const Kind& kind) const;

  double rate_ratio_ = 1;  // the present rate over the wanted rate
  std::map<Kind, KnownCost> by_plugin_;
};

}  // namespace submix::model
