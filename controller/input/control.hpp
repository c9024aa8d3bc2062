// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/input/target.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/session/actions.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

/// A target in the present show: its range, its present value, and the order that sets it. Pure.
namespace submix::input {

/// The state in which targets are looked up.
struct Scene {
  const model::ClusterView& cluster;
};

struct Control {
  Target target;
  show::ParameterValue present;  ///< of the whole parameter
  double minimum = 0;            ///< of a number
  double maximum = 1;
  std::vector<std::string> choices{};  ///< of a text: the allowed values; empty: any text
  bool names_file = false;             ///< of a text: a file of a node, or an address
};

/// An empty field stays as it is when the order is carried out (latest_per_target.hpp).
struct SetPace {
  std::optional<double> tempo{};  ///< beats per minute
  std::optional<double> speed{};
  std::optional<double> beat_shift{};  ///< beats to be added to the present beat, at the new pace
};
/// Sets one number of several. The others keep the values that they have when the order is carried
/// out (latest_per_target.hpp).
struct SetPart {
  show::Port slot;
  std::string parameter;
  std::size_t part = 0;
  double value = 0;
};
struct TurnKnob {
  std::string knob;
  double value = 0;
};
struct Go {
  std::string cue;  ///< empty: the next cue
};
struct ApplyPreset {
  std::string preset;
};
/// Covers the displays with all outputs, or makes all of them windows.
struct SetFullScreen {
  bool is_on = false;
};
/// Starts or ends all recorders.
struct SetRecording {
  bool is_on = false;
};
/// One tap of the beat.
struct Tap {};
using Order = std::variant<session::EditShow, session::SetPaused, session::Step, session::SetBlack,
                           session::SetFrozen, SetPace, SetPart, TurnKnob, Go, ApplyPreset,
                           SetFullScreen, SetRecording, Tap>;

/// Whether the order is already an action of the session.
[[nodiscard]] bool is_action(const Order& order);

/// Fails if the show lacks the target, or if no node has described its plugin yet.
[[nodiscard]] Result<Control> find_control(const Scene& scene, const Target& target);

/// The control's present position, 0 to 1. Empty for a free text, several numbers and a node.
[[nodiscard]] std::optional<double> position_of(const Control& control);
/// The position of another value of the control.
[[nodiscard]] std::optional<double> position_of(const Control& control,
                                                const show::ParameterValue& value);
/// The value at a position; positions outside of 0 to 1 are clamped. Fails if the control has no
/// position, and for NaN and infinity.
[[nodiscard]] Result<show::ParameterValue> value_at(const Control& control, double position);
/// The value that the control takes for `wanted`. Numbers are clamped to the range. A number over
/// 0.5 switches a switch on; for a choice a number is an index. Fails for NaN and infinity, for an
/// unknown choice, and for a wrong type.
[[nodiscard]] Result<show::ParameterValue> accepted(const Control& control,
                                                    const show::ParameterValue& wanted);
/// The order that sets an accepted value.
[[nodiscard]] Order order_to(const Control& control, const show::ParameterValue& value);

}  // namespace submix::input
