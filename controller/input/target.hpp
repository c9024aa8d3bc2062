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

/// A parameter of a slot, or one number of a parameter with several numbers (a colour, a position).
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
/// The node that runs a submix; by OSC only.
struct AssignTarget {
  std::string submix;

  friend bool operator==(const AssignTarget&, const AssignTarget&) = default;
};
/// Acts on the whole show, or on all its outputs and recorders.
enum class TransportTarget { pause, step, black, freeze, fullscreen, record };
/// The time that oscillators follow: the tempo in beats per minute, the master speed, and a tap on
/// each beat.
enum class PaceTarget { tempo, speed, tap };

/// A macro knob of the show.
struct KnobTarget {
  std::string knob;

  friend bool operator==(const KnobTarget&, const KnobTarget&) = default;
};
/// A press performs a cue; an empty name means the next cue.
struct CueTarget {
  std::string cue;

  friend bool operator==(const CueTarget&, const CueTarget&) = default;
};
/// A press applies a preset.
struct PresetTarget {
  std::string preset;

  friend bool operator==(const PresetTarget&, const PresetTarget&) = default;
};

/// Something that control from outside can move. A target may outlive its part of the show: its
/// mapping waits until the part returns.
using Target = std::variant<ParameterTarget, BypassTarget, AssignTarget, TransportTarget,
                            PaceTarget, KnobTarget, CueTarget, PresetTarget>;

/// Whether the target is an action of a press, without a state.
[[nodiscard]] bool is_trigger(const Target& target);

/// "left.glow.Blur", "left.tint.color[2]", "bypass left.glow", "assign left", "pause", "step",
/// "black", "freeze", "fullscreen", "record", "tempo", "speed", "tap", "knob heat", "go",
/// "go finale", "preset sunset".
[[nodiscard]] std::string to_string(const Target& target);
/// The same as the window calls it: "BLACK-OUT", "FULL SCREEN", "REC", "GO".
[[nodiscard]] std::string words_of(const Target& target);
[[nodiscard]] Result<Target> parse_target(std::string_view text);

}  // namespace submix::input
