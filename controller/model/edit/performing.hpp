// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/readings.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Knobs, presets and cues at work: what people do in one move, as one edit. Pure.
///
/// Errors   What is not there, with what is nearest to it. Whether the whole show is in order afterwards is
///          for validate() to say.
/// Values   Only those that the plugins take (value_gate.hpp); the others are left out and told.
namespace submix::model {

/// What fades need to know: at which frame each submix is, what plugins begin with, and where oscillators
/// are.
struct Running {
  std::map<std::string, FrameIndex, std::less<>> frames;              ///< of the submixes that run
  PluginMap plugins;                                                  ///< with_macros()
  std::map<std::string, show::Timeline, std::less<>> timelines = {};  ///< by submix
  std::map<std::string, telemetry::MovingReading, std::less<>> moving =
      {};  ///< by "submix.slot.parameter"
};
/// What a node says of one submix.
void take(Running& running, const telemetry::SubmixReading& submix);
[[nodiscard]] Running running_of(const ClusterView& view);
/// What nodes have told, and the show's submixes as plugins; lives as long as the view's.
[[nodiscard]] const PluginMap& plugins_of(const ClusterView& view);

/// What one move does. `left_out` says which values no plugin takes, for people: they are not written.
struct Performed {
  Edit edit;
  std::vector<std::string> left_out{};
};

/// Sets all of its targets. A target that an oscillator moves is held.
[[nodiscard]] Result<Performed> turn_knob(const show::Show& show, const PluginMap& plugins,
                                          std::string_view knob, double value);

/// What is stated now for a slot, or, where `of` has no slot, for all of a submix.
[[nodiscard]] Result<Edit> save_preset(const show::Show& show, std::string name,
                                       const show::Port& of);
/// All that was stated then, and nothing else.
[[nodiscard]] Result<Performed> apply_preset(const show::Show& show, const PluginMap& plugins,
                                             std::string_view preset);

/// What a cue does: one edit of the show, and perhaps the transport.
struct CueStep {
  std::string cue;
  Edit edit;
  std::optional<bool> is_paused;
  std::vector<std::string> left_out{};  ///< as Performed's
};
/// Does the cue of that name, or, empty, the next one; then the one behind it is the next. Numbers take the
/// cue's time to get there where the submix runs; what else it changes, it changes at once.
[[nodiscard]] Result<CueStep> go(const show::Show& show, const Running& running,
                                 std::string_view cue = {});
/// The cue that go() would do; null: there is none.
[[nodiscard]] const show::Cue* next_cue(const show::Show& show);

/// Cues lose what they did with it.
[[nodiscard]] Edit delete_knob(const show::Show& show, const std::string& knob);
[[nodiscard]] Edit delete_preset(const show::Show& show, const std::string& preset);
/// Cues follow.
[[nodiscard]] Result<Edit> rename_knob(const show::Show& show, const std::string& knob,
                                       const std::string& name);
/// Also where it is the next one.
[[nodiscard]] Edit delete_cue(const show::Show& show, const std::string& cue);

/// "left.glow: Blur 0.8", of each change of a cue.
[[nodiscard]] std::string text_of(const show::CueChange& change);

/// The number that a parameter has at `frame`: by its oscillator, its fade, as stated or as its plugin
/// begins; empty: it is none, or nobody knows.
[[nodiscard]] std::optional<double> number_at(const show::Show& show, const Running& running,
                                              const SetParameter& parameter, FrameIndex frame);

}  // namespace submix::model
