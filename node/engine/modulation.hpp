// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/show/document.hpp"
#include "node/engine/sound_source.hpp"
#include "node/engine/stage_parts.hpp"
#include "node/plugin/plugin.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace submix::engine {

/// The courses of a slot's moving parameters: oscillators and fades. Gives each parameter's value
/// at each frame number of the show (ShowCount), and the show's beat there.
///
/// Threads  Immutable; shared by the slot's workers.
class Modulation {
 public:
  struct OscillatorCourse {
    show::Oscillator oscillator;
    std::uint64_t seed = 0;

    friend bool operator==(const OscillatorCourse&, const OscillatorCourse&) = default;
  };
  struct FadeCourse {
    show::Fade fade;
    double to = 0.0;

    friend bool operator==(const FadeCourse&, const FadeCourse&) = default;
  };
  struct ParameterCourse {
    std::string parameter;
    std::variant<OscillatorCourse, FadeCourse> course;

    friend bool operator==(const ParameterCourse&, const ParameterCourse&) = default;
  };

  /// `sound` outlives it; null: silence.
  Modulation(std::vector<ParameterCourse> courses, show::Tempo tempo, FrameRate rate,
             const SoundSource* sound = nullptr)
      : courses_(std::move(courses)), tempo_(std::move(tempo)), rate_(rate), sound_(sound) {}

  [[nodiscard]] const std::vector<ParameterCourse>& courses() const { return courses_; }
  [[nodiscard]] bool moves(std::string_view parameter) const;
  [[nodiscard]] const ParameterCourse* find(
      std::string_view parameter) const;  ///< null: it does not move
  /// The same courses at another tempo.
  [[nodiscard]] std::shared_ptr<const Modulation> with_tempo(const show::Tempo& tempo) const;

  friend bool operator==(const Modulation&, const Modulation&) = default;

 private:
  friend class MovingParameters;

  std::vector<ParameterCourse> courses_;
  show::Tempo tempo_;
  FrameRate rate_;
  const SoundSource* sound_;
};

/// Tells a plugin instance the show's beat and the values of its moving parameters. Confined (its
/// owner thread).
///
/// Cost     move(): nothing without a modulation. Otherwise no allocation; the plugin is told only
///          values that differ from the last frame.
class MovingParameters {
 public:
  /// Null: no parameter moves from now on.
  void follow(std::shared_ptr<const Modulation> modulation);
  /// After another caller has set `parameter`: the next frame tells the plugin its value again.
  void forget(std::string_view parameter);
  void move(plugin::Plugin& plugin, FrameIndex frame) {
    if (modulation_) tell_values(plugin, frame);
  }

 private:
  void tell_values(plugin::Plugin& plugin, FrameIndex frame);

  std::shared_ptr<const Modulation> modulation_;
  std::vector<double> told_;  // for each course, the value told last; NaN: none
};

/// Checks the slot's active oscillators against the plugin.
///
/// Errors   The first parameter that does not fit, and the reason.
[[nodiscard]] Result<void> check_oscillators(const show::Slot& slot,
                                             const plugin::Description& description);

/// The slot's active oscillators, as the show states them, and its unfinished fades, checked
/// against the plugin. Null: nothing moves, and the plugin follows no beat. A range beyond the
/// plugin's limits is clamped, and a warning goes to the context's events.
[[nodiscard]] Result<std::shared_ptr<const Modulation>> make_modulation(
    const show::Slot& slot, const plugin::Description& description, const StageContext& context);

}  // namespace submix::engine
