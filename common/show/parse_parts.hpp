// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to parse(): what its parts share.

#include "common/show/document.hpp"
#include "common/show/table_reader.hpp"
#include "common/show/validate.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace submix::show {

/// Inputs of one slot: as many as its submix may have slots.
inline constexpr std::size_t kInputsMax = kSlotsMax;

/// A parameter's value of any type; empty: there is none, or it was complained of.
[[nodiscard]] std::optional<ParameterValue> read_value(TableReader& reader, std::string_view key);
/// The tables `parameters` and `oscillators` of a slot or a preset.
[[nodiscard]] Parameters read_parameters(TableReader& owner, Reading& reading);
[[nodiscard]] Oscillators read_oscillators(TableReader& owner, Reading& reading);
/// The table `fades` of a slot.
[[nodiscard]] Fades read_fades(TableReader& slot, Reading& reading);

[[nodiscard]] Knob read_knob(TableReader reader, Reading& reading);
[[nodiscard]] Preset read_preset(TableReader reader, Reading& reading);
[[nodiscard]] Cue read_cue(TableReader reader, Reading& reading);

/// Of the table [show]: tempo and master_speed.
[[nodiscard]] Tempo read_tempo(TableReader& show);

}  // namespace submix::show
