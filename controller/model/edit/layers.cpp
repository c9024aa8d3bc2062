// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/layers.hpp"
#include "controller/model/edit/outputs.hpp"

#include "common/show/input_count.hpp"
#include "common/show/lookup.hpp"
#include "common/show/picture_series.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/patch_wiring.hpp"
#include "controller/model/edit/pipes.hpp"
#include "controller/model/edit/plugin_kinds.hpp"
#include "controller/model/edit/show_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::model {
namespace {

// A picture that moves, as a GIF does, is a clip.
bool has_ending_of_still(std::string_view file) {
  constexpr std::array<std::string_view, 12> kEndings{".png", ".jpg",  ".jpeg", ".bmp",
                                                      ".tif", ".tiff", ".webp", ".tga",
                                                      ".svg", ".svgz", ".exr",  ".dpx"};
  std::string ending(file.substr(std::min(file.rfind('.'), file.size())));
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(kEndings, ending) != kEndings.end();
}

Result<void> apply_to(show::Show& show, const Result<Edit>& edit) {
  SUBMIX_TRY(edit);
  return apply(show, *edit);
}

bool receives_streams(const show::Show& show, const std::string& submix) {
  return std::ranges::any_of(show.streams,
                             [&](const auto& stream) { return stream.to.submix == submix; });
}
bool sends_streams(const show::Show& show, const std::string& submix) {
  return std::ranges::any_of(show.streams,
                             [&](const auto& stream) { return stream.from.submix == submix; });
}

std::string free_layer_name(const show::Show& show) {
  for (std::size_t number = show.streams.size() + 1;; ++number) {
    auto name = fmt::format("layer-{}", number);
    if (!show::has_named(show.submixes, name) && !show::has_named(show.streams, name)) return name;
  }
}

// A mixer reads several slots. An echo, for example, reads one slot several times.
bool is_mixer(const WiredSlot& wired) {
  return std::ranges::any_of(
      wired.reads, [&](const auto& input) { return input.slot != wired.reads.front().slot; });
}

/// Where a mix takes its next layer.
struct LayerPlace {
  std::string behind;                       ///< slot with the picture of all layers so far
  std::string above;                        ///< the slot above that one in the patch; empty: none
  std::optional<std::size_t> free_input{};  ///< of `behind`; empty: it takes no more
};

Result<LayerPlace> next_place(const show::Show& show, const PluginMap& plugins,
                              const show::Submix& mix) {
  PatchWiring wiring(show, mix, plugins);
  auto& slots = wiring.slots();
  const auto place_behind = [&](const std::string& slot) {
    return LayerPlace{slot, wiring.above(wiring.index_of(slot))};
  };

  const auto mixer = std::find_if(slots.rbegin(), slots.rend(), is_mixer);
  if (mixer != slots.rend()) {
    auto place = place_behind(mixer->slot.name);
    if (mixer->slot.plugin == show::kMixPlugin && mixer->reads.size() < show::kMixerInputs.most)
      place.free_input = mixer->reads.size();
    return place;
  }

  if (const auto shown = shown_slot(wiring, plugins)) return place_behind(*shown);
  return fail("submix \"{}\" has no picture to lay a layer over; insert a source first", mix.name);
}

// The layer's submix, and its stream to the slot of its name in the mix, which add_input() makes.
Result<void> add_layer_submix(show::Show& show, const NewLayer& layer) {
  SUBMIX_TRY(apply_to(show, add_submix(show, {layer.name, layer.node})));
  if (show::has_named(show.streams, layer.name))
    return fail("the show has a stream \"{}\" already; names must differ", layer.name);

  show.find_submix(layer.name)->slots = {
      {"source", layer.plugin, layer.parameters, {}, false},
      {"out", std::string(show::kStreamOutPlugin), {}, {}, false}};
  show::Stream stream;
  stream.name = layer.name;
  stream.from = {layer.name, "out"};
  stream.to = {layer.mix, layer.name};
  stream.policy = kNewStreamPolicy;
  stream.pause_budget = kNewStreamPauseBudget;
  if (makes_transparency(layer.plugin)) stream.pixels = PixelFormat::rgba;
  show.streams.push_back(std::move(stream));
  return {};
}

Result<void> add_input(show::Show& show, const PluginMap& plugins, const NewLayer& layer) {
  const auto& mix = layer.mix;
  const auto place = next_place(show, plugins, *show.find_submix(mix));
  SUBMIX_TRY(place);
  const NewSlot input{std::string(show::kStreamInPlugin), layer.name};
  SUBMIX_TRY(apply_to(show, insert_slot(show, plugins, {mix, place->above}, input)));

  show::Port mixer{mix, place->behind};
  if (place->free_input) {
    SUBMIX_TRY(
        apply_to(show, connect_input(show, plugins, mixer, *place->free_input, {layer.name, 0})));
  } else {
    mixer.slot = fmt::format("over-{}", layer.name);
    SUBMIX_TRY(apply_to(show, insert_slot(show, plugins, {mix, place->behind},
                                          {std::string(show::kMixPlugin), mixer.slot})));
    auto& slot = *show.find_slot(mixer);
    slot.inputs = std::vector<std::string>{place->behind, layer.name};
    slot.parameters["mode"] = std::string("over");
  }
  const auto number = place->free_input.value_or(1) + 1;
  show.find_slot(mixer)->parameters[show::parameter_of_input(show::kLevelOfInput, number)] =
      layer.level;
  return {};
}

/// The slots that only one layer passes, in the order of its frames, and the mixer behind them.
struct LayerPath {
  std::vector<std::string> slots;
  std::string mixer;
  std::size_t input = 0;  ///< of the mixer
  std::size_t mixer_inputs = 0;
  std::string other;  ///< what the mixer reads besides
};

Result<LayerPath> path_of(const show::Show& show, const PluginMap& plugins,
                          const show::Port& input) {
  PatchWiring wiring(show, *show.find_submix(input.submix), plugins);
  LayerPath path;
  path.slots.push_back(input.slot);
  for (;;) {
    std::vector<const WiredSlot*> readers;
    for (const auto& wired : wiring.slots()) {
      if (wired.reads_slot(path.slots.back())) readers.push_back(&wired);
    }
    if (readers.empty()) return path;
    const auto& reader = *readers.front();
    if (readers.size() > 1 || is_end_of(wiring, plugins, reader)) {
      return fail(
          "slot \"{}.{}\" is more than a layer: {} reads it; delete or connect that slot first",
          input.submix, path.slots.back(),
          readers.size() > 1 ? fmt::format("{} slots", readers.size()) : reader.slot.name);
    }
    if (!is_mixer(reader)) {
      path.slots.push_back(reader.slot.name);
      continue;
    }
    path.mixer = reader.slot.name;
    path.mixer_inputs = reader.reads.size();
    for (std::size_t i = 0; i < reader.reads.size(); ++i) {
      if (reader.reads[i].slot == path.slots.back()) {
        path.input = i;
      } else if (path.other.empty()) {
        path.other = reader.reads[i].slot;
      }
    }
    return path;
  }
}

// The parameter that fades an input of a mixer. Null: none.
const cluster::ParameterSummary* fader_parameter(const PluginMap& plugins,
                                                 const std::string& plugin, std::size_t input) {
  const auto known = plugins.find(plugin);
  if (known == plugins.end()) return nullptr;
  const auto& parameters = known->second.parameters;
  if (plugin == show::kMixPlugin)
    return show::item_named(parameters, show::parameter_of_input(show::kLevelOfInput, input + 1));
  const auto is_whole_range = [](const cluster::ParameterSummary& parameter) {
    return parameter.type == "number" && parameter.minimum == 0 && parameter.maximum == 1;
  };
  const bool fades = input == 1 && parameters.size() == 1 && is_whole_range(parameters.front());
  return fades ? &parameters.front() : nullptr;
}

std::optional<LayerFader> fader_of(const show::Show& show, const PluginMap& plugins,
                                   const show::Port& mixer, std::size_t input) {
  const auto& slot = *show.find_slot(mixer);
  const auto* parameter = fader_parameter(plugins, slot.plugin, input);
  if (parameter == nullptr) return std::nullopt;
  const auto stated = slot.parameters.find(parameter->name);
  const auto& value = stated == slot.parameters.end() ? parameter->initial : stated->second;
  const auto* number = std::get_if<double>(&value);
  return number == nullptr ? std::nullopt
                           : std::optional(LayerFader{mixer, parameter->name, *number});
}

/// A layer, and where its mixer has it.
struct PlacedLayer {
  Layer layer;
  std::string mixer;      ///< slot; empty: no mixer that is known
  std::size_t input = 0;  ///< of the mixer, from 0 on
};

PlacedLayer placed_layer(const show::Show& show, const PluginMap& plugins,
                         const show::Stream& stream) {
  PlacedLayer placed{{stream.name, stream.from.submix}, {}};
  const auto path = path_of(show, plugins, stream.to);
  if (!path || path->mixer.empty()) return placed;
  const show::Port mixer{stream.to.submix, path->mixer};
  placed.mixer = path->mixer;
  placed.input = path->input;
  placed.layer.fader = fader_of(show, plugins, mixer, path->input);
  if (placed.layer.fader && show.find_slot(mixer)->plugin == show::kMixPlugin)
    placed.layer.input = path->input + 1;
  return placed;
}

// Layers of one mixer come together, by their inputs. Otherwise the order of the streams stays.
void sort_from_below(std::vector<PlacedLayer>& layers) {
  for (auto first = layers.begin(); first != layers.end();) {
    const auto end = std::stable_partition(first + 1, layers.end(), [&](const auto& other) {
      return !first->mixer.empty() && other.mixer == first->mixer;
    });
    std::stable_sort(first, end, [](const auto& a, const auto& b) { return a.input < b.input; });
    first = end;
  }
}

Result<void> delete_input(show::Show& show, const PluginMap& plugins, const show::Port& input) {
  const auto path = path_of(show, plugins, input);
  SUBMIX_TRY(path);
  const show::Port mixer{input.submix, path->mixer};
  if (path->mixer_inputs > 2) {
    SUBMIX_TRY(apply_to(show, disconnect_input(show, plugins, mixer, path->input)));
  } else if (path->mixer_inputs == 2) {
    // The mixer's readers read its first input when it is deleted.
    SUBMIX_TRY(apply_to(show, connect_input(show, plugins, mixer, 0, {path->other, 0})));
    SUBMIX_TRY(apply_to(show, delete_slot(show, plugins, mixer)));
  }
  for (auto slot = path->slots.rbegin(); slot != path->slots.rend(); ++slot)
    SUBMIX_TRY(apply_to(show, delete_slot(show, plugins, {input.submix, *slot})));
  return {};
}

// The layer that a submix is, with an input of a "mix" slot.
Result<Layer> place_of_layer(const show::Show& show, const PluginMap& plugins,
                             const std::string& submix) {
  SUBMIX_TRY(show::submix_of(show, submix));
  for (const auto& stream : show.streams) {
    if (stream.from.submix != submix || show.find_slot(stream.to) == nullptr) continue;
    auto layer = placed_layer(show, plugins, stream).layer;
    if (layer.input != 0) return layer;
  }
  return fail("submix \"{}\" is no layer of a \"{}\" slot, and only those have an order", submix,
              show::kMixPlugin);
}

tl::unexpected<Error> is_no_layer(const std::string& submix) {
  return fail("submix \"{}\" is no layer: no stream leads it to a mix", submix);
}

/// The only stream of a layer that receives none.
Result<const show::Stream*> stream_of_copyable(const show::Show& show, const std::string& name) {
  SUBMIX_TRY(show::submix_of(show, name));
  const show::Stream* found = nullptr;
  for (const auto& stream : show.streams) {
    if (stream.to.submix == name)
      return fail("layer \"{}\" mixes others: only a layer with a source of its own is duplicated",
                  name);
    if (stream.from.submix != name) continue;
    if (found != nullptr)
      return fail("layer \"{}\" leads to several slots: {} and {}; only one with one is duplicated",
                  name, show::to_string(found->to), show::to_string(stream.to));
    found = &stream;
  }
  if (found == nullptr) return is_no_layer(name);
  return found;
}

const Layer* layer_named(const std::vector<Layer>& layers, const std::string& submix) {
  const auto found = std::ranges::find(layers, submix, &Layer::submix);
  return found == layers.end() ? nullptr : &*found;
}

// How the mixer lays it over the others, but not how much of it is seen.
void copy_blend_and_side(show::Show& show, const Layer& from, const Layer& to) {
  if (from.input == 0 || to.input == 0) return;
  const auto stated = show.find_slot(from.fader->mixer)->parameters;
  auto& parameters = show.find_slot(to.fader->mixer)->parameters;
  for (const auto name : {show::kBlendOfInput, show::kSideOfInput}) {
    const auto value = stated.find(show::parameter_of_input(name, from.input));
    if (value != stated.end()) parameters[show::parameter_of_input(name, to.input)] = value->second;
  }
}

// The copy lies on top of its mixer. It comes down only where its layer has the same mixer.
Result<void> put_above(show::Show& show, const PluginMap& plugins, const std::string& mix,
                       const std::string& copy, const std::string& original) {
  const auto layers = layers_of(show, plugins, mix);
  const auto* lower = layer_named(layers, original);
  const auto* upper = layer_named(layers, copy);
  if (lower == nullptr || upper == nullptr) return {};
  copy_blend_and_side(show, *lower, *upper);
  const bool have_one_mixer =
      lower->input != 0 && upper->input != 0 && lower->fader->mixer == upper->fader->mixer;
  if (!have_one_mixer || upper <= lower + 1) return {};
  return apply_to(show, move_layer(show, plugins, copy, (lower + 1)->submix));
}

}  // namespace

