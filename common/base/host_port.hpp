// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace submix {

/// One end of a connection.
struct HostPort {
  std::string host;  ///< an address or a name, without brackets
  std::uint16_t port = 0;

  friend auto operator<=>(const HostPort&, const HostPort&) = default;
};

/// Reads "198.18.0.2:7400", "rack1:7400" or "[fd00::2]:7400". Empty if the text is none of these:
/// an IPv6 address stands in brackets, so that its end is not taken for a port.
[[nodiscard]] std::optional<HostPort> parse_host_port(std::string_view text);

/// Writes what parse_host_port() reads.
[[nodiscard]] std::string to_string(const HostPort& end);

/// "198.18.0.2" of "198.18.0.2:7400", "fd00::2" of "[fd00::2]:7400". All of a text
/// without a port, but for brackets.
[[nodiscard]] std::string_view without_port(std::string_view end);

}  // namespace submix
