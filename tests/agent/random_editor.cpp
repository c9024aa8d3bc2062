// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/random_editor.hpp"

#include "common/show/macros.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

// 1. Slots that may be edited are named "x…"; of the others only the source, by replace_source().
// 2. An input that is stated names a slot above, so that no order makes a circle.

namespace submix::agent {
namespace {

constexpr std::size_t kSlotsMax = 10;
constexpr std::size_t kMacroSlotsMax = 4;  // each stands in up to twenty places
constexpr std::size_t kMixLeast = 4;       // the first three are the branch that no edit touches

show::Slot slot(std::string name, std::string plugin, std::optional<std::vector<std::string>> inputs = {}) {
  show::Slot slot{std::move(name), std::move(plugin), {}, std::move(inputs), false};
  slot.hosting = show::Hosting::in_process;  // hosts under the thread sanitizer make no frames
  return slot;
}

show::Stream stream(const std::string& name) {
  show::Stream stream;
  stream.name = name;
  stream.from = {name, "out"};
  stream.to = {"mix", name};
  return stream;
}

show::Show show_with(const std::string& edited) {
  show::Show show;
  show.name = edited;
  show.size = {240, 48};
  show.rate = {240, 1};
  show.nodes = {{"a", ""}, {"b", ""}, {"c", ""}};
  show.submixes = {{edited, "a", {slot("p", "pattern"), slot("s", "stamp"), slot("out", "stream-out")}},
                   {"still", "b", {slot("p", "pattern"), slot("s", "stamp"), slot("out", "stream-out")}},
                   {"mix",
                    "c",
                    {slot("still", "stream-in"), slot("check", "checker"), slot("end", "null"),
                     slot(edited, "stream-in"), slot(edited + "-end", "null")}},
                   {"look", "", {slot("in", "stream-in"), slot("text", "stamp"), slot("out", "stream-out")}}};
  show.streams = {stream(edited), stream("still")};
  return show;
}

std::size_t least_place(const show::Submix& submix) {
  return submix.name == "mix" ? kMixLeast : 1;
}

bool is_full(const show::Submix& submix) {
  return submix.slots.size() >= (submix.name == "look" ? kMacroSlotsMax : kSlotsMax);
}

// By others: a mixer may read itself, some frames later.
bool is_read_by_name(const show::Submix& submix, const std::string& name) {
  return std::any_of(submix.slots.begin(), submix.slots.end(), [&](const show::Slot& reader) {
    if (reader.name == name || !reader.inputs) return false;
    return std::any_of(reader.inputs->begin(), reader.inputs->end(),
                       [&](const auto& input) { return input.substr(0, input.find('@')) == name; });
  });
}

bool is_end(const show::Slot& slot) {
  return slot.plugin == "null";
}

bool is_mixer(const show::Slot& slot) {
  return slot.inputs && slot.inputs->size() == 2;
}

std::ptrdiff_t offset(std::size_t place) {
  return static_cast<std::ptrdiff_t>(place);
}

}  // namespace

show::Show RandomEditor::first_show() {
  return show_with("left");
}

std::string edited_submix(const show::Show& show) {
  return show.find_submix("left") != nullptr ? "left" : "right";
}

const std::vector<RandomEditor::Kind>& RandomEditor::kinds() {
  static const std::vector<Kind> kinds{{"insert a built-in", &RandomEditor::insert_built_in, 1},
                                       {"insert a submix", &RandomEditor::insert_macro, 1},
                                       {"insert a frei0r filter", &RandomEditor::insert_frei0r, 1},
                                       {"insert a mixer", &RandomEditor::insert_mixer, 1},
                                       {"take out", &RandomEditor::take_out, 1},
                                       {"replace", &RandomEditor::replace, 1},
                                       {"replace the source", &RandomEditor::replace_source, 2},
                                       {"shift", &RandomEditor::shift, 1},
                                       {"connect", &RandomEditor::connect, 1},
                                       {"helpers", &RandomEditor::set_helpers, 1},
                                       {"tune", &RandomEditor::tune, 1},
                                       {"bypass", &RandomEditor::bypass, 1},
                                       {"add an end", &RandomEditor::add_end, 1},
                                       {"policy", &RandomEditor::change_stream, 1},
                                       {"links", &RandomEditor::change_links, 1},
                                       {"move to another node", &RandomEditor::move, 15},
                                       {"size or rate", &RandomEditor::change_format, 4},
                                       {"another show", &RandomEditor::change_show, 4}};
  return kinds;
}

void RandomEditor::edit(show::Show& show) {
  for (;;) {
    const auto& kind = kinds().at(below(kinds().size()));
    if (below(kind.rarity) != 0 || !(this->*kind.edit)(show)) continue;
    ++made_[kind.name];
    return;
  }
}

// Mostly one that runs by itself: an edit of "look" is one of each place where it stands.
show::Submix& RandomEditor::some_submix(show::Show& show) {
  const auto edited = edited_submix(show);
  const std::array<std::string, 5> names{edited, edited, "mix", "mix", "look"};
  return *show.find_submix(names.at(below(names.size())));
}

show::Slot* RandomEditor::some_slot(show::Submix& submix) {
  auto& found = submix.slots.at(below(submix.slots.size()));
  return found.name.starts_with('x') ? &found : nullptr;
}

std::string RandomEditor::some_filter() {
  return std::array{"stamp", "frei0r/invert0r", "frei0r/gamma", "frei0r/glow", "frei0r/delay0r"}.at(below(5));
}

std::string RandomEditor::new_name() {
  return fmt::format("x{}", next_++);
}

bool RandomEditor::insert_macro(show::Show& show) {
  return insert(show, "submix/look");
}

bool RandomEditor::insert_frei0r(show::Show& show) {
  return insert(show, some_filter());
}

// Between two slots of the edited branch.
bool RandomEditor::insert(show::Show& show, const std::string& plugin) {
  auto& submix = some_submix(show);
  const bool is_in_itself = plugin == "submix/" + submix.name;
  if (is_full(submix) || is_in_itself) return false;
  const auto least = least_place(submix);
  const auto place = least + below(submix.slots.size() - least);
  submix.slots.insert(submix.slots.begin() + offset(place), slot(new_name(), plugin));
  return true;
}

// Of the slot above and another one further up; or of what it made itself some frames before. That only where
// no stream comes in: how many of its frames may wait is settled when it opens.
bool RandomEditor::insert_mixer(show::Show& show) {
  auto& submix = some_submix(show);
  if (is_full(submix)) return false;
  const auto least = least_place(submix);
  const auto place = least + below(submix.slots.size() - least);
  const auto name = new_name();
  auto other = submix.slots.at(least - 1 + below(place - least + 1)).name;
  if (submix.name == edited_submix(show) && below(2) == 0)
    other = fmt::format("{}@{}", below(2) == 0 ? name : other, 1 + below(3));
  const auto* const plugin = std::array{"frei0r/addition", "frei0r/xfade0r", "frei0r/multiply"}.at(below(3));
  submix.slots.insert(submix.slots.begin() + offset(place),
                      slot(name, plugin, {{submix.slots.at(place - 1).name, other}}));
  return true;
}

bool RandomEditor::take_out(show::Show& show) {
  auto& submix = some_submix(show);
  const auto place = below(submix.slots.size());
  const auto& name = submix.slots.at(place).name;
  if (!name.starts_with('x') || is_read_by_name(submix, name)) return false;
  submix.slots.erase(submix.slots.begin() + offset(place));
  return true;
}

bool RandomEditor::replace(show::Show& show) {
  auto& submix = some_submix(show);
  auto* const changed = some_slot(submix);
  if (changed == nullptr || is_end(*changed)) return false;
  const auto before = changed->plugin;
  if (is_mixer(*changed)) {
    changed->plugin = std::array{"frei0r/addition", "frei0r/xfade0r", "frei0r/multiply"}.at(below(3));
  } else if (submix.name != "look" && below(4) == 0) {
    changed->plugin = "submix/look";
  } else {
    changed->plugin = some_filter();
  }
  changed->helpers = 1;
  return changed->plugin != before;
}

bool RandomEditor::replace_source(show::Show& show) {
  auto& source = show.find_submix(edited_submix(show))->slots.front();
  const auto before = source.plugin;
  source.plugin = std::array{"pattern", "frei0r/onecol0r", "frei0r/test_pat_B"}.at(below(3));
  source.parameters.clear();
  return source.plugin != before;
}

// Two neighbours that read who stands above them, and that nobody reads by name.
bool RandomEditor::shift(show::Show& show) {
  auto& submix = some_submix(show);
  const auto place = below(submix.slots.size() - 1);
  auto& one = submix.slots.at(place);
  auto& other = submix.slots.at(place + 1);
  for (const auto* each : {&one, &other}) {
    if (!each->name.starts_with('x') || each->inputs || is_read_by_name(submix, each->name)) return false;
  }
  std::swap(one, other);
  return true;
}

// To another slot of its branch; or to whoever stands above it.
bool RandomEditor::connect(show::Show& show) {
  auto& submix = some_submix(show);
  const auto least = least_place(submix);
  const auto place = below(submix.slots.size());
  auto& changed = submix.slots.at(place);
  if (place < least || !changed.name.starts_with('x') || is_end(changed) || is_mixer(changed)) return false;
  const auto before = changed.inputs;
  if (changed.inputs) {
    changed.inputs.reset();
  } else {
    changed.inputs = {submix.slots.at(least - 1 + below(place - least + 1)).name};
  }
  return changed.inputs != before;
}

bool RandomEditor::set_helpers(show::Show& show) {
  auto* const changed = some_slot(some_submix(show));
  if (changed == nullptr || is_end(*changed) || !show::macro_of(*changed).empty()) return false;
  if (changed->plugin == "frei0r/delay0r") return false;  // it keeps frames
  const auto before = std::exchange(changed->helpers, 1 + static_cast<int>(below(3)));
  return changed->helpers != before;
}

bool RandomEditor::tune(show::Show& show) {
  auto& source = show.find_submix(edited_submix(show))->slots.front();
  if (source.plugin != "pattern") return false;
  source.parameters["speed"] = static_cast<double>(below(100)) / 100;
  return true;
}

bool RandomEditor::bypass(show::Show& show) {
  auto* const changed = some_slot(some_submix(show));
  if (changed == nullptr) return false;
  changed->is_bypassed = !changed->is_bypassed;
  return true;
}

// One more end of "mix", that reads any slot in front of it, also of the branch that is counted.
bool RandomEditor::add_end(show::Show& show) {
  auto& submix = *show.find_submix("mix");
  if (is_full(submix)) return false;
  submix.slots.push_back(slot(new_name(), "null", {{submix.slots.at(below(submix.slots.size())).name}}));
  return true;
}

bool RandomEditor::change_stream(show::Show& show) {
  auto& edited = *show.find_stream(edited_submix(show));
  edited.policy = std::array{show::InputPolicy::wait, show::InputPolicy::hold, show::InputPolicy::black,
                             show::InputPolicy::latest}
                      .at(below(4));
  edited.pause_budget = std::chrono::milliseconds(below(300));
  return true;
}

bool RandomEditor::change_links(show::Show& show) {
  auto& edited = *show.find_stream(edited_submix(show));
  edited.link_count = 1 + static_cast<int>(below(3));
  edited.is_local_allowed = below(2) == 0;
  if (below(4) == 0) edited.checksum = below(2) == 0 ? show::Checksum::off : show::Checksum::xxh3;
  return true;
}

bool RandomEditor::move(show::Show& show) {
  auto& submix = *show.find_submix(edited_submix(show));
  submix.node = submix.node == "a" ? "b" : "a";
  return true;
}

bool RandomEditor::change_format(show::Show& show) {
  const auto [size, rate] = std::pair(show.size, show.rate);
  show.size = std::array{Size{240, 48}, Size{320, 48}, Size{240, 64}}.at(below(3));
  show.rate = std::array{FrameRate{60, 1}, FrameRate{50, 1}, FrameRate{30, 1}}.at(below(3));
  return show.size != size || show.rate != rate;
}

bool RandomEditor::change_show(show::Show& show) {
  const auto [size, rate] = std::pair(show.size, show.rate);
  show = show_with(edited_submix(show) == "left" ? "right" : "left");
  show.size = size;
  show.rate = rate;
  return true;
}

}  // namespace submix::agent
