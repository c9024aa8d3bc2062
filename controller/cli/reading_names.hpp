// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace submix::cli {

/// The names of telemetry's values, in tables and in JSON. They are stable.
[[nodiscard]] constexpr std::string_view name_of(telemetry::LinkState state) {
  constexpr std::array<std::string_view, 3> kNames{"connecting", "open", "refused"};
  return kNames.at(static_cast<std::size_t>(state));
}

[[nodiscard]] constexpr std::string_view name_of(telemetry::SeatPlace place) {
  constexpr std::array<std::string_view, 7> kNames{"free", "making", "queue",    "stage",
                                                   "tap",  "kept",   "elsewhere"};
  return kNames.at(static_cast<std::size_t>(place));
}

}  // namespace submix::cli
