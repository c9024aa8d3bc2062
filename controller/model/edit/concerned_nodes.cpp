// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/concerned_nodes.hpp"

#include "common/show/clip_bank.hpp"
#include "common/show/diff.hpp"
#include "common/show/macros.hpp"
#include "controller/model/edit/play_range.hpp"
#include "controller/model/view/show_nodes.hpp"

#include <algorithm>
#include <variant>

namespace submix::model {
namespace {

/// Whether only the node can check the change. A text may name a file, a font or a codec. A removed
/// text restores the plugin's own. The ends of a clip's range must lie within the clip. Cue points
/// of a clip and the parts of its bank are never refused.
bool needs_node(const show::SlotChange& change, const show::Slot& slot) {
  return std::ranges::any_of(change.parameters, [&](const auto& parameter) {
    const auto& [name, value] = parameter;
    const bool is_never_refused = name == show::kClipPoints || name == show::kClipParts;
    if (slot.plugin == "clip" && is_never_refused) return false;
    return !value || std::holds_alternative<std::string>(*value) || is_play_range(slot, name);
  });
}

}  // namespace

std::set<std::string> concerned_nodes(const show::Show* before, const show::Show& after) {
  const auto next = show::expand(after);
  if (before == nullptr) return nodes_with_work(next);
  const auto difference = show::diff(show::expand(*before), next);
  if (difference.is_format_changed) return nodes_with_work(next);

  std::set<std::string> nodes;
  const auto add = [&](const std::string& name) {
    const auto* submix = next.find_submix(name);
    if (submix != nullptr && !submix->node.empty()) nodes.insert(submix->node);
  };
  for (const auto* names : {&difference.added, &difference.moved, &difference.rebuilt})
    std::ranges::for_each(*names, add);
  for (const auto& change : difference.tuned) {
    const auto* slot = next.find_slot(change.slot);
    if (slot != nullptr && needs_node(change, *slot)) add(change.slot.submix);
  }
  return nodes;
}

}  // namespace submix::model
