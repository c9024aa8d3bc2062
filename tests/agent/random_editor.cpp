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

// 1. Slots named "x…" may be edited. Of other slots only the source changes: replace_source().
// 2. A stated input names a slot above, or is read late, so no order makes a circle.

namespace submix::agent {
namespace {

constexpr std::size_t kSlotsMax = 10;
constexpr std::size_t kMacroSlotsMax = 4;  // each macro is used in up to twenty places
constexpr std::size_t kBlendSlotsMax = 6;  // its ports and its mixer are four more
constexpr std::size_t kStreamsMax = 4;
constexpr std::size_t kMixLeast = 4;  // the first three are the branch that no edit changes

show::Slot slot_in_process(std::string name, std::string plugin,
                           std::optional<std::vector<std::string>> inputs = {}) {
  show::Slot slot{std::move(name), std::move(plugin), {}, std::move(inputs), false};
  // Plugin hosts make no frames under the thread sanitizer.
  slot.hosting = show::Hosting::in_process;
  return slot;
}

show::Stream stream(const std::string& name) {
  show::Stream stream;
  stream.name = name;
  stream.from = {name, "out"};
  stream.to = {"mix", name};
  return stream;
}

show::Show edited_show(const std::string& edited) {
  show::Show show;
  show.name = edited;
  show.size = {240, 48};
  show.rate = {240, 1};
  show.nodes = {{"a", ""}, {"b", ""}, {"c", ""}};
  show.submixes = {{edited,
                    "a",
                    {slot_in_process("p", "pattern"), slot_in_process("s", "stamp"),
                     slot_in_process("out", "stream-out")}},
                   {"still",
                    "b",
                    {slot_in_process("p", "pattern"), slot_in_process("s", "stamp"),
                     slot_in_process("out", "stream-out")}},
                   {"mix",
                    "c",
                    {slot_in_process("still", "stream-in"), slot_in_process("check", "checker"),
                     slot_in_process("end", "null"), slot_in_process(edited, "stream-in"),
                     slot_in_process(edited + "-end", "null")}},
                   {"look",
                    "",
                    {slot_in_process("in", "stream-in"), slot_in_process("text", "stamp"),
                     slot_in_process("out", "stream-out")}},
                   {"blend",
                    "",
                    {slot_in_process("now", "stream-in"), slot_in_process("late", "stream-in"),
                     slot_in_process("sum", "frei0r/addition", {{"now", "late@1"}}),
                     slot_in_process("out", "stream-out")}}};
  show.streams = {stream(edited), stream("still")};
  return show;
}

std::size_t least_place(const show::Submix& submix) {
  if (submix.name == "blend") return 3;
  return submix.name == "mix" ? kMixLeast : 1;
}

bool is_full(const show::Submix& submix) {
  if (submix.name == "blend") return submix.slots.size() >= kBlendSlotsMax;
  return submix.slots.size() >= (submix.name == "look" ? kMacroSlotsMax : kSlotsMax);
}

// "blend" may be used in "look"; nothing may be used in "blend".
bool may_stand_in(const std::string& plugin, const show::Submix& submix) {
  if (!plugin.starts_with(show::kMacroPrefix)) return true;
  return submix.name != "blend" && plugin != "submix/" + submix.name;
}

std::string_view name_of(std::string_view input) {
  return input.substr(0, input.find('@'));
}

bool is_late(std::string_view input) {
  return input.find('@') != std::string_view::npos;
}

// Whether other slots read it. A mixer may read its own former frames.
bool is_read_by_name(const show::Submix& submix, const std::string& name) {
  return std::any_of(submix.slots.begin(), submix.slots.end(), [&](const show::Slot& reader) {
    if (reader.name == name || !reader.inputs) return false;
    return std::any_of(reader.inputs->begin(), reader.inputs->end(),
                       [&](const auto& input) { return name_of(input) == name; });
  });
}

bool is_end(const show::Slot& slot) {
  return slot.plugin == "null" || slot.plugin == "window";
}

bool is_stream_in(const show::Slot& slot) {
  return slot.plugin == show::kStreamInPlugin;
}

bool is_mixer(const show::Slot& slot) {
  return slot.inputs && slot.inputs->size() >= 2;
}

std::ptrdiff_t offset(std::size_t place) {
  return static_cast<std::ptrdiff_t>(place);
}

}  // namespace

show::Show RandomEditor::first_show() {
  return edited_show("left");
}

std::string edited_submix(const show::Show& show) {
  return show.find_submix("left") != nullptr ? "left" : "right";
}

const std::vector<RandomEditor::Kind>& RandomEditor::kinds() {
  static const std::vector<Kind> kinds{
      {"insert a built-in", &RandomEditor::insert_built_in, 1},
      {"insert a submix", &RandomEditor::insert_macro, 1},
      {"insert a submix of two inputs", &RandomEditor::insert_macro_of_two, 2},
      {"insert a frei0r filter", &RandomEditor::insert_frei0r, 1},
      {"insert a mixer", &RandomEditor::insert_frei0r_mixer, 1},
      {"insert a wide mixer", &RandomEditor::insert_wide_mixer, 2},
      {"delay", &RandomEditor::change_delay, 1},
      {"take out", &RandomEditor::take_out, 1},
      {"replace", &RandomEditor::replace, 1},
      {"replace the source", &RandomEditor::replace_source, 2},
      {"shift", &RandomEditor::shift, 1},
      {"connect", &RandomEditor::connect, 1},
      {"rename", &RandomEditor::rename, 2},
      {"helpers", &RandomEditor::set_helpers, 1},
      {"frames in flight", &RandomEditor::set_in_flight, 2},
      {"tune", &RandomEditor::tune, 1},
      {"oscillate", &RandomEditor::oscillate, 1},
      {"tempo", &RandomEditor::change_tempo, 2},
      {"bypass", &RandomEditor::bypass, 1},
      {"add an end", &RandomEditor::add_end, 1},
      {"output chain", &RandomEditor::change_output_chain, 2},
      {"add a stream", &RandomEditor::add_stream, 3},
      {"take out a stream", &RandomEditor::take_out_stream, 2},
      {"policy", &RandomEditor::change_stream, 1},
      {"links", &RandomEditor::change_links, 1},
      {"checksum, encryption or congestion", &RandomEditor::change_way, 2},
      {"move to another node", &RandomEditor::move, 15},
      {"size or rate", &RandomEditor::change_format, 8},
      {"another show", &RandomEditor::change_show, 10}};
  return kinds;
}

bool RandomEditor::has_made_all() const {
  return std::ranges::all_of(kinds(), [this](const Kind& kind) {
    const auto found = made_.find(kind.name);
    return found != made_.end() && found->second > 0;
  });
}

void RandomEditor::edit(show::Show& show) {
  const std::size_t edits = below(6) == 0 ? 2 + below(3) : 1;
  for (std::size_t i = 0; i < edits; ++i)
    edit_once(show);
}

// Of two random kinds, takes the one made less often: some are seldom possible.
void RandomEditor::edit_once(show::Show& show) {
  for (;;) {
    const auto& one = kinds().at(below(kinds().size()));
    const auto& other = kinds().at(below(kinds().size()));
    const auto& kind = made_[one.name] <= made_[other.name] ? one : other;
    if (below(kind.rarity) != 0 || !(this->*kind.edit)(show)) continue;
    ++made_[kind.name];
    return;
  }
}

// Mostly a submix that runs by itself: an edit of a macro changes each place of its use.
show::Submix& RandomEditor::some_submix(show::Show& show) {
  const auto edited = edited_submix(show);
  const std::array<std::string, 6> names{edited, edited, "mix", "mix", "look", "blend"};
  return *show.find_submix(names.at(below(names.size())));
}

show::Slot* RandomEditor::some_slot(show::Submix& submix) {
  auto& found = submix.slots.at(below(submix.slots.size()));
  return found.name.starts_with('x') ? &found : nullptr;
}

// Any submix except "still".
show::Stream& RandomEditor::some_stream(show::Show& show) {
  for (;;) {
    auto& found = show.streams.at(below(show.streams.size()));
    if (found.name != "still") return found;
  }
}

std::string RandomEditor::some_filter() {
  return std::array{"stamp", "frei0r/invert0r", "frei0r/gamma", "frei0r/glow", "frei0r/delay0r"}.at(
      below(5));
}

std::string RandomEditor::some_mixer() {
  return std::array{"frei0r/addition", "frei0r/xfade0r", "frei0r/multiply"}.at(below(3));
}

std::string RandomEditor::new_name() {
  return fmt::format("x{}", next_++);
}

// Inserts a slot between two slots of the edited branch.
bool RandomEditor::insert(show::Show& show, const std::string& plugin) {
  auto& submix = some_submix(show);
  if (is_full(submix) || !may_stand_in(plugin, submix)) return false;
  const auto least = least_place(submix);
  const auto place = least + below(submix.slots.size() - least);
  submix.slots.insert(submix.slots.begin() + offset(place), slot_in_process(new_name(), plugin));
  return true;
}

// Reads the slot above and others further up, now or some frames late; or its own former frame.
bool RandomEditor::insert_mixer(show::Show& show, const std::string& plugin, std::size_t inputs) {
  auto& submix = some_submix(show);
  if (is_full(submix) || !may_stand_in(plugin, submix)) return false;
  const auto least = least_place(submix);
  const auto place = least + below(submix.slots.size() - least);
  const auto name = new_name();
  std::vector<std::string> read{submix.slots.at(place - 1).name};
  while (read.size() < inputs) {
    const auto& other = submix.slots.at(least - 1 + below(place - least + 1)).name;
    read.push_back(
        below(2) == 0 ? other : fmt::format("{}@{}", below(2) == 0 ? name : other, 1 + below(3)));
  }
  submix.slots.insert(submix.slots.begin() + offset(place),
                      slot_in_process(name, plugin, std::move(read)));
  return true;
}

// Changes the delay of a mixer's input, except the first, which is never late.
bool RandomEditor::change_delay(show::Show& show) {
  auto* const changed = some_slot(some_submix(show));
  if (changed == nullptr || !is_mixer(*changed)) return false;
  auto& input = changed->inputs->at(1 + below(changed->inputs->size() - 1));
  const auto before = input;
  const auto name = std::string(name_of(input));
  const auto least = name == changed->name ? 1U : 0U;
  const auto delay = least + below(is_late(before) ? 3 : 6);
  input = delay == 0 ? name : fmt::format("{}@{}", name, delay);
  return input != before;
}

bool RandomEditor::take_out(show::Show& show) {
  auto& submix = some_submix(show);
  const auto place = below(submix.slots.size());
  const auto& name = submix.slots.at(place).name;
  if (!name.starts_with('x') || is_read_by_name(submix, name)) return false;
  std::erase_if(show.streams, [&](const show::Stream& stream) {
    return stream.to == show::Port{submix.name, name};
  });
  submix.slots.erase(submix.slots.begin() + offset(place));
  return true;
}

bool RandomEditor::replace(show::Show& show) {
  auto& submix = some_submix(show);
  auto* const changed = some_slot(submix);
  if (changed == nullptr || is_end(*changed) || is_stream_in(*changed)) return false;
  const auto before = changed->plugin;
  if (is_mixer(*changed)) {
    if (changed->inputs->size() > 2) return false;
    changed->plugin = some_mixer();
  } else {
    changed->plugin = may_stand_in("submix/look", submix) && submix.name != "look" && below(4) == 0
                          ? "submix/look"
                          : some_filter();
  }
  changed->helpers = 1;
  changed->is_stateless = false;
  return changed->plugin != before;
}

bool RandomEditor::replace_source(show::Show& show) {
  auto& source = show.find_submix(edited_submix(show))->slots.front();
  const auto before = source.plugin;
  source.plugin = std::array{"pattern", "frei0r/onecol0r", "frei0r/test_pat_B"}.at(below(3));
  source.parameters.clear();
  source.oscillators.clear();
  return source.plugin != before;
}

// Swaps two neighbours that read the slot above them and that no slot reads by name.
bool RandomEditor::shift(show::Show& show) {
  auto& submix = some_submix(show);
  const auto place = below(submix.slots.size() - 1);
  auto& one = submix.slots.at(place);
  auto& other = submix.slots.at(place + 1);
  for (const auto* each : {&one, &other}) {
    if (!each->name.starts_with('x') || each->inputs || is_read_by_name(submix, each->name))
      return false;
  }
  std::swap(one, other);
  return true;
}

// Reads another slot of its branch, or the slot above it.
bool RandomEditor::connect(show::Show& show) {
  auto& submix = some_submix(show);
  const auto least = least_place(submix);
  const auto place = below(submix.slots.size());
  auto& changed = submix.slots.at(place);
  if (place < least || !changed.name.starts_with('x')) return false;
  if (is_end(changed) || is_mixer(changed) || is_stream_in(changed)) return false;
  const auto before = changed.inputs;
  if (changed.inputs) {
    changed.inputs.reset();
  } else {
    changed.inputs = {submix.slots.at(least - 1 + below(place - least + 1)).name};
  }
  return changed.inputs != before;
}

// Readers of the removed slot read its input instead.
bool RandomEditor::rename(show::Show& show) {
  auto& submix = some_submix(show);
  auto* const changed = some_slot(submix);
  if (changed == nullptr) return false;
  const auto before = std::exchange(changed->name, new_name());
  for (auto& reader : submix.slots) {
    if (!reader.inputs) continue;
    for (auto& input : *reader.inputs) {
      if (name_of(input) == before) input.replace(0, before.size(), changed->name);
    }
  }
  for (auto& stream : show.streams) {
    if (stream.to == show::Port{submix.name, before}) stream.to.slot = changed->name;
  }
  return true;
}

bool RandomEditor::set_helpers(show::Show& show) {
  auto* const changed = some_slot(some_submix(show));
  if (changed == nullptr || is_end(*changed) || is_stream_in(*changed)) return false;
  if (!show::macro_of(*changed).empty()) return false;
  if (changed->plugin == "frei0r/delay0r") return false;  // the plugin keeps frames
  changed->is_stateless = below(3) == 0;
  const auto before = std::exchange(changed->helpers, 1 + static_cast<int>(below(3)));
  return changed->helpers != before;
}

bool RandomEditor::set_in_flight(show::Show& show) {
  auto& submix = some_submix(show);
  if (submix.node.empty()) return false;
  const auto before = std::exchange(submix.frames_in_flight, static_cast<int>(below(6)));
  return submix.frames_in_flight != before;
}

bool RandomEditor::tune(show::Show& show) {
  auto& source = show.find_submix(edited_submix(show))->slots.front();
  if (source.plugin != "pattern") return false;
  source.parameters["speed"] = static_cast<double>(below(100)) / 100;
  return true;
}

bool RandomEditor::oscillate(show::Show& show) {
  auto& source = show.find_submix(edited_submix(show))->slots.front();
  if (source.plugin != "pattern") return false;
  if (source.oscillators.erase("speed") > 0 && below(2) == 0) return true;
  show::Oscillator oscillator;
  oscillator.waveform = static_cast<show::Waveform>(below(show::kWaveforms));
  oscillator.frequency = 0.1 + static_cast<double>(below(50)) / 10;
  if (below(3) == 0) oscillator.beats = 0.25 * static_cast<double>(1 + below(16));
  oscillator.is_on = below(4) != 0;
  source.oscillators["speed"] = oscillator;
  return true;
}

bool RandomEditor::change_tempo(show::Show& show) {
  show.tempo.beats_per_minute = 60.0 + static_cast<double>(below(120));
  show.tempo.master_speed = static_cast<double>(below(5)) / 2;
  return true;
}

bool RandomEditor::bypass(show::Show& show) {
  auto* const changed = some_slot(some_submix(show));
  if (changed == nullptr || is_stream_in(*changed)) return false;
  changed->is_bypassed = !changed->is_bypassed;
  return true;
}

// One more stream-out in "mix". It may read any slot in front of it, also of the counted branch.
bool RandomEditor::add_end(show::Show& show) {
  auto& submix = *show.find_submix("mix");
  if (is_full(submix)) return false;
  const auto* const plugin = below(2) == 0 ? "window" : "null";
  submix.slots.push_back(
      slot_in_process(new_name(), plugin, {{submix.slots.at(below(submix.slots.size())).name}}));
  return true;
}

bool RandomEditor::change_output_chain(show::Show& show) {
  show.output_chain = show.output_chain.empty() ? "look" : "";
  return true;
}

// A stream to "mix" from the edited submix, whose output then has several receivers, or from a new
// performer.
bool RandomEditor::add_stream(show::Show& show) {
  auto& mix = *show.find_submix("mix");
  if (is_full(mix) || show.streams.size() >= kStreamsMax) return false;
  const auto from = below(2) == 0 ? edited_submix(show) : "side";
  auto added = stream(new_name());
  added.from.submix = from;
  added.policy = some_policy();
  const auto place = kMixLeast + below(mix.slots.size() - kMixLeast);
  mix.slots.insert(mix.slots.begin() + offset(place), slot_in_process(added.name, "stream-in"));
  show.streams.push_back(added);
  if (show.find_submix(from) == nullptr) {
    const auto* const node = std::array{"a", "b", "c"}.at(below(3));
    show.submixes.push_back(
        {from, node, {slot_in_process("p", "pattern"), slot_in_process("out", "stream-out")}});
  }
  return true;
}

// Removes the stream with its slot. A performer without streams goes, too.
bool RandomEditor::take_out_stream(show::Show& show) {
  const auto taken = some_stream(show);
  auto& mix = *show.find_submix("mix");
  if (!taken.name.starts_with('x') || is_read_by_name(mix, taken.to.slot)) return false;
  std::erase_if(show.streams, [&](const auto& each) { return each.name == taken.name; });
  std::erase_if(mix.slots, [&](const auto& each) { return each.name == taken.to.slot; });
  const bool is_side_sent = std::ranges::any_of(
      show.streams, [](const show::Stream& each) { return each.from.submix == "side"; });
  if (!is_side_sent)
    std::erase_if(show.submixes, [](const auto& each) { return each.name == "side"; });
  return true;
}

show::InputPolicy RandomEditor::some_policy() {
  return std::array{show::InputPolicy::wait, show::InputPolicy::hold, show::InputPolicy::black,
                    show::InputPolicy::latest, show::InputPolicy::standby}
      .at(below(5));
}

bool RandomEditor::change_stream(show::Show& show) {
  auto& edited = some_stream(show);
  edited.policy = some_policy();
  edited.pause_budget = std::chrono::milliseconds(below(300));
  return true;
}

bool RandomEditor::change_links(show::Show& show) {
  auto& edited = some_stream(show);
  edited.link_count = 1 + static_cast<int>(below(3));
  edited.routes.clear();
  if (below(4) == 0) edited.routes = {{"127.0.0.1", "127.0.0.1"}};
  edited.is_local_allowed = below(2) == 0;
  return true;
}

// Changes that need a new sender.
bool RandomEditor::change_way(show::Show& show) {
  auto& edited = some_stream(show);
  const auto before = edited;
  edited.checksum = below(2) == 0 ? Checksum::none : Checksum::xxh3;
  edited.is_encrypted = below(2) == 0;
  edited.congestion = below(2) == 0 ? "cubic" : "reno";
  return edited != before;
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
  show = edited_show(edited_submix(show) == "left" ? "right" : "left");
  show.size = size;
  show.rate = rate;
  return true;
}

}  // namespace submix::agent