std::string node_for_layer(const show::Show& show) {
  std::vector<std::pair<std::ptrdiff_t, std::string>> lasting;  // a pipe's node leaves with it
  for (const auto& node : show.nodes) {
    if (has_pipe_node(show, node.name)) continue;
    lasting.emplace_back(std::ranges::count(show.submixes, node.name, &show::Submix::node),
                         node.name);
  }
  const auto fewest = std::ranges::min_element(lasting, {}, &decltype(lasting)::value_type::first);
  return fewest == lasting.end() ? std::string() : fewest->second;
}

void play_file(NewLayer& layer, std::string file) {
  const bool is_still = has_ending_of_still(file) && !show::series_name(file);
  layer.plugin = is_still ? "still" : "clip";
  layer.parameters = {{"file", std::move(file)}};
  if (!is_still) layer.parameters["loop"] = true;
}

const show::Slot* source_of(const show::Show& show, const PluginMap& plugins,
                            const std::string& layer) {
  const auto* submix = show.find_submix(layer);
  if (submix == nullptr) return nullptr;
  const show::Slot* source = nullptr;
  for (const auto& slot : submix->slots) {
    const auto inputs = input_count(show, plugins, slot.plugin);
    const bool is_source = inputs && inputs->most == 0;
    if (is_source && source != nullptr) return nullptr;
    if (is_source) source = &slot;
  }
  const bool is_replaceable =
      source != nullptr && source->plugin != show::kStreamInPlugin && source->plugin != "clip";
  return is_replaceable ? source : nullptr;
}

