// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Knobs, presets and cues: one move of a person becomes one edit. Pure.
///
/// Only values that the plugins take are written (value_gate.hpp); the others are listed in
/// `left_out`.
///
/// Errors   The missing thing, with the nearest existing name. validate() checks the whole show.
namespace submix::model {

/// Facts for fades and for what a number is now.
struct RunningState {
  std::optional<std::chrono::nanoseconds> time;  ///< empty: not known, so nothing fades
  PluginMap plugins;                             ///< with_macros(); those of the numbers suffice
  Sound sound{};                                 ///< as last heard; silence where nobody asked
};
[[nodiscard]] RunningState running_of(const ClusterView& view, LocalTime now);
/// The nodes' plugins and the show's submixes as plugins. Lives as long as `view`.
[[nodiscard]] const PluginMap& plugins_of(const ClusterView& view);

/// The result of one move. `left_out` lists values that no plugin takes, for people; they are not
/// written.
struct Performed {
  Edit edit;
  std::vector<std::string> left_out{};
};

/// Sets all of the knob's targets. A target that an oscillator moves is held.
[[nodiscard]] Result<Performed> turn_knob(const show::Show& show, const PluginMap& plugins,
                                          std::string_view knob, double value);

/// Moves a number by hand: at once, or from where it is now within `seconds`. An oscillator of it
/// is held.
[[nodiscard]] Result<Edit> move_number(const show::Show& show, const RunningState& running,
                                       const SetParameter& number, double seconds = 0);

/// Saves the values of a slot, or of a whole submix where `of` has no slot.
[[nodiscard]] Result<Edit> save_preset(const show::Show& show, std::string name,
                                       const show::Port& of);
/// Sets the values of the preset, and nothing else.
[[nodiscard]] Result<Performed> apply_preset(const show::Show& show, const PluginMap& plugins,
                                             std::string_view preset);

/// The result of a cue: one edit of the show, and perhaps of the transport.
struct CueStep {
  std::string cue;
  Edit edit;
  std::optional<bool> is_paused;
  std::vector<std::string> left_out{};  ///< as Performed::left_out
  bool is_followed = false;             ///< the next cue goes by itself
};
/// Does the cue `cue`, or the next cue if the name is empty. The cue behind it becomes the next
/// one; it follows by itself if the cue says so (follow_on.hpp). Numbers fade over the cue's time,
/// in all submixes from one announced frame on; all other changes happen at once.
[[nodiscard]] Result<CueStep> go(const show::Show& show, const RunningState& running,
                                 std::string_view cue = {});
/// The cue that go() would do. Null: none.
[[nodiscard]] const show::Cue* next_cue(const show::Show& show);

/// Cues lose their changes of the deleted knob or preset.
[[nodiscard]] Edit delete_knob(const show::Show& show, const std::string& knob);
[[nodiscard]] Edit delete_preset(const show::Show& show, const std::string& preset);
/// Deletes a cue, also if it is the next one.
[[nodiscard]] Edit delete_cue(const show::Show& show, const std::string& cue);

/// "left.glow: Blur 0.8", for each change of a cue.
[[nodiscard]] std::string text_of(const show::CueChange& change);

/// Sets the beat of the show: `beats` at the show's time `now`. Takes effect when it is announced
/// (show::announced_after()).
[[nodiscard]] SetTempo set_beat(const show::Tempo& tempo, double beats,
                                std::chrono::nanoseconds now);
/// The same, with the tempo and the master speed of `pace` from then on.
[[nodiscard]] SetTempo set_beat(const show::Tempo& tempo, const show::Tempo& pace, double beats,
                                std::chrono::nanoseconds now);

/// The number of a parameter at the show's frame `frame`: by its oscillator, its fade, the show or
/// the plugin's initial value. Empty: no number, or not known.
[[nodiscard]] std::optional<double> number_at(const show::Show& show, const RunningState& running,
                                              const SetParameter& parameter, FrameIndex frame);

}  // namespace submix::model
