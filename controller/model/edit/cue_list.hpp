// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"

#include <string>

/// Names of cues, presets and knobs, and the order of cues. Pure.
namespace submix::model {

/// Renames a cue, also where it is the next one. A follow-on that runs goes on.
[[nodiscard]] Result<Edit> rename_cue(const show::Show& show, const std::string& cue,
                                      const std::string& name);
/// Renames a preset, also in cues.
[[nodiscard]] Result<Edit> rename_preset(const show::Show& show, const std::string& preset,
                                         const std::string& name);

/// Renames a knob, also in cues.
[[nodiscard]] Result<Edit> rename_knob(const show::Show& show, const std::string& knob,
                                       const std::string& name);

enum class CueSide { before, after };
/// Moves a cue beside another one. The next cue stays the next one.
[[nodiscard]] Result<Edit> move_cue(const show::Show& show, const std::string& cue, CueSide side,
                                    const std::string& other);

}  // namespace submix::model
