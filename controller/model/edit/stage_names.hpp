// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "controller/model/edit/layers.hpp"

#include <string>
#include <string_view>
#include <vector>

/// How the page Perform calls the things of a show. Pure.
namespace submix::model {

/// "layer-3 Fader", "crossfade" of the mixer, or "left glow Blur". `layers`: of the mix.
[[nodiscard]] std::string stage_name(const std::vector<Layer>& layers, const show::Port& slot,
                                     std::string_view parameter);
/// "0.8", "on", "sunset.mp4".
[[nodiscard]] std::string stage_value(const show::ParameterValue& value);
/// "layer-3 Fader 0.8", "left glow off", "preset soft": a change of a cue.
[[nodiscard]] std::string stage_text(const std::vector<Layer>& layers,
                                     const show::CueChange& change);
/// The text with these names in place of "mix.mixer.level3" and "mix.mixer: level3".
[[nodiscard]] std::string with_stage_names(const show::Show& show, const std::vector<Layer>& layers,
                                           std::string text);

}  // namespace submix::model
