// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/host_port.hpp"
#include "common/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Open Sound Control 1.0 as plain structs. liblo encodes, decodes and matches messages.
namespace submix::input {

inline constexpr std::size_t kOscBytesMax = 65'507;  ///< greatest UDP payload

/// T and F become bool; i, h and c the nearest int32; f, d and I float; s and S text. Arguments of
/// other types (blobs, time tags, MIDI, nil) are left out.
using OscArgument = std::variant<bool, std::int32_t, float, std::string>;

/// A switch that is on counts as 1. Empty: it is a text.
[[nodiscard]] std::optional<double> number_of(const OscArgument& argument);

struct OscMessage {
  std::string address;
  std::vector<OscArgument> arguments{};

  friend bool operator==(const OscMessage&, const OscMessage&) = default;
};

/// Source or destination of a datagram. The host is a numeric address.
using OscPeer = HostPort;
/// Reads "127.0.0.1:9000" or "[::1]:9000".
[[nodiscard]] Result<OscPeer> parse_peer(std::string_view text);

/// The messages of a datagram; those of bundles in their order. A bundle's time tag is ignored.
/// Fails, without a partial result, if any part of the datagram is invalid.
[[nodiscard]] Result<std::vector<OscMessage>> decode_osc(std::string_view datagram);
[[nodiscard]] std::string encode_osc(const OscMessage& message);

/// "/submix/left" as "submix", "left". Empty if the address does not begin with "/".
[[nodiscard]] std::vector<std::string_view> osc_parts(std::string_view address);
/// The form of a name in an address: characters that OSC reserves, and spaces, become "_".
[[nodiscard]] std::string osc_name(std::string_view name);
/// Whether a part of an address, or a pattern for a part ("l*", "{left,right}", "[a-c]?"), matches
/// `name`.
[[nodiscard]] bool osc_matches(std::string_view pattern, std::string_view name);
[[nodiscard]] bool is_osc_pattern(std::string_view text);

}  // namespace submix::input
