// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/cluster/messages.hpp"
#include "common/cluster/rights.hpp"
#include "common/telemetry/readings.hpp"

#include <array>
#include <cstddef>
#include <string_view>

/// The names of enum values in JSON, each stated once, in the order of the enum.
namespace submix::cluster {

template <std::size_t N>
using Names = std::array<std::string_view, N>;

[[nodiscard]] constexpr Names<3> names_of(SubmixState) {
  return {"starting", "running", "failed"};
}
[[nodiscard]] constexpr Names<3> names_of(Severity) {
  return {"note", "warning", "fault"};
}
[[nodiscard]] constexpr Names<9> names_of(CommandKind) {
  return {"snapshot",      "plugins",    "trace",      "check",         "media",
          "media_picture", "media_part", "media_copy", "effect_picture"};
}
[[nodiscard]] constexpr Names<7> names_of(telemetry::SeatPlace) {
  return {"free", "making", "queue", "stage", "tap", "kept", "elsewhere"};
}
[[nodiscard]] constexpr Names<3> names_of(telemetry::LinkState) {
  return {"connecting", "open", "refused"};
}
[[nodiscard]] constexpr Names<4> names_of(Protection) {
  return {"none", "XXH3", "AES-256-GCM", "ChaCha20-Poly1305"};
}
[[nodiscard]] constexpr Names<3> names_of(Rights) {
  return {"everything", "render", "watch"};
}

/// The name of one value: name_of(telemetry::LinkState::open) is "open".
template <typename Enum>
[[nodiscard]] constexpr std::string_view name_of(Enum value) {
  return names_of(value).at(static_cast<std::size_t>(value));
}

}  // namespace submix::cluster
