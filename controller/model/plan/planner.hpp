// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a show would ask of cards, links, slots and computers before it runs so, from what was measured.
namespace submix::model {

/// What may be expected of a show, from the best to the worst.
enum class Outlook {
  fine,
  unknown,  ///< something of it was never measured and no card says it
  warning,  ///< little is left
  refused,  ///< it cannot keep the show's rate
};

struct Finding {
  Outlook outlook = Outlook::fine;
  std::string
      text;  ///< one sentence with figures: "stream \"left\" needs 373 MB/s, left-mix has 235"
  std::string about;  ///< "stream left", "card eth0 of mix", "machine rack1", "slot left.glow"
  double share = 0;   ///< of what there is, that is needed; 0: not known

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// What one card would carry, in MB/s (10^6 bytes). Both directions have all of its speed.
struct CardPlan {
  std::string node;
  std::string name;  ///< "eth0"; its address where its name is not known
  double out = 0;
  double in = 0;
  std::optional<double> has;  ///< what TCP gets of its speed; empty: not known
};

struct StreamPlan {
  std::string name;
  double needs = 0;           ///< MB/s
  std::optional<double> has;  ///< of its links together; empty: not known, or no card carries it
  bool is_on_cards = false;  ///< both ends run, on different machines, or may not use shared memory
};

/// What a slot's plugin would work on a frame.
struct SlotPlan {
  std::string name;          ///< "left.glow"
  std::optional<double> ms;  ///< empty: it has not run yet
  double has_ms = 0;         ///< until the next frame is due; its helpers together
  bool is_guess = false;     ///< as MachinePlan's
};

/// One computer, with all of its nodes.
struct MachinePlan {
  std::string name;  ///< of its nodes: "left, mix"
  int cores = 0;     ///< 0: not known
  double load = 0;   ///< cores' worth of work; of what was measured
  double load_now = 0;
  bool is_whole = true;   ///< everything that it would run was measured
  bool is_guess = false;  ///< some of it was not measured as it would run
};

struct Plan {
  std::vector<StreamPlan> streams;  ///< in the show's order
  std::vector<CardPlan> cards;      ///< that carry something
  std::vector<SlotPlan> slots;      ///< of submixes that a node runs
  std::vector<MachinePlan> machines;
  std::vector<Finding> findings;  ///< worst first; none is fine
  Outlook outlook = Outlook::fine;

  [[nodiscard]] const StreamPlan* find_stream(std::string_view name) const;
};

/// What `wanted` would ask, by what `view` knows of the show that runs now. Pure.
///
/// A frame has three bytes a pixel. A stream's links share what their cards have, and links that were
/// measured between the same nodes what that was. A slot takes for a frame what it took of late, also on
/// another computer; PlanCosts says what another size or rate makes of it. A guess is warned of, not refused.
/// Cost     Linear in slots and cards, quadratic in the streams of one node, but for a logarithm.
[[nodiscard]] Plan plan_show(const ClusterView& view, const show::Show& wanted);

/// What a change would ask, and what of it is not so already.
struct ChangePlan {
  Plan plan;
  std::vector<Finding> findings;  ///< that the change brings
  Outlook outlook = Outlook::fine;
  std::string
      sentence;  ///< the worst finding, or what the change asks of whom: to be shown before it is made
};

/// Fails where the edit cannot be made at all; then why. Only what the edit makes worse is among its
/// findings. The way back is warned of, not refused: an edit that asks less of everything, and one whose show
/// asks no more than the last good one, or one that has run at its rate (ClusterView::ran_shows).
[[nodiscard]] Result<ChangePlan> plan_change(const ClusterView& view, const Edit& edit);

/// Whether `after` may ask more of cards and computers than `before`. Values, knobs, presets, cues, names and
/// a slot that is bypassed cannot, and need no plan.
[[nodiscard]] bool may_ask_more(const show::Show& before, const show::Show& after);

[[nodiscard]] std::string_view to_string(Outlook outlook);

}  // namespace submix::model
