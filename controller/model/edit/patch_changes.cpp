// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/patch_changes.hpp"

#include "common/show/lookup.hpp"
#include "common/show/references.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/macro_names.hpp"
#include "controller/model/edit/patch_wiring.hpp"
#include "controller/model/edit/plugin_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace submix::model {
namespace {

/// A submix's patch during a change, and the show to write it to.
struct PatchChange {
  show::Show after;
  PatchWiring wiring;
};

Result<PatchChange> begin(const show::Show& show, const PluginMap& plugins,
                          const show::Port& port) {
  if (!port.slot.empty()) {
    SUBMIX_TRY(show::slot_of(show, port));
  }
  const auto submix = show::submix_of(show, port.submix);
  SUBMIX_TRY(submix);
  return PatchChange{show, PatchWiring(show, **submix, plugins)};
}

Result<Edit> finish(const show::Show& show, PatchChange change, const std::string& submix,
                    std::string title) {
  auto slots = change.wiring.stated();
  SUBMIX_TRY(slots);
  change.after.find_submix(submix)->slots = *std::move(slots);
  show::forget_missing(change.after);
  return difference(show, change.after, std::move(title));
}

std::size_t place_behind(const PatchWiring& wiring, std::string_view above) {
  return above.empty() ? 0 : wiring.index_of(above) + 1;
}

// The inputs of a plugin with `count` inputs at `index`: the slot above, then the nearest slots
// above without a reader, then the slot above again.
std::vector<show::Input> usual_inputs(PatchWiring& wiring, std::size_t index,
                                      show::InputCount count, const PluginMap& plugins) {
  std::vector<show::Input> inputs;
  for (std::size_t i = index; i > 0 && inputs.size() < count.most; --i) {
    const auto& slot = wiring.slots()[i - 1].slot;
    const bool is_free = wiring.reader_of(slot.name) == nullptr && !is_output(plugins, slot.plugin);
    if (i == index || is_free) inputs.push_back({slot.name, 0});
  }
  if (!inputs.empty()) inputs.resize(std::max(inputs.size(), count.least), inputs.front());
  return inputs;
}

tl::unexpected<Error> unknown_plugin(const show::Show& show, const PluginMap& plugins,
                                     const std::string& submix, const std::string& plugin) {
  const auto known = plugins.find(plugin);
  if (known != plugins.end() && !known->second.refused_because.empty())
    return fail("plugin \"{}\" cannot be used: {}", plugin, known->second.refused_because);
  std::vector<std::string> names;
  for (const auto& [id, summary] : plugins) {
    if (!id.starts_with(show::kMacroPrefix) && summary.refused_because.empty()) names.push_back(id);
  }
  if (!names.empty()) {
    return fail("plugin \"{}\" is not known to a node that is here{}", plugin,
                show::did_you_mean(plugin, names));
  }
  return fail("plugin \"{}\" is not known{}; start the submix's node: it describes what it has",
              plugin, show.find_submix(submix)->node.empty() ? ", and the submix has no node" : "");
}

// Without transparency a mixer would lay black over the layers below.
void carry_transparency(show::Show& show, const std::string& submix) {
  for (auto& stream : show.streams) {
    if (stream.from.submix == submix) stream.pixels = PixelFormat::rgba;
  }
}

Result<Edit> insert(const show::Show& show, const PluginMap& plugins, const show::Port& above,
                    show::Slot slot) {
  auto change = begin(show, plugins, above);
  SUBMIX_TRY(change);
  const auto count = input_count(show, plugins, slot.plugin);
  if (!count) return unknown_plugin(show, plugins, above.submix, slot.plugin);
  const auto index = place_behind(change->wiring, above.slot);
  auto reads = usual_inputs(change->wiring, index, *count, plugins);
  if (!count->allows(reads.size())) {
    return fail(
        "plugin \"{}\" takes {}, but nothing stands above it on top of submix \"{}\"; put it "
        "behind a slot",
        slot.plugin, show::words_of(count->least), above.submix);
  }
  const auto title = fmt::format("insert {} into {}", slot.name, above.submix);
  if (makes_transparency(slot.plugin)) carry_transparency(change->after, above.submix);
  const bool takes_over = count->most > 0 && !is_output(plugins, slot.plugin);
  const auto source = count->most > 1 ? WiredSlot::Source::stated : WiredSlot::Source::implied;
  change->wiring.insert(index, {std::move(slot), std::move(reads), source}, takes_over);
  return finish(show, *std::move(change), above.submix, title);
}

// Removes what a mixer states for one input. What it states for later inputs moves up by one.
void take_input_out(auto& values, std::size_t index) {
  for (const auto kind : show::kParametersOfInput) {
    for (auto number = index + 1; number <= show::kMixerInputs.most; ++number) {
      values.erase(show::parameter_of_input(kind, number));
      auto next = values.extract(show::parameter_of_input(kind, number + 1));
      if (next.empty()) continue;
      next.key() = show::parameter_of_input(kind, number);
      values.insert(std::move(next));
    }
  }
}

// Exchanges what a mixer states for two inputs, counted from 1.
void exchange_inputs(auto& values, std::size_t one, std::size_t other) {
  for (const auto kind : show::kParametersOfInput) {
    auto first = values.extract(show::parameter_of_input(kind, one));
    auto second = values.extract(show::parameter_of_input(kind, other));
    if (!first.empty()) first.key() = show::parameter_of_input(kind, other);
    if (!second.empty()) second.key() = show::parameter_of_input(kind, one);
    values.insert(std::move(first));
    values.insert(std::move(second));
  }
}

// "delete left.out and stream \"left\"".
std::string delete_title(const show::Show& show, const show::Port& port) {
  auto title = fmt::format("delete {}", show::to_string(port));
  for (const auto& stream : show.streams) {
    if (stream.from == port || stream.to == port)
      title += fmt::format(" and stream {}", stream.name);
  }
  return title;
}

void rename_inputs(show::Submix& submix, const std::string& from, const std::string& to) {
  for (auto& slot : submix.slots) {
    if (!slot.inputs) continue;
    for (auto& text : *slot.inputs) {
      const auto input = show::parse_input(text);
      if (input && input->slot == from) text.replace(0, from.size(), to);
    }
  }
}

// The parameters that both plugins have, with the same type.
show::Parameters common_parameters(const show::Parameters& stated, const PluginMap& plugins,
                                   const std::string& plugin) {
  const auto found = plugins.find(plugin);
  show::Parameters kept;
  if (found == plugins.end()) return kept;
  for (const auto& parameter : found->second.parameters) {
    const auto value = stated.find(parameter.name);
    if (value != stated.end() && value->second.index() == parameter.initial.index())
      kept.insert(*value);
  }
  return kept;
}

// The oscillators whose parameter is a number of `plugin`, and whose range lies within its limits.
show::Oscillators common_oscillators(const show::Oscillators& stated, const PluginMap& plugins,
                                     const std::string& plugin) {
  const auto found = plugins.find(plugin);
  show::Oscillators kept;
  if (found == plugins.end() || is_output(plugins, plugin)) return kept;
  for (const auto& parameter : found->second.parameters) {
    const auto moves = stated.find(parameter.name);
    if (moves == stated.end() || !std::holds_alternative<double>(parameter.initial)) continue;
    const auto [least, most] = std::minmax(moves->second.from, moves->second.to);
    if (least >= parameter.minimum && most <= parameter.maximum) kept.insert(*moves);
  }
  return kept;
}

}  // namespace

