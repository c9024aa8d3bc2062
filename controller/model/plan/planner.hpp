// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Predicts the load of cards, links, slots and computers before a show runs, from measurements.
namespace submix::model {

/// The expectation for a show, from the best to the worst.
enum class Outlook {
  fine,
  unknown,  ///< never measured, and no card tells the limit
  warning,  ///< little is left
  refused,  ///< it cannot keep the show's rate
};

struct Finding {
  Outlook outlook = Outlook::fine;
  /// One sentence with figures: "stream \"left\" needs 373 MB/s, left-mix has 235".
  std::string text;
  std::string about;  ///< "stream left", "card eth0 of mix", "machine rack1", "slot left.glow"
  double share = 0;   ///< needed part of the capacity; 0: not known

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// The load of one card, in MB/s (10^6 bytes). Each direction has the card's full speed.
struct CardPlan {
  std::string node;
  std::string name;  ///< "eth0"; its address where the name is not known
  double out = 0;
  double in = 0;
  std::optional<double> has;  ///< its speed without headers; empty: not known
};

struct StreamPlan {
  std::string name;
  double needs = 0;           ///< MB/s
  std::optional<double> has;  ///< of its links together; empty: not known, or no card carries it
  /// the ends run on different machines, or shared memory is not allowed
  bool is_on_cards = false;
};

/// The predicted work of a slot's plugin on one frame.
struct SlotPlan {
  std::string name;          ///< "left.glow"
  std::optional<double> ms;  ///< empty: it has not run yet
  double has_ms = 0;         ///< until the next frame is due, times the helpers
  bool is_guess = false;     ///< as MachinePlan::is_guess
};

/// One computer, with all of its nodes.
struct MachinePlan {
  std::string name;  ///< its nodes: "left, mix"
  int cores = 0;     ///< 0: not known
  double load = 0;   ///< cores' worth of the measured work
  double load_now = 0;
  bool is_whole = true;   ///< all work of the wanted show was measured
  bool is_guess = false;  ///< some of the work was measured under other conditions
};

struct Plan {
  std::vector<StreamPlan> streams;  ///< in the show's order
  std::vector<CardPlan> cards;      ///< cards with traffic
  std::vector<SlotPlan> slots;      ///< of submixes that a node runs
  std::vector<MachinePlan> machines;
  std::vector<Finding> findings;  ///< worst first; none is fine
  Outlook outlook = Outlook::fine;

  [[nodiscard]] const StreamPlan* find_stream(std::string_view name) const;
};

/// The predicted load of `wanted`, from `view`'s measurements of the running show. Pure.
///
/// A frame has three bytes a pixel. A stream's links share the speed of their cards; links measured
/// between the same nodes have the measured speed. A slot's work is its recent work, also on
/// another computer. PlanCosts adapts the work to another size or rate. A guess leads to a warning,
/// never to a refusal.
///
/// Cost     Linear in slots and cards, quadratic in the streams of one node, times a logarithm.
[[nodiscard]] Plan plan_show(const ClusterView& view, const show::Show& wanted);

/// The load after a change, and the findings that the change causes.
struct ChangePlan {
  Plan plan;
  std::vector<Finding> findings;  ///< caused by the change
  Outlook outlook = Outlook::fine;
  /// The worst finding, or a summary of the load; shown before the change is made.
  std::string sentence;
};

/// Predicts an edit. Fails, with the reason, where the edit is impossible. The findings have only
/// what the edit makes worse. Three kinds of edit are warned of, never refused: an edit that asks
/// less of everything, and an edit whose show asks no more than the last good show or a show that
/// has kept its rate (ClusterView::proven_shows).
[[nodiscard]] Result<ChangePlan> plan_change(const ClusterView& view, const Edit& edit);

/// Whether `after` may need more of cards and computers than `before`. Values, knobs, presets,
/// cues, names and a newly bypassed slot cannot, and need no plan.
[[nodiscard]] bool may_ask_more(const show::Show& before, const show::Show& after);

[[nodiscard]] std::string_view to_string(Outlook outlook);

}  // namespace submix::model
