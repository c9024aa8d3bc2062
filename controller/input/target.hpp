// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

/// Control from outside: MIDI, OSC and Ableton Link.
namespace submix::input {

/// A parameter of a slot, or one number of it where it has several: of a colour, a position.
struct ParameterTarget {
  show::Port slot;
  std::string parameter;
  std::optional<std::size_t> part{};

  friend bool operator==(const ParameterTarget&, const ParameterTarget&) = default;
};
struct BypassTarget {
  show::Port slot;

  friend bool operator==(const BypassTarget&, const BypassTarget&) = default;
};
/// The node that shall run a submix; by OSC only.
struct AssignTarget {
  std::string submix;

  friend bool operator==(const AssignTarget&, const AssignTarget&) = default;
};
enum class TransportTarget { pause, step };
/// The time that oscillators follow: beats a minute, and the master speed.
enum class PaceTarget { tempo, speed };

/// A macro knob of the show.
struct KnobTarget {
  std::string knob;

  friend bool operator==(const KnobTarget&, const KnobTarget&) = default;
};
/// A press does a cue; an empty name: the next one.
struct CueTarget {
  std::string cue;

  friend bool operator==(const CueTarget&, const CueTarget&) = default;
};

/// What can be moved from outside. It outlives the show that has it: a mapping waits for it to come back.
using Target = std::variant<ParameterTarget, BypassTarget, AssignTarget, TransportTarget,
                            PaceTarget, KnobTarget, CueTarget>;

/// Whether it is no state, but something that a press does.
[[nodiscard]] bool is_trigger(const Target& target);

/// "left.glow.Blur", "left.tint.color[2]", "bypass left.glow", "assign left", "pause", "step", "tempo",
/// "speed", "knob heat", "go", "go finale".
[[nodiscard]] std::string to_string(const Target& target);
[[nodiscard]] Result<Target> parse_target(std::string_view text);

}  // namespace submix::input