Result<Edit> insert_slot(const show::Show& show, const PluginMap& plugins, const show::Port& above,
                         const NewSlot& slot) {
  const auto submix = show::submix_of(show, above.submix);
  SUBMIX_TRY(submix);
  show::Slot fresh;
  fresh.name = slot.name.empty() ? free_slot_name(**submix, slot.plugin) : slot.name;
  fresh.plugin = slot.plugin;
  return insert(show, plugins, above, std::move(fresh));
}

Result<Edit> insert_whole_slot(const show::Show& show, const PluginMap& plugins,
                               const show::Port& above, show::Slot slot) {
  return insert(show, plugins, above, std::move(slot));
}

Result<Edit> duplicate_slot(const show::Show& show, const PluginMap& plugins,
                            const show::Port& port) {
  const auto slot = show::slot_of(show, port);
  SUBMIX_TRY(slot);
  auto copy = **slot;
  copy.name = free_slot_name(*show.find_submix(port.submix), copy.name);
  copy.inputs.reset();
  return insert(show, plugins, port, std::move(copy));
}

Result<Edit> delete_slot(const show::Show& show, const PluginMap& plugins, const show::Port& port) {
  auto change = begin(show, plugins, port);
  SUBMIX_TRY(change);
  SUBMIX_TRY(change->wiring.take_out(change->wiring.index_of(port.slot)));
  std::erase_if(change->after.streams, [&](const show::Stream& stream) {
    return stream.from == port || stream.to == port;
  });
  follow_in_macros(change->after, port, {});
  return finish(show, *std::move(change), port.submix, delete_title(show, port));
}

