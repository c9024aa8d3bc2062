// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/patch_wiring.hpp"

#include "common/show/circles.hpp"
#include "common/show/macros.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/plugin_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

std::vector<show::Input> parse_inputs(const std::vector<std::string>& texts) {
  std::vector<show::Input> inputs;
  for (const auto& text : texts) {
    if (auto input = show::parse_input(text)) inputs.push_back(*std::move(input));
  }
  return inputs;
}

std::vector<std::string> texts_of(const std::vector<show::Input>& inputs) {
  std::vector<std::string> texts;
  for (const auto& [slot, delay] : inputs)
    texts.push_back(delay == 0 ? slot : fmt::format("{}@{}", slot, delay));
  return texts;
}

using Inputs = std::vector<show::Input>;

}  // namespace

bool WiredSlot::reads_slot(std::string_view name) const {
  return std::ranges::any_of(reads, [&](const show::Input& input) { return input.slot == name; });
}

PatchWiring::PatchWiring(const show::Show& show, const show::Submix& submix,
                         const PluginMap& plugins)
    : submix_(submix.name) {
  for (std::size_t i = 0; i < submix.slots.size(); ++i) {
    WiredSlot wired{submix.slots[i]};
    const auto count = input_count(show, plugins, wired.slot.plugin);
    const bool is_source = count == show::InputCount(0) || i == 0;
    if (wired.slot.inputs) {
      wired.reads = parse_inputs(*wired.slot.inputs);
    } else {
      wired.source = count || i == 0 ? WiredSlot::Source::implied : WiredSlot::Source::guessed;
      if (!is_source && count.value_or(1) == show::InputCount(1))
        wired.reads = {{submix.slots[i - 1].name, 0}};
    }
    slots_.push_back(std::move(wired));
  }
}

std::size_t PatchWiring::index_of(std::string_view name) const {
  const auto found =
      std::ranges::find_if(slots_, [&](const WiredSlot& wired) { return wired.slot.name == name; });
  return static_cast<std::size_t>(found - slots_.begin());
}

std::string PatchWiring::above(std::size_t index) const {
  return index == 0 ? std::string() : slots_[index - 1].slot.name;
}

const WiredSlot* PatchWiring::reader_of(std::string_view name) const {
  const auto found = std::ranges::find_if(slots_, [&](const WiredSlot& wired) {
    return wired.slot.name != name && wired.reads_slot(name);
  });
  return found == slots_.end() ? nullptr : &*found;
}

void PatchWiring::insert(std::size_t index, WiredSlot slot, bool takes_over) {
  const auto former = above(index);
  for (auto& wired : slots_) {
    for (auto& input : wired.reads) {
      if (takes_over && !former.empty() && input == show::Input{former, 0})
        input.slot = slot.slot.name;
    }
  }
  slots_.insert(slots_.begin() + static_cast<std::ptrdiff_t>(index), std::move(slot));
}

Result<WiredSlot> PatchWiring::take_out(std::size_t index) {
  auto gone = slots_[index];
  const auto& name = gone.slot.name;
  const auto stand_in = std::ranges::find_if(
      gone.reads, [&](const show::Input& input) { return input.slot != name; });
  if (const auto* reader = reader_of(name); reader != nullptr && stand_in == gone.reads.end()) {
    return fail(
        "slot \"{}.{}\" is read by \"{}\"{} and reads nothing else that could take its place; "
        "connect \"{}\" to another slot first",
        submix_, name, reader->slot.name,
        reader->source == WiredSlot::Source::guessed
            ? fmt::format(", as far as is known while nobody describes plugin \"{}\",",
                          reader->slot.plugin)
            : std::string(),
        reader->slot.name);
  }
  slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(index));
  for (auto& wired : slots_) {
    for (auto& input : wired.reads) {
      if (input.slot != name) continue;
      input.slot = stand_in->slot;
      input.delay += stand_in->delay;
    }
  }
  return gone;
}

Result<std::vector<show::Slot>> PatchWiring::stated() const {
  std::vector<show::Slot> slots;
  show::Graph readers;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const auto& [slot, reads, source] = slots_[i];
    slots.push_back(slot);
    const bool is_default = reads.empty() || (i > 0 && reads == Inputs{{above(i), 0}});
    if (source == WiredSlot::Source::guessed && !is_default) {
      return fail(
          "what plugin \"{}\" of slot \"{}.{}\" reads is not known while no node describes it; "
          "start its node, or name its inputs in the show first",
          slot.plugin, submix_, slot.name);
    }
    const bool is_left_out = source != WiredSlot::Source::stated && is_default;
    slots.back().inputs = is_left_out ? std::nullopt : std::optional(texts_of(reads));
    for (const auto& input : reads) {
      // A macro in this place may contain a delay: validate() checks.
      const bool is_seen = source != WiredSlot::Source::guessed && show::macro_of(slot).empty();
      if (input.delay == 0 && is_seen) readers[input.slot].push_back(slot.name);
    }
  }
  if (const auto circle = show::find_circle(readers); !circle.empty())
    return fail(
        "slots of submix \"{}\" would feed each other in a circle: {}; give one input a delay in "
        "frames, as \"name@1\"",
        submix_, circle);
  return slots;
}

bool is_end_of(const PatchWiring& wiring, const PluginMap& plugins, const WiredSlot& wired) {
  return is_output(plugins, wired.slot.plugin) && wiring.reader_of(wired.slot.name) == nullptr;
}

std::optional<std::string> shown_slot(PatchWiring& wiring, const PluginMap& plugins) {
  const auto& slots = wiring.slots();
  const auto is_end = [&](const WiredSlot& wired) { return is_end_of(wiring, plugins, wired); };
  const auto end = std::ranges::find_if(slots, is_end);
  if (end != slots.end() && !end->reads.empty()) return end->reads.front().slot;
  if (end == slots.end() && !slots.empty()) return slots.back().slot.name;
  return std::nullopt;
}

}  // namespace submix::model