Result<Edit> play_in_source(const show::Show& show, const PluginMap& plugins,
                            const std::string& layer, const std::string& file) {
  const auto* source = source_of(show, plugins, layer);
  if (source == nullptr)
    return fail("{}: has no picture of its own that {} could replace; add it as a layer", layer,
                file);
  NewLayer played;
  play_file(played, file);
  const show::Port port{layer, source->name};
  const auto replaced = replace_plugin(show, plugins, port, played.plugin);
  SUBMIX_TRY(replaced);
  auto after = show;
  SUBMIX_TRY(apply(after, *replaced));
  for (auto& [name, value] : played.parameters)
    after.find_slot(port)->parameters[name] = std::move(value);
  return difference(show, after, fmt::format("{}: {}", layer, file));
}

std::vector<Layer> layers_of(const show::Show& show, const PluginMap& plugins,
                             const std::string& mix) {
  std::vector<PlacedLayer> placed;
  for (const auto& stream : show.streams) {
    if (stream.to.submix == mix && show.find_slot(stream.to) != nullptr)
      placed.push_back(placed_layer(show, plugins, stream));
  }
  sort_from_below(placed);
  std::vector<Layer> layers;
  for (auto& each : placed)
    layers.push_back(std::move(each.layer));
  return layers;
}

