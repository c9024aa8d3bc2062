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

/// A target as the present show has it: how far it goes, where it stands, and how it is moved. Pure.
namespace submix::input {

/// What targets are looked up in.
struct Scene {
  const model::ClusterView& cluster;
};

struct Control {
  Target target;
  show::ParameterValue present;  ///< of the whole parameter
  double minimum = 0;            ///< of a number
  double maximum = 1;
  std::vector<std::string> choices{};  ///< of a text: the only ones there are; empty: any
  bool names_file = false;             ///< of a text: a node reads or writes that file
};

/// Each of both may be left as it is when it is done (order_book.hpp).
struct SetPace {
  std::optional<double> tempo{};  ///< beats a minute
  std::optional<double> speed{};
};
/// One number of several; the others are as they stand when it is done (order_book.hpp).
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
  std::string cue;  ///< empty: the next one
};
using Order = std::variant<session::EditShow, session::SetPaused, session::Step, SetPace, SetPart,
                           TurnKnob, Go>;

/// Fails when the show has no such thing, or when no node has described its plugin yet.
[[nodiscard]] Result<Control> find_control(const Scene& scene, const Target& target);

/// Where it stands, 0 to 1; empty for a free text, several numbers, and for a node.
[[nodiscard]] std::optional<double> position_of(const Control& control);
/// The same for a value that it might have.
[[nodiscard]] std::optional<double> position_of(const Control& control,
                                                const show::ParameterValue& value);
/// Its value at a position; beyond 0 to 1 is clamped. Fails where position_of() is empty, and for NaN and
/// infinity.
[[nodiscard]] Result<show::ParameterValue> value_at(const Control& control, double position);
/// The value it would take for `wanted`: numbers are clamped to its range, a number is a switch's on (over
/// 0.5) and a choice's place. Fails for NaN and infinity, for what is no choice, and for another type.
[[nodiscard]] Result<show::ParameterValue> accepted(const Control& control,
                                                    const show::ParameterValue& wanted);
/// What sets it to an accepted value.
[[nodiscard]] Order order_to(const Control& control, const show::ParameterValue& value);

}  // namespace submix::input
