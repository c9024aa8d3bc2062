// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace submix::cluster {

/// What a PC that joined by code may do on the control plane. The NATS server enforces it.
enum class Rights : std::uint8_t {
  everything,
  render,  ///< runs its own nodes; cannot change the show, or speak for nodes of other PCs
  watch,   ///< sees everything and changes nothing, such as a wall of screens
};

/// NATS subjects, with NATS's wildcards: "submix.event.left", "submix.event.*", "_INBOX.>".
struct Permissions {
  std::vector<std::string> publish{};
  std::vector<std::string> subscribe{};
};

/// Of a PC whose nodes have the names `nodes`; only `Rights::render` depends on them.
[[nodiscard]] Permissions permissions_of(Rights rights, std::span<const std::string> nodes);

/// Whether a program may publish there, as far as its PC knows. A PC does not know which names of
/// nodes the server lets it use, so any name passes.
[[nodiscard]] bool may_publish(Rights rights, std::string_view subject);

/// By its name: "watch". Empty: no rights have this name.
[[nodiscard]] std::optional<Rights> parse_rights(std::string_view name);

/// What a person is told whose PC may not do something, with the remedy.
[[nodiscard]] std::string refusal(Rights rights);

}  // namespace submix::cluster
