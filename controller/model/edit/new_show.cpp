// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/new_show.hpp"

#include "common/show/input_count.hpp"
#include "controller/model/edit/show_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace submix::model {
namespace {

constexpr const char* kMix = "mix";
constexpr std::size_t kPerformersMax = show::kMixerInputs.most;

show::Slot slot(std::string name, std::string plugin) {
  show::Slot made;
  made.name = std::move(name);
  made.plugin = std::move(plugin);
  return made;
}

struct Look {
  const char* style;
  std::vector<double> color;
};

// Neighbours differ in shape and colour, so that a fade between them is seen.
show::Slot picture(std::size_t index) {
  static const std::array<Look, 4> kLooks{{{"gradient", {1.0, 0.35, 0.1}},
                                           {"checkerboard", {0.15, 0.6, 1.0}},
                                           {"box", {0.35, 0.9, 0.45}},
                                           {"gradient", {0.8, 0.3, 0.9}}}};
  const auto& [style, color] = kLooks[index % kLooks.size()];
  auto pattern = slot("pattern", "pattern");
  pattern.parameters = {{"style", std::string(style)}, {"color", color}};
  return pattern;
}

// add_layer() goes on with this series.
std::string layer_of(std::size_t index) {
  return fmt::format("layer-{}", index + 1);
}

void add_performer(show::Show& show, const std::string& node, std::size_t index) {
  const auto name = layer_of(index);
  show.submixes.push_back({name, node, {picture(index), slot("out", "stream-out")}});
  show::Stream stream;
  stream.name = name;
  stream.from = {name, "out"};
  stream.to = {kMix, name};
  stream.policy = kNewStreamPolicy;
  stream.pause_budget = kNewStreamPauseBudget;
  show.streams.push_back(std::move(stream));
}

// The crossfader goes to and fro between two performers until somebody takes hold of it. More
// performers lie over each other.
show::Slot mixer_of(std::size_t performers) {
  auto mixer = slot("mixer", std::string(show::kMixPlugin));
  mixer.inputs.emplace();
  mixer.parameters["mode"] = std::string("over");
  for (std::size_t i = 0; i < performers; ++i) {
    mixer.inputs->push_back(layer_of(i));
    if (performers > 2 && i > 0)
      mixer.parameters[show::parameter_of_input(show::kLevelOfInput, i + 1)] = 0.5;
  }
  if (performers > 2) return mixer;
  mixer.parameters[show::parameter_of_input(show::kSideOfInput, 1)] = std::string("A");
  mixer.parameters[show::parameter_of_input(show::kSideOfInput, 2)] = std::string("B");
  mixer.oscillators["crossfade"] = {.beats = 8.0};
  return mixer;
}

void add_mix(show::Show& show, const NewShow& wanted, std::size_t performers) {
  show::Submix mix{kMix, wanted.nodes.back(), {}};
  if (performers == 0) mix.slots = {picture(0)};
  for (std::size_t i = 0; i < performers; ++i)
    mix.slots.push_back(slot(layer_of(i), "stream-in"));
  if (performers > 1) mix.slots.push_back(mixer_of(performers));
  mix.slots.push_back(wanted.has_window ? slot("screen", "window") : slot("end", "null"));
  show.submixes.push_back(std::move(mix));
}

}  // namespace

show::Show make_show(const NewShow& wanted) {
  show::Show show;
  show.name = wanted.name;
  show.size = wanted.size;
  show.rate = wanted.rate;
  for (const auto& node : wanted.nodes)
    show.nodes.push_back({node, {}});
  if (wanted.nodes.empty()) return show;
  const auto performers = std::min(wanted.nodes.size() - 1, kPerformersMax);
  for (std::size_t i = 0; i < performers; ++i)
    add_performer(show, wanted.nodes[i], i);
  add_mix(show, wanted, performers);
  return show;
}

}  // namespace submix::model
