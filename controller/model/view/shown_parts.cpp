// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/shown_parts.hpp"

#include "common/show/macros.hpp"
#include "common/show/stated_value.hpp"
#include "common/show/text.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::model {
namespace {

// Plugins that consume pictures, when no slot reads them.
constexpr bool is_sink(std::string_view plugin) {
  return plugin == "null" || plugin == "checker";
}

std::string name_of_input(const std::string& text) {
  return show::parse_input(text).value_or(show::Input{text, 0}).slot;
}

/// The slots that a slot reads, by the show. The slot above a source counts, too: whether the slot
/// is a source is not known here, and an extra wire does less harm than a missing one.
std::vector<std::string> written_inputs(const show::Submix& submix, std::size_t i) {
  const auto& slot = submix.slots[i];
  if (slot.plugin == show::kStreamInPlugin) return {};
  std::vector<std::string> names;
  if (slot.inputs) {
    for (const auto& input : *slot.inputs)
      names.push_back(name_of_input(input));
  } else if (slot.above) {
    if (!slot.above->empty()) names.push_back(name_of_input(*slot.above));
  } else if (i > 0) {
    names.push_back(submix.slots[i - 1].name);
  }
  return names;
}

std::vector<std::string> inputs_of(const show::Submix& submix, std::size_t i,
                                   const SubmixView& seen) {
  const auto* stage = seen.find_stage(submix.slots[i].name);
  if (stage == nullptr) return written_inputs(submix, i);
  std::vector<std::string> names;
  for (const auto& queue : stage->queues)
    names.push_back(queue.from);
  return names;
}

enum class OutputKind {
  shown,  ///< windows, and recordings that are on
  sink,   ///< null and checker slots without a reader
};

bool is_recording(const show::Slot& slot) {
  return slot.plugin == "record" && show::stated_value(slot.parameters, "recording", true);
}

std::vector<std::string> shown_slots_of(const show::Submix& submix) {
  std::vector<std::string> slots;
  for (const auto& slot : submix.slots) {
    const bool is_off = slot.plugin == "record" && !is_recording(slot);
    if (show::is_shown_at(slot) && !is_off) slots.push_back(slot.name);
  }
  return slots;
}

std::vector<std::string> sinks_of(const show::Submix& submix) {
  std::set<std::string> read;
  for (std::size_t i = 0; i < submix.slots.size(); ++i) {
    for (auto& name : written_inputs(submix, i))
      read.insert(std::move(name));
  }
  std::vector<std::string> sinks;
  for (const auto& slot : submix.slots) {
    if (is_sink(slot.plugin) && !read.contains(slot.name)) sinks.push_back(slot.name);
  }
  return sinks;
}

SubmixView* find_submix(ClusterView& view, std::string_view name) {
  const auto found = std::ranges::find(view.submixes, name, &SubmixView::name);
  return found == view.submixes.end() ? nullptr : &*found;
}

/// Goes back from outputs and marks every visited part.
class ShownPartsMarker {
 public:
  ShownPartsMarker(const show::Show& expanded, ClusterView& view) : show_(expanded), view_(view) {}

  void add(const std::string& submix, const std::string& slot) {
    if (seen_.emplace(submix, slot).second) waiting_.push_back({submix, slot});
  }

  void run() {
    while (!waiting_.empty()) {
      const auto port = std::move(waiting_.back());
      waiting_.pop_back();
      look_at(port);
    }
  }

 private:
  void look_at(const show::Port& port) {
    const auto* written = show_.find_submix(port.submix);
    auto* seen = find_submix(view_, port.submix);
    if (written == nullptr || seen == nullptr) return;
    seen->is_shown = true;
    const auto slot = std::ranges::find(written->slots, port.slot, &show::Slot::name);
    if (slot == written->slots.end()) return;
    if (slot->plugin == show::kStreamInPlugin) return follow_streams_into(port);
    const auto i = static_cast<std::size_t>(slot - written->slots.begin());
    for (const auto& input : inputs_of(*written, i, *seen))
      add(port.submix, input);
  }

  void follow_streams_into(const show::Port& port) {
    for (auto& stream : view_.streams) {
      if (stream.to != port) continue;
      stream.is_shown = true;
      add(stream.from.submix, stream.from.slot);
    }
  }

  const show::Show& show_;
  ClusterView& view_;
  std::set<std::pair<std::string, std::string>> seen_;
  std::vector<show::Port> waiting_;
};

void forget_marks(ClusterView& view, bool is_shown) {
  for (auto& submix : view.submixes) {
    submix.is_shown = is_shown && submix.state != SubmixState::in_others;
    submix.is_final = false;
    submix.outputs.clear();
  }
  for (auto& stream : view.streams)
    stream.is_shown = is_shown;
}

bool is_end(const ClusterView& view, const SubmixView& submix) {
  return submix.is_shown && std::ranges::none_of(view.streams, [&](const StreamView& stream) {
           return stream.from.submix == submix.name;
         });
}

void mark_all(ClusterView& view) {
  forget_marks(view, true);
  const bool is_any_run = std::ranges::any_of(view.submixes, [&](const SubmixView& submix) {
    return is_end(view, submix) && !submix.node.empty();
  });
  for (auto& submix : view.submixes)
    submix.is_final = is_end(view, submix) && submix.node.empty() != is_any_run;
}

// A submix has the rate of its slowest output, whatever its other slots do.
void measure_outputs(SubmixView& submix) {
  bool is_first = true;
  for (const auto& output : submix.outputs) {
    const auto* stage = submix.find_stage(output);
    if (stage == nullptr) continue;
    submix.fps = is_first ? stage->fps : std::min(submix.fps, stage->fps);
    submix.still_for = is_first ? stage->still_for : std::max(submix.still_for, stage->still_for);
    is_first = false;
  }
}

/// Marks outputs of one kind, in submixes with a node or without one. Returns whether any exists.
bool mark_outputs(const show::Show& expanded, ClusterView& view, OutputKind kind, bool has_node) {
  bool is_any = false;
  for (const auto& written : expanded.submixes) {
    auto* seen = find_submix(view, written.name);
    if (seen == nullptr || seen->state == SubmixState::in_others ||
        written.node.empty() == has_node)
      continue;
    seen->outputs = kind == OutputKind::shown ? shown_slots_of(written) : sinks_of(written);
    seen->is_final = !seen->outputs.empty();
    is_any = is_any || seen->is_final;
  }
  return is_any;
}

}  // namespace

void mark_shown_parts(const show::Show& expanded, ClusterView& view) {
  forget_marks(view, false);
  const bool has_outputs = mark_outputs(expanded, view, OutputKind::shown, true) ||
                           mark_outputs(expanded, view, OutputKind::sink, true) ||
                           mark_outputs(expanded, view, OutputKind::shown, false) ||
                           mark_outputs(expanded, view, OutputKind::sink, false);
  if (!has_outputs) return mark_all(view);
  ShownPartsMarker marking(expanded, view);
  for (auto& submix : view.submixes) {
    for (const auto& output : submix.outputs)
      marking.add(submix.name, output);
    measure_outputs(submix);
  }
  marking.run();
}

}  // namespace submix::model
