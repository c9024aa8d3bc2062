// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/new_show.hpp"

#include "common/show/validate.hpp"
#include "controller/model/edit/show_changes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace submix::model {
namespace {

constexpr const char* kMix = "mix";
// Each performer has two slots in the mix, which may have show::kSlotsMax.
constexpr std::size_t kPerformersMax = 15;

show::Slot slot(std::string name, std::string plugin) {
  show::Slot made;
  made.name = std::move(name);
  made.plugin = std::move(plugin);
  return made;
}

// Each picture differs, so that people can tell the pictures apart in the mix.
show::Slot picture(std::size_t index) {
  auto stamp = slot("stamp", "stamp");
  stamp.parameters["text"] = fmt::format("{}", index + 1);
  const auto row = index / 2;
  stamp.parameters["position"] =
      std::vector<double>{index % 2 == 0 ? 0.1 : 0.9, 0.95 - 0.12 * static_cast<double>(row)};
  return stamp;
}

std::string performer_of(std::size_t index) {
  return fmt::format("performer-{}", index + 1);
}

void add_performer(show::Show& show, const std::string& node, std::size_t index) {
  const auto name = performer_of(index);
  show.submixes.push_back(
      {name, node, {slot("pattern", "pattern"), picture(index), slot("out", "stream-out")}});
  show::Stream stream;
  stream.name = name;
  stream.from = {name, "out"};
  stream.to = {kMix, name};
  stream.policy = kNewStreamPolicy;
  stream.pause_budget = kNewStreamPauseBudget;
  show.streams.push_back(std::move(stream));
}

show::Slot fade(std::size_t index, std::string below) {
  auto made = slot(fmt::format("fade-{}", index + 1), "frei0r/xfade0r");
  made.inputs = std::vector<std::string>{std::move(below), performer_of(index)};
  made.parameters["fader"] = 0.5;
  return made;
}

void add_mix(show::Show& show, const NewShow& wanted, std::size_t performers) {
  show::Submix mix{kMix, wanted.nodes.back(), {}};
  if (performers == 0) mix.slots = {slot("pattern", "pattern"), picture(0)};
  for (std::size_t i = 0; i < performers; ++i)
    mix.slots.push_back(slot(performer_of(i), "stream-in"));
  for (std::size_t i = 1; i < performers; ++i)
    mix.slots.push_back(fade(i, i == 1 ? performer_of(0) : fmt::format("fade-{}", i)));
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
