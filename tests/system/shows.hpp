// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace submix::testing {

/// Two stamped sources on two nodes; a third node checks and mixes them. Each stream has two links,
/// also on one machine.
inline constexpr const char* kCheckedDuo = R"toml(
[show]
name = "checked"
size = [512, 384]
rate = 120

[[node]]
name = "left"
[[node]]
name = "right"
[[node]]
name = "mix"

[[submix]]
name = "left"
node = "left"
slot = [
  { name = "pattern", plugin = "pattern" },
  { name = "stamp", plugin = "stamp" },
  { name = "out", plugin = "stream-out" },
]

[[submix]]
name = "right"
node = "right"
slot = [
  { name = "pattern", plugin = "pattern" },
  { name = "invert", plugin = "frei0r/invert0r" },
  { name = "stamp", plugin = "stamp" },
  { name = "out", plugin = "stream-out" },
]

[[submix]]
name = "mix"
node = "mix"
slot = [
  { name = "left", plugin = "stream-in" },
  { name = "check-left", plugin = "checker" },
  { name = "right", plugin = "stream-in" },
  { name = "check-right", plugin = "checker" },
  { name = "fade", plugin = "frei0r/xfade0r", inputs = ["check-left", "check-right"] },
]

[[stream]]
name = "left"
from = "left.out"
to = "mix.left"
links = 2
local = "off"

[[stream]]
name = "right"
from = "right.out"
to = "mix.right"
links = 2
local = "off"
)toml";

/// The same show; its streams may use shared memory.
inline std::string without_refusals(std::string show) {
  const std::string refusal = "local = \"off\"\n";
  for (std::size_t at = 0; (at = show.find(refusal)) != std::string::npos;)
    show.erase(at, refusal.size());
  return show;
}

/// The same show with few and small frames, so the machine stays nearly idle.
inline std::string at_leisure(std::string show) {
  constexpr std::string_view kMuch = "size = [512, 384]\nrate = 120\n";
  return show.replace(show.find(kMuch), kMuch.size(), "size = [320, 240]\nrate = 30\n");
}

}  // namespace submix::testing
