// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to parse(): declarations that its parts share.

#include "common/show/document.hpp"
#include "common/show/table_reader.hpp"
#include "common/show/validate.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace submix::show {

/// Inputs of one slot: at most the number of slots of a submix.
inline constexpr std::size_t kInputsMax = kSlotsMax;

/// A parameter's value of any type. Empty: missing, or a problem was reported.
[[nodiscard]] std::optional<ParameterValue> read_value(TableReader& reader, std::string_view key);
/// Reads the tables `parameters` and `oscillators` of a slot or a preset.
[[nodiscard]] Parameters read_parameters(TableReader& owner, ParseContext& context);
[[nodiscard]] Oscillators read_oscillators(TableReader& owner, ParseContext& context);
/// Reads the table `fades` of a slot.
[[nodiscard]] Fades read_fades(TableReader& slot, ParseContext& context);

[[nodiscard]] Knob read_knob(TableReader reader, ParseContext& context);
[[nodiscard]] Preset read_preset(TableReader reader, ParseContext& context);
[[nodiscard]] Cue read_cue(TableReader reader, ParseContext& context);

/// Reads `tempo`, `master_speed` and their times from the table [show].
[[nodiscard]] Tempo read_tempo(TableReader& show, ParseContext& context);

}  // namespace submix::show