std::optional<show::Port> mixer_of(const std::vector<Layer>& layers) {
  std::optional<show::Port> mixer;
  for (const auto& layer : layers) {
    if (layer.input == 0 || (mixer && *mixer != layer.fader->mixer)) return std::nullopt;
    mixer = layer.fader->mixer;
  }
  return mixer;
}

Result<std::string> find_mix(const show::Show& show) {
  std::vector<std::string> mixes;
  for (const auto& submix : show.submixes) {
    const bool is_end = receives_streams(show, submix.name) && !sends_streams(show, submix.name);
    if (is_end || show.submixes.size() == 1) mixes.push_back(submix.name);
  }
  if (mixes.size() == 1) return mixes.front();
  if (mixes.empty()) return fail("no submix of the show mixes; name the submix to add a layer to");
  return fail("{} submixes mix: {}; name one of them", mixes.size(), fmt::join(mixes, ", "));
}

Result<Edit> add_layer(const show::Show& show, const PluginMap& plugins, const NewLayer& layer) {
  auto wanted = layer;
  if (wanted.mix.empty()) {
    auto mix = find_mix(show);
    SUBMIX_TRY(mix);
    wanted.mix = *std::move(mix);
  }
  SUBMIX_TRY(show::submix_of(show, wanted.mix));
  if (wanted.name.empty()) wanted.name = free_layer_name(show);
  if (wanted.node.empty()) wanted.node = node_for_layer(show);
  auto after = show;
  SUBMIX_TRY(add_layer_submix(after, wanted));
  SUBMIX_TRY(add_input(after, plugins, wanted));
  return difference(show, after, fmt::format("add layer {} to {}", wanted.name, wanted.mix));
}

