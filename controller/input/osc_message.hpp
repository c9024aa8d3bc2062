// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Open Sound Control 1.0, as plain structs. liblo writes, reads and matches it.
namespace submix::input {

inline constexpr std::size_t kOscBytesMax = 65'507;  ///< what a UDP datagram carries

/// T and F are bools; h and d come in with i and f, c and m with i; blobs, timetags and nil are no argument.
using OscArgument = std::variant<bool, std::int32_t, float, std::string>;

struct OscMessage {
  std::string address;
  std::vector<OscArgument> arguments{};

  friend bool operator==(const OscMessage&, const OscMessage&) = default;
};

/// Where datagrams come from and go to.
struct OscPeer {
  std::string host;  ///< a numeric address
  std::uint16_t port = 0;

  friend auto operator<=>(const OscPeer&, const OscPeer&) = default;
};
/// "127.0.0.1:9000", "[::1]:9000".
[[nodiscard]] std::string to_string(const OscPeer& peer);
[[nodiscard]] Result<OscPeer> parse_peer(std::string_view text);

/// The messages of a datagram, those of its bundles in their order; a bundle's time is not waited for.
/// Fails, with nothing taken, when any part of it is no OSC.
[[nodiscard]] Result<std::vector<OscMessage>> decode_osc(std::string_view datagram);
[[nodiscard]] std::string encode_osc(const OscMessage& message);

/// "/submix/left" as "submix", "left"; empty for what does not begin with "/".
[[nodiscard]] std::vector<std::string_view> osc_parts(std::string_view address);
/// What stands for a name in an address: what OSC reserves, and spaces, become "_".
[[nodiscard]] std::string osc_name(std::string_view name);
/// Whether a part of an address, or a pattern for one ("l*", "{left,right}", "[a-c]?"), means `name`.
[[nodiscard]] bool osc_matches(std::string_view pattern, std::string_view name);
[[nodiscard]] bool is_osc_pattern(std::string_view text);

}  // namespace submix::input
