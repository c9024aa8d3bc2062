// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/show/random_show.hpp"

#include "common/base/plain_text.hpp"
#include "common/show/edit.hpp"
#include "common/show/validate.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace submix::show {
namespace {

int pick(std::mt19937& random, int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(random);
}

std::string random_text(std::mt19937& random) {
  const std::vector<std::string> pieces{"a", "Z", "\"", "\\", "\n", "\t",         " ",
                                        "#", "'", "=",  "é",  "…",  "\U0001F600", "{"};
  std::string text;
  for (int i = pick(random, 0, 12); i > 0; --i) {
    text += pieces[static_cast<std::size_t>(pick(random, 0, static_cast<int>(pieces.size()) - 1))];
  }
  return text;
}

double random_number(std::mt19937& random) {
  return std::ldexp(std::uniform_real_distribution<double>(-1.0, 1.0)(random),
                    pick(random, -40, 60));
}

ParameterValue random_value(std::mt19937& random) {
  switch (pick(random, 0, 4)) {
    case 0:
      return pick(random, 0, 1) == 1;
    case 1:
      return static_cast<double>(pick(random, -100, 100));
    case 2:
      return random_number(random);
    case 3:
      return random_text(random);
    default:
      return std::vector<double>(static_cast<std::size_t>(pick(random, 1, 5)),
                                 random_number(random));
  }
}

double random_part(std::mt19937& random) {
  return std::uniform_real_distribution<double>(0.0, 1.0)(random);
}

Oscillator random_oscillator(std::mt19937& random) {
  Oscillator oscillator;
  oscillator.waveform = static_cast<Waveform>(pick(random, 0, kWaveforms - 1));
  if (pick(random, 0, 1) == 1) oscillator.beats = 0.1 + 8 * random_part(random);
  if (pick(random, 0, 1) == 1) oscillator.frequency = 0.1 + 10 * random_part(random);
  if (pick(random, 0, 1) == 1) oscillator.phase = random_part(random);
  if (pick(random, 0, 1) == 1) oscillator.width = random_part(random);
  oscillator.from = random_number(random);
  oscillator.to = random_number(random);
  if (pick(random, 0, 1) == 1) oscillator.start = pick(random, -1000, 1000);
  if (pick(random, 0, 1) == 1) oscillator.shots = pick(random, 0, 1000);
  oscillator.is_on = pick(random, 0, 1) == 1;
  return oscillator;
}

Slot random_slot(std::mt19937& random, const Submix& above, int index) {
  Slot slot;
  slot.name = fmt::format("s{}", index);
  slot.plugin = pick(random, 0, 1) == 1 ? "frei0r/glow" : random_text(random) + "x";
  slot.is_bypassed = pick(random, 0, 4) == 0;
  if (slot.plugin == "frei0r/glow") slot.hosting = static_cast<Hosting>(pick(random, 0, 1));
  slot.helpers = pick(random, 1, 8);
  slot.is_stateless = pick(random, 0, 3) == 0;
  for (int i = pick(random, 0, 3); i > 0; --i)
    slot.parameters[random_text(random) + "p"] = random_value(random);
  if (!above.slots.empty() && pick(random, 0, 1) == 1)
    slot.inputs.emplace(2, above.slots.front().name);
  return slot;
}

void add_oscillators(Show& show, const Submix& submix, std::mt19937& random) {
  for (const auto& slot : submix.slots) {
    for (int i = pick(random, 0, 2); i > 0; --i) {
      const auto set = set_oscillator(show, {submix.name, slot.name}, random_text(random) + "o",
                                      random_oscillator(random));
      if (!set) throw std::logic_error(set.error().message);
    }
  }
}

Stream random_stream(std::mt19937& random, const Submix& from, const Submix& to) {
  Stream stream;
  stream.name = from.name;
  stream.from = {from.name, "out"};
  stream.to = {to.name, "from-" + from.name};
  stream.policy = static_cast<InputPolicy>(pick(random, 0, 3));
  if (pick(random, 0, 1) == 1) stream.standby = "break.png";
  stream.pause_budget = std::chrono::milliseconds(pick(random, 0, 1000));
  stream.link_count = pick(random, 1, 8);
  if (pick(random, 0, 1) == 1) {
    stream.routes.assign(static_cast<std::size_t>(stream.link_count), {"198.18.0.1", "fd00::2"});
  }
  if (pick(random, 0, 1) == 1) stream.congestion = "dctcp";
  stream.pixels = static_cast<PixelFormat>(pick(random, 0, 1));
  stream.checksum = static_cast<Checksum>(pick(random, 0, 1));
  stream.is_encrypted = pick(random, 0, 1) == 1;
  stream.is_local_allowed = pick(random, 0, 1) == 1;
  return stream;
}

CueChange random_change(std::mt19937& random, const Port& slot) {
  switch (pick(random, 0, 4)) {
    case 0:
      return CueParameter{slot, random_text(random) + "p", random_value(random)};
    case 1:
      return CueKnob{"k", random_part(random)};
    case 2:
      return CuePreset{"slot"};
    case 3:
      return CueBypass{slot, pick(random, 0, 1) == 1};
    default:
      return CueAssign{slot.submix, pick(random, 0, 1) == 1 ? "n1" : ""};
  }
}

Cue random_cue(std::mt19937& random, const Port& slot, int index) {
  Cue cue;
  cue.name = fmt::format("c{}", index);
  cue.text = random_text(random);
  if (pick(random, 0, 1) == 1) cue.fade_seconds = kFadeSecondsMax * random_part(random);
  if (pick(random, 0, 1) == 1) cue.is_paused = pick(random, 0, 1) == 1;
  if (pick(random, 0, 1) == 1)
    cue.follow = FollowOn{kFollowMin + (kFollowMax - kFollowMin) * random_part(random),
                          pick(random, 0, 1) == 1 ? FollowUnit::beats : FollowUnit::seconds};
  for (int i = pick(random, 0, 5); i > 0; --i)
    cue.changes.push_back(random_change(random, slot));
  return cue;
}

// Changes one slot of the show.
void add_performing(Show& show, std::mt19937& random) {
  auto& submix = show.submixes[static_cast<std::size_t>(
      pick(random, 0, static_cast<int>(show.submixes.size()) - 1))];
  const Port slot{submix.name, submix.slots.front().name};
  submix.slots.front().fades["f"] = {random_number(random),
                                     static_cast<std::uint64_t>(pick(random, 0, 1'000'000)),
                                     static_cast<std::uint64_t>(pick(random, 1, 1000))};
  show.knobs = {{"k", random_part(random), {}}};
  if (pick(random, 0, 1) == 1)
    show.knobs[0].targets = {
        {slot, random_text(random) + "t", random_number(random), random_number(random)}};
  show.presets = {{"slot", slot, {{random_text(random) + "p", random_value(random)}}, {}},
                  {"whole", {submix.name, ""}, {}, {}}};
  for (const auto& each : submix.slots) {
    for (const auto& [name, oscillator] : each.oscillators)
      show.presets[1].oscillators.emplace(each.name + "." + name, oscillator);
  }
  for (int i = pick(random, 0, 3); i > 0; --i)
    show.cues.push_back(random_cue(random, slot, i));
  if (!show.cues.empty()) show.next_cue = show.cues.back().name;
  if (!show.cues.empty() && pick(random, 0, 1) == 1)
    show.following = std::chrono::milliseconds(pick(random, 0, 1'000'000'000));
}

}  // namespace

Show random_show(std::mt19937& random) {
  Show show;
  show.name = one_line(random_text(random)) + "n";  // a name must be one line
  show.size = {pick(random, 16, 8192), pick(random, 16, 8192)};
  show.rate = {static_cast<std::uint32_t>(pick(random, 24000, 240000)), 1001};
  if (pick(random, 0, 1) == 1) show.delay_frames = pick(random, 2, 5);
  if (pick(random, 0, 1) == 1)
    show.tempo = {static_cast<double>(pick(random, 10, 999)), 16 * random_part(random)};
  for (int i = pick(random, 1, 4); i > 0; --i)
    show.nodes.push_back({fmt::format("n{}", i), random_text(random)});
  if (pick(random, 0, 1) == 1) show.sound = {"n1", fmt::format("hw:{},0", pick(random, 0, 9))};
  show.submixes = {{"mix", "", {}}};
  for (int i = pick(random, 0, 4); i > 0; --i) {
    Submix submix{fmt::format("p{}", i), pick(random, 0, 1) == 1 ? "n1" : "", {}};
    for (int k = pick(random, 0, 4); k > 0; --k)
      submix.slots.push_back(random_slot(random, submix, k));
    submix.slots.push_back({"out", "stream-out", {}, {}, false});
    show.submixes[0].slots.push_back({"from-" + submix.name, "stream-in", {}, {}, false});
    show.streams.push_back(random_stream(random, submix, show.submixes[0]));
    show.submixes.push_back(std::move(submix));
    add_oscillators(show, show.submixes.back(), random);
  }
  show.submixes[0].slots.push_back({"end", "null", {}, {}, false});
  add_performing(show, random);
  return show;
}

void edit_randomly(Show& show, std::mt19937& random) {
  auto& submix = show.submixes[static_cast<std::size_t>(
      pick(random, 0, static_cast<int>(show.submixes.size()) - 1))];
  auto& slot = submix.slots[static_cast<std::size_t>(
      pick(random, 0, static_cast<int>(submix.slots.size()) - 1))];
  switch (pick(random, 0, 3)) {
    case 0:
      submix.node = "n1";
      break;
    case 1:
      slot.is_bypassed = !slot.is_bypassed;
      break;
    case 2:
      slot.parameters["level"] = random_value(random);
      break;
    default:
      slot.parameters.clear();
      break;
  }
}

}  // namespace submix::show