Result<Edit> duplicate_layer(const show::Show& show, const PluginMap& plugins,
                             const std::string& name) {
  const auto stream = stream_of_copyable(show, name);
  SUBMIX_TRY(stream);
  const auto& original = *show.find_submix(name);
  NewLayer copy;
  copy.mix = (*stream)->to.submix;
  copy.name = free_layer_name(show);
  copy.node = original.node;
  copy.level = 0;
  auto after = show;
  SUBMIX_TRY(add_layer_submix(after, copy));
  auto& copied = *after.find_submix(copy.name);
  copied.slots = original.slots;
  switch_recorders_off(copied);  // a second recorder of one file would take it from the first
  auto& sent = after.streams.back();
  sent.from.slot = (*stream)->from.slot;
  sent.policy = (*stream)->policy;
  sent.pause_budget = (*stream)->pause_budget;
  sent.pixels = (*stream)->pixels;
  SUBMIX_TRY(add_input(after, plugins, copy));
  SUBMIX_TRY(put_above(after, plugins, copy.mix, copy.name, name));
  return difference(show, after, fmt::format("duplicate layer {} as {}", name, copy.name));
}

Result<Edit> move_layer(const show::Show& show, const PluginMap& plugins, const std::string& layer,
                        const std::string& to) {
  const auto place = place_of_layer(show, plugins, layer);
  SUBMIX_TRY(place);
  const auto wanted = place_of_layer(show, plugins, to);
  SUBMIX_TRY(wanted);
  if (wanted->fader->mixer != place->fader->mixer) {
    return fail("layers \"{}\" and \"{}\" have different mixers: {} and {}", layer, to,
                show::to_string(place->fader->mixer), show::to_string(wanted->fader->mixer));
  }
  auto after = show;
  SUBMIX_TRY(apply_to(
      after, move_input(after, plugins, place->fader->mixer, place->input - 1, wanted->input - 1)));
  return difference(show, after, fmt::format("layer {} to the place of {}", layer, to));
}

Result<Edit> delete_layer(const show::Show& show, const PluginMap& plugins,
                          const std::string& name) {
  SUBMIX_TRY(show::submix_of(show, name));
  if (!sends_streams(show, name)) return is_no_layer(name);
  auto after = show;
  for (const auto& stream : show.streams) {
    if (stream.from.submix == name) SUBMIX_TRY(delete_input(after, plugins, stream.to));
  }
  SUBMIX_TRY(apply_to(after, delete_submix(after, name)));
  return difference(show, after, fmt::format("delete layer {}", name));
}

}  // namespace submix::model
