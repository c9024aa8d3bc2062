// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/show/random_show.hpp"

#include <fmt/format.h>

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
  return std::ldexp(std::uniform_real_distribution<double>(-1.0, 1.0)(random), pick(random, -40, 60));
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
      return std::vector<double>(static_cast<std::size_t>(pick(random, 1, 5)), random_number(random));
  }
}

Slot random_slot(std::mt19937& random, const Submix& above, int index) {
  Slot slot;
  slot.name = fmt::format("s{}", index);
  slot.plugin = pick(random, 0, 1) == 1 ? "frei0r/glow" : random_text(random) + "x";
  slot.is_bypassed = pick(random, 0, 3) == 0;
  if (slot.plugin == "frei0r/glow") slot.hosting = static_cast<Hosting>(pick(random, 0, 1));
  for (int i = pick(random, 0, 3); i > 0; --i)
    slot.parameters[random_text(random) + "p"] = random_value(random);
  if (!above.slots.empty() && pick(random, 0, 1) == 1) slot.inputs.emplace(2, above.slots.front().name);
  return slot;
}

Stream random_stream(std::mt19937& random, const Submix& from, const Submix& to) {
  Stream stream;
  stream.name = from.name;
  stream.from = {from.name, "out"};
  stream.to = {to.name, "from-" + from.name};
  stream.policy = static_cast<InputPolicy>(pick(random, 0, 3));
  stream.pause_budget = std::chrono::milliseconds(pick(random, 0, 1000));
  stream.link_count = pick(random, 1, 8);
  if (pick(random, 0, 1) == 1) {
    stream.routes.assign(static_cast<std::size_t>(stream.link_count), {"198.18.0.1", "fd00::2"});
  }
  if (pick(random, 0, 1) == 1) stream.congestion = "dctcp";
  stream.checksum = static_cast<Checksum>(pick(random, 0, 1));
  stream.is_local_allowed = pick(random, 0, 1) == 1;
  return stream;
}

}  // namespace

Show random_show(std::mt19937& random) {
  Show show;
  show.name = random_text(random) + "n";
  show.size = {pick(random, 16, 8192), pick(random, 16, 8192)};
  show.rate = {static_cast<std::uint32_t>(pick(random, 24000, 240000)), 1001};
  for (int i = pick(random, 1, 4); i > 0; --i)
    show.nodes.push_back({fmt::format("n{}", i), random_text(random)});
  show.submixes = {{"mix", "", {}}};
  for (int i = pick(random, 0, 4); i > 0; --i) {
    Submix submix{fmt::format("p{}", i), pick(random, 0, 1) == 1 ? "n1" : "", {}};
    for (int k = pick(random, 0, 4); k > 0; --k)
      submix.slots.push_back(random_slot(random, submix, k));
    submix.slots.push_back({"out", "stream-out", {}, {}, false});
    show.submixes[0].slots.push_back({"from-" + submix.name, "stream-in", {}, {}, false});
    show.streams.push_back(random_stream(random, submix, show.submixes[0]));
    show.submixes.push_back(std::move(submix));
  }
  show.submixes[0].slots.push_back({"end", "null", {}, {}, false});
  return show;
}

void edit_randomly(Show& show, std::mt19937& random) {
  auto& submix =
      show.submixes[static_cast<std::size_t>(pick(random, 0, static_cast<int>(show.submixes.size()) - 1))];
  auto& slot =
      submix.slots[static_cast<std::size_t>(pick(random, 0, static_cast<int>(submix.slots.size()) - 1))];
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