Result<Edit> move_slot(const show::Show& show, const PluginMap& plugins, const show::Port& port,
                       std::string_view above) {
  SUBMIX_TRY(show::slot_of(show, port));
  auto change = begin(show, plugins, {port.submix, std::string(above)});
  SUBMIX_TRY(change);
  const auto title = fmt::format("move {}", show::to_string(port));
  auto& wiring = change->wiring;
  const auto from = wiring.index_of(port.slot);
  if (above == port.slot || above == wiring.above(from)) return difference(show, show, title);
  const bool is_in_chain =
      from > 0 && wiring.slots()[from].reads == std::vector<show::Input>{{wiring.above(from), 0}};
  if (!is_in_chain) {
    auto moved = wiring.slots()[from];
    wiring.slots().erase(wiring.slots().begin() + static_cast<std::ptrdiff_t>(from));
    wiring.insert(place_behind(wiring, above), std::move(moved), false);
    return finish(show, *std::move(change), port.submix, title);
  }
  if (above.empty()) {
    return fail(
        "slot \"{}\" reads the slot above it, so it cannot stand on top; move a source there",
        show::to_string(port));
  }
  auto moved = wiring.take_out(from);
  SUBMIX_TRY(moved);
  moved->reads = {{std::string(above), 0}};
  const bool is_read = !is_output(plugins, moved->slot.plugin);
  wiring.insert(place_behind(wiring, above), *std::move(moved), is_read);
  return finish(show, *std::move(change), port.submix, title);
}

Result<Edit> connect_input(const show::Show& show, const PluginMap& plugins, const show::Port& port,
                           std::size_t index, const show::Input& input) {
  auto change = begin(show, plugins, port);
  SUBMIX_TRY(change);
  auto source = show::slot_of(show, {port.submix, input.slot});
  SUBMIX_TRY(source);
  auto& wired = change->wiring.slots()[change->wiring.index_of(port.slot)];
  const auto count = input_count(show, plugins, wired.slot.plugin).value_or(wired.reads.size());
  if (index >= count.most) {
    return fail("slot \"{}\": plugin \"{}\" takes {}; there is no input {}", show::to_string(port),
                wired.slot.plugin, show::words_of(count.most), index + 1);
  }
  if (!count.is_fixed() && index > wired.reads.size()) {
    return fail("slot \"{}\" has {}; the next one is input {}", show::to_string(port),
                show::words_of(wired.reads.size()), wired.reads.size() + 1);
  }
  if (wired.source == WiredSlot::Source::guessed) wired.source = WiredSlot::Source::stated;
  wired.reads.resize(std::max({wired.reads.size(), count.least, index + 1}), input);
  wired.reads[index] = input;
  const auto title =
      fmt::format("{}: input {} is {}{}", show::to_string(port), index + 1, input.slot,
                  input.delay == 0 ? std::string() : fmt::format(", {} frames late", input.delay));
  return finish(show, *std::move(change), port.submix, title);
}

Result<Edit> disconnect_input(const show::Show& show, const PluginMap& plugins,
                              const show::Port& port, std::size_t index) {
  auto change = begin(show, plugins, port);
  SUBMIX_TRY(change);
  auto& wired = change->wiring.slots()[change->wiring.index_of(port.slot)];
  if (index >= wired.reads.size()) {
    return fail("slot \"{}\" has {}; there is no input {}", show::to_string(port),
                show::words_of(wired.reads.size()), index + 1);
  }
  const auto count = input_count(show, plugins, wired.slot.plugin).value_or(wired.reads.size());
  if (wired.reads.size() <= count.least) {
    return fail("slot \"{}\": plugin \"{}\" takes no fewer than {}; connect another slot instead",
                show::to_string(port), wired.slot.plugin, show::words_of(count.least));
  }
  wired.reads.erase(wired.reads.begin() + static_cast<std::ptrdiff_t>(index));
  take_input_out(wired.slot.parameters, index);
  take_input_out(wired.slot.oscillators, index);
  take_input_out(wired.slot.fades, index);
  return finish(show, *std::move(change), port.submix,
                fmt::format("{}: no input {} any more", show::to_string(port), index + 1));
}

Result<Edit> move_input(const show::Show& show, const PluginMap& plugins, const show::Port& port,
                        std::size_t index, std::size_t to) {
  auto change = begin(show, plugins, port);
  SUBMIX_TRY(change);
  auto& [slot, reads, source] = change->wiring.slots()[change->wiring.index_of(port.slot)];
  if (const auto last = std::max(index, to); last >= reads.size()) {
    return fail("slot \"{}\" has {}; there is no input {}", show::to_string(port),
                show::words_of(reads.size()), last + 1);
  }
  const auto title =
      fmt::format("{}: input {} is now input {}", show::to_string(port), index + 1, to + 1);
  while (index != to) {
    const auto next = to > index ? index + 1 : index - 1;
    std::swap(reads[index], reads[next]);
    exchange_inputs(slot.parameters, index + 1, next + 1);
    exchange_inputs(slot.oscillators, index + 1, next + 1);
    exchange_inputs(slot.fades, index + 1, next + 1);
    index = next;
  }
  return finish(show, *std::move(change), port.submix, title);
}

