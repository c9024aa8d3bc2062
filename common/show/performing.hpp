// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/oscillator.hpp"
#include "common/show/parameters.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Knobs, presets and cues: the things a person performs a show with. They are part of the
/// document, saved with the show, and the same for every controller.
namespace submix::show {

/// A number on its way to its stated value, measured in frames of its submix. A finished fade stays
/// in the document until the parameter is set again, and has no effect.
struct Fade {
  double from = 0.0;
  std::uint64_t frame = 0;   ///< first frame of the fade
  std::uint64_t frames = 1;  ///< length in frames

  friend bool operator==(const Fade&, const Fade&) = default;
};
using Fades = std::map<std::string, Fade, std::less<>>;  // by parameter

/// The value at `frame` of a fade to `to`. Pure.
[[nodiscard]] double value_at(const Fade& fade, double to, std::uint64_t frame);

/// A parameter moved by a knob: `from` at 0, `to` at 1. `to` may be the smaller number.
struct KnobTarget {
  Port slot;
  std::string parameter;
  double from = 0.0;
  double to = 1.0;

  friend bool operator==(const KnobTarget&, const KnobTarget&) = default;
};

/// One control that moves several parameters.
struct Knob {
  std::string name;
  double value = 0.0;  ///< 0 to 1
  std::vector<KnobTarget> targets;

  friend bool operator==(const Knob&, const Knob&) = default;
};

/// The stated parameters and oscillators of a slot, or of all slots of a submix, when the preset
/// was saved. For a submix they are named "slot.parameter".
struct Preset {
  std::string name;
  Port of;  ///< an empty slot: the whole submix
  Parameters parameters;
  Oscillators oscillators;

  friend bool operator==(const Preset&, const Preset&) = default;
};

struct CueParameter {
  Port slot;
  std::string parameter;
  ParameterValue value;

  friend bool operator==(const CueParameter&, const CueParameter&) = default;
};
struct CueKnob {
  std::string knob;
  double value = 0.0;

  friend bool operator==(const CueKnob&, const CueKnob&) = default;
};
struct CuePreset {
  std::string preset;

  friend bool operator==(const CuePreset&, const CuePreset&) = default;
};
struct CueBypass {
  Port slot;
  bool is_bypassed = true;

  friend bool operator==(const CueBypass&, const CueBypass&) = default;
};
struct CueAssign {
  std::string submix;
  std::string node;  ///< empty: no node

  friend bool operator==(const CueAssign&, const CueAssign&) = default;
};
using CueChange = std::variant<CueParameter, CueKnob, CuePreset, CueBypass, CueAssign>;

enum class FollowUnit { seconds, beats };
/// A follow-on: so long after a cue the next cue goes by itself.
struct FollowOn {
  double after = 4.0;
  FollowUnit unit = FollowUnit::seconds;

  friend bool operator==(const FollowOn&, const FollowOn&) = default;
};

/// A step of the show. All its changes happen at once when a person says go.
struct Cue {
  std::string name;
  std::string text;                 ///< for people: what happens
  double fade_seconds = 0.0;        ///< how long numbers take to reach their new values
  std::optional<bool> is_paused{};  ///< true: pauses the show; false: lets it run on
  std::vector<CueChange> changes;
  std::optional<FollowOn> follow{};  ///< empty: the next cue waits for a person

  friend bool operator==(const Cue&, const Cue&) = default;
};

inline constexpr std::size_t kKnobsMax = 64;
inline constexpr std::size_t kTargetsMax = 64;  ///< of one knob
inline constexpr std::size_t kPresetsMax = 256;
inline constexpr std::size_t kCuesMax = 256;
inline constexpr std::size_t kCueChangesMax = 128;  ///< of one cue
inline constexpr double kFadeSecondsMax = 3600.0;
inline constexpr double kFollowMin = 0.5;  ///< seconds or beats
inline constexpr double kFollowMax = 3600.0;
inline constexpr std::chrono::milliseconds kFollowingMax{10'000'000'000'000};  ///< the year 2286
inline constexpr std::uint64_t kFadeFramesMax = 1'000'000;  ///< an hour at the fastest rate

}  // namespace submix::show
