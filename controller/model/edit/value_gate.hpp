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

/// The check of every value on its way into a show, from knobs, cues, presets, MIDI, OSC, commands,
/// the window and files. Pure.
///
/// Without a description of its plugin, a value keeps the type of the present value. All other
/// checks pass. undescribed() lists such values, and the node checks them when it knows the plugin.
namespace submix::model {

/// Why a parameter cannot be `value`. Empty: it can.
[[nodiscard]] std::string value_fault(const cluster::ParameterSummary& parameter,
                                      const show::ParameterValue& value);
/// Why an oscillator cannot move the plugin's parameter. Empty: it can.
[[nodiscard]] std::string oscillator_fault(const cluster::PluginSummary& plugin,
                                           const cluster::ParameterSummary& parameter,
                                           const show::Oscillator& oscillator);
/// Why a knob cannot move the parameter. Empty: it can. A knob moves numbers and switches.
[[nodiscard]] std::string knob_fault(const cluster::ParameterSummary& parameter,
                                     const show::KnobTarget& target);

/// `value` as the plugin takes it: a whole-number parameter gets the nearest whole number.
[[nodiscard]] show::ParameterValue fitted(const cluster::ParameterSummary& parameter,
                                          show::ParameterValue value);
/// The value for a knob's `number`: a switch is on from 0.5, whole numbers are rounded.
[[nodiscard]] show::ParameterValue turned_to(const cluster::ParameterSummary& parameter,
                                             double number);

struct DescribedParameter {
  const cluster::PluginSummary* plugin = nullptr;        ///< null: no description is known yet
  const cluster::ParameterSummary* parameter = nullptr;  ///< null while `plugin` is null
};
/// Fails when the plugin is described and has no such parameter.
[[nodiscard]] Result<DescribedParameter> find_parameter(const show::Show& show,
                                                        const PluginMap& plugins,
                                                        const show::Port& slot,
                                                        const std::string& parameter);

/// A part of a show that a plugin's description can judge.
struct CheckedValue {
  show::Port slot;
  std::string parameter;
  std::variant<show::ParameterValue, show::Oscillator, show::KnobTarget> value;
  std::string place;  ///< for people: "knob \"heat\", left.glow.Blur"
};
/// Values in `after` that are not in `before`. Null `before`: no show.
[[nodiscard]] std::vector<CheckedValue> new_values(const show::Show* before,
                                                   const show::Show& after);
/// Why the value is impossible, with its place. Empty: it is possible. `show` has the present
/// value.
[[nodiscard]] std::string fault_of(const CheckedValue& value, const show::Show& show,
                                   const PluginMap& plugins);
/// Places of new values that cannot be judged, because their plugins' descriptions are unknown.
[[nodiscard]] std::vector<std::string> undescribed(const show::Show* before,
                                                   const show::Show& after,
                                                   const PluginMap& plugins);

/// The edit with whole numbers rounded. Fails when the edit would bring a value that a plugin does
/// not take, or leave a clip nothing to play. Faults that the show had before do not count. A whole
/// opened show is judged by its slots: knobs, cues and presets leave out impossible values when
/// used.
[[nodiscard]] Result<Edit> admitted(const show::Show* before, const PluginMap& plugins, Edit edit);

}  // namespace submix::model