Result<Edit> rename_slot(const show::Show& show, const show::Port& port, std::string name) {
  SUBMIX_TRY(show::slot_of(show, port));
  if (!show::is_name(name))
    return fail("slot \"{}\": \"{}\" cannot be a name; {}", show::to_string(port),
                name.substr(0, 40), show::kNameRule);
  if (name != port.slot && show.find_slot({port.submix, name}) != nullptr)
    return fail("submix \"{}\" has a slot \"{}\" already; names must differ", port.submix, name);
  auto after = show;
  rename_inputs(*after.find_submix(port.submix), port.slot, name);
  for (auto& stream : after.streams) {
    if (stream.from == port) stream.from.slot = name;
    if (stream.to == port) stream.to.slot = name;
  }
  follow_in_macros(after, port, name);
  show::follow_rename(after, port, {port.submix, name});
  auto title = fmt::format("rename {} to {}", show::to_string(port), name);
  after.find_slot(port)->name = std::move(name);
  return difference(show, after, std::move(title));
}

bool makes_transparency(std::string_view plugin) {
  static const std::set<std::string_view> kPlugins{
      kTransformPlugin,   kTitlePlugin,      kKeyerPlugin,          "frei0r/alphagrad",
      "frei0r/alphaspot", "frei0r/alpha0ps", "frei0r/bluescreen0r", "frei0r/bgsubtract0r",
      "frei0r/mask0mate", "frei0r/select0r", "frei0r/transparency"};
  return kPlugins.contains(plugin);
}

Result<Edit> replace_plugin(const show::Show& show, const PluginMap& plugins,
                            const show::Port& port, const std::string& plugin) {
  auto change = begin(show, plugins, port);
  SUBMIX_TRY(change);
  const auto count = input_count(show, plugins, plugin);
  if (!count) return unknown_plugin(show, plugins, port.submix, plugin);
  auto& wiring = change->wiring;
  const auto index = wiring.index_of(port.slot);
  auto& wired = wiring.slots()[index];
  auto reads = wired.reads.empty() ? usual_inputs(wiring, index, *count, plugins) : wired.reads;
  if (reads.empty() && count->most > 0)
    return fail(
        "plugin \"{}\" takes an input, but slot \"{}\" reads none and nothing stands above it",
        plugin, show::to_string(port));
  reads.resize(std::clamp(reads.size(), count->least, count->most),
               reads.empty() ? show::Input{} : reads.front());
  wired.reads = std::move(reads);
  wired.source = count->most > 1 ? WiredSlot::Source::stated : WiredSlot::Source::implied;
  if (makes_transparency(plugin)) carry_transparency(change->after, port.submix);
  wired.slot = {.name = wired.slot.name,
                .plugin = plugin,
                .parameters = common_parameters(wired.slot.parameters, plugins, plugin),
                .inputs = {},
                .is_bypassed = wired.slot.is_bypassed,
                .oscillators = common_oscillators(wired.slot.oscillators, plugins, plugin)};
  return finish(show, *std::move(change), port.submix,
                fmt::format("{}: plugin {}", show::to_string(port), plugin));
}

bool is_solo(const show::Show& show, const PluginMap& plugins, const show::Port& port) {
  const auto* submix = show.find_submix(port.submix);
  if (submix == nullptr) return false;
  bool has_others = false;
  for (const auto& slot : submix->slots) {
    if (!is_filter(plugins, slot.plugin)) continue;
    if (slot.is_bypassed == (slot.name == port.slot)) return false;
    has_others = has_others || slot.name != port.slot;
  }
  return has_others;
}

Result<Edit> solo_slot(const show::Show& show, const PluginMap& plugins, const show::Port& port) {
  SUBMIX_TRY(show::slot_of(show, port));
  const bool is_on = !is_solo(show, plugins, port);
  EditGroup group{is_on ? fmt::format("solo {}", show::to_string(port))
                        : fmt::format("{}: no solo", show::to_string(port)),
                  {}};
  for (const auto& slot : show.find_submix(port.submix)->slots) {
    if (!is_filter(plugins, slot.plugin)) continue;
    const bool is_bypassed = is_on && slot.name != port.slot;
    if (slot.is_bypassed != is_bypassed)
      group.edits.emplace_back(SetBypass{{port.submix, slot.name}, is_bypassed});
  }
  return group;
}

}  // namespace submix::model
