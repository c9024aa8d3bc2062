// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <string>
#include <variant>
#include <vector>

/// The gate that every value passes on its way into a show: knobs, cues, presets, MIDI, OSC, commands, the
/// window and files. Pure.
///
/// Shape    Of a plugin that no node has described yet, a value keeps the type of the present one, and all
/// else
///          passes: undescribed() tells of these values, and the node checks them once it is here.
namespace submix::model {

/// Why a parameter cannot be `value`; empty: it can.
[[nodiscard]] std::string value_fault(const cluster::ParameterSummary& parameter,
                                      const show::ParameterValue& value);
/// Why an oscillator cannot move the parameter of that plugin; empty: it can.
[[nodiscard]] std::string oscillator_fault(const cluster::PluginSummary& plugin,
                                           const cluster::ParameterSummary& parameter,
                                           const show::Oscillator& oscillator);
/// Why a knob cannot move the parameter; empty: it can. A knob moves numbers and switches.
[[nodiscard]] std::string knob_fault(const cluster::ParameterSummary& parameter,
                                     const show::KnobTarget& target);

/// `value` as the plugin takes it: a parameter of whole numbers gets the nearest one.
[[nodiscard]] show::ParameterValue fitted(const cluster::ParameterSummary& parameter,
                                          show::ParameterValue value);
/// What a knob's `number` sets: a switch is on from 0.5, whole numbers are rounded.
[[nodiscard]] show::ParameterValue turned_to(const cluster::ParameterSummary& parameter,
                                             double number);

struct Described {
  const cluster::PluginSummary* plugin = nullptr;        ///< null: nobody has described it yet
  const cluster::ParameterSummary* parameter = nullptr;  ///< null as long as `plugin` is
};
/// Fails when the plugin is described and has no such parameter.
[[nodiscard]] Result<Described> find_parameter(const show::Show& show, const PluginMap& plugins,
                                               const show::Port& slot,
                                               const std::string& parameter);

/// Something of a show that a plugin's description can judge.
struct CheckedValue {
  show::Port slot;
  std::string parameter;
  std::variant<show::ParameterValue, show::Oscillator, show::KnobTarget> value;
  std::string place;  ///< for people: "knob \"heat\", left.glow.Blur"
};
/// What `after` has and `before` has not. Null: there was no show before.
[[nodiscard]] std::vector<CheckedValue> new_values(const show::Show* before,
                                                   const show::Show& after);
/// Why it cannot be, with its place; empty: it can. `show` has what the parameter is now.
[[nodiscard]] std::string fault_of(const CheckedValue& value, const show::Show& show,
                                   const PluginMap& plugins);
/// The places of new values that nobody can judge: no node has described their plugins.
[[nodiscard]] std::vector<std::string> undescribed(const show::Show* before,
                                                   const show::Show& after,
                                                   const PluginMap& plugins);

/// The edit as it may be made, with whole numbers where a plugin takes these. Fails when it would bring a
/// value that a plugin does not take, or leave a clip nothing to play; what the show had before is no fault
/// of the edit. A whole show that is opened is judged by its slots: knobs, cues and presets leave out what no
/// plugin takes when they are used.
[[nodiscard]] Result<Edit> admitted(const show::Show* before, const PluginMap& plugins, Edit edit);

}  // namespace submix::model
