// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

/// The document's values as text: in show files, on the command line, in messages to people.
namespace submix::show {

inline constexpr std::size_t kNameBytesMax = 32;
inline constexpr std::size_t kTextBytesMax = 4096;
inline constexpr std::size_t kNumbersMax = 16;

/// Lower-case letters, digits, '-' and '_', at most 32, beginning with a letter or digit. Such a
/// name is also safe in a file name, a NATS subject and "submix.slot".
[[nodiscard]] bool is_name(std::string_view text);
/// The rule for names, for error messages.
inline constexpr std::string_view kNameRule =
    "use 1 to 32 of a-z, 0-9, '-' and '_', beginning with a letter or digit";

/// Well-formed UTF-8 without control characters other than tab and line end.
[[nodiscard]] bool is_plain_text(std::string_view text);

/// As TOML: `"a \"quoted\" text"`.
[[nodiscard]] std::string in_quotes(std::string_view text);
/// As TOML: `true`, `0.5`, `"text"`, `[1, 0, 0]`.
[[nodiscard]] std::string to_string(const ParameterValue& value);
/// Reads a typed value: true, false, a number, [numbers], "quoted text". Any other text is taken as
/// it is.
[[nodiscard]] Result<ParameterValue> parse_value(std::string_view text);

/// "30", "30000/1001", or "59.94", which means 60000/1001. Parsing checks only the form; validate()
/// checks the limits.
[[nodiscard]] std::string to_string(FrameRate rate);
[[nodiscard]] Result<FrameRate> parse_frame_rate(std::string_view text);

/// Show::delay_frames: "least" for 0, or "4". Parsing checks only the form.
[[nodiscard]] std::string delay_text(int frames);
[[nodiscard]] Result<int> parse_delay(std::string_view text);

/// "submix.slot".
[[nodiscard]] std::string to_string(const Port& port);
[[nodiscard]] Result<Port> parse_port(std::string_view text);

/// "left.glow.Border width". Names of submixes and slots contain no dot; a parameter's name may.
[[nodiscard]] Result<std::pair<Port, std::string>> parse_target(std::string_view text);

/// "wait", "hold", "black", "latest", "standby".
[[nodiscard]] std::string_view to_string(InputPolicy policy);
[[nodiscard]] Result<InputPolicy> parse_policy(std::string_view text);

/// "rgb24", "rgba".
[[nodiscard]] std::string_view to_string(PixelFormat pixels);
[[nodiscard]] Result<PixelFormat> parse_pixels(std::string_view text);

/// "off", "xxh3".
[[nodiscard]] std::string_view to_string(Checksum checksum);
[[nodiscard]] Result<Checksum> parse_checksum(std::string_view text);

/// Whether a stream may use shared memory: "auto", "off".
[[nodiscard]] std::string_view local_to_string(bool is_local_allowed);
[[nodiscard]] Result<bool> parse_local(std::string_view text);

/// Where a slot's plugin runs: "own-process", "in-process".
[[nodiscard]] std::string_view to_string(Hosting hosting);
[[nodiscard]] Result<Hosting> parse_hosting(std::string_view text);

/// "triangle", "sine", "ramp-up", …
[[nodiscard]] std::string_view to_string(Waveform waveform);
[[nodiscard]] Result<Waveform> parse_waveform(std::string_view text);
/// Beats as a number or a fraction, "4" or "1/4".
[[nodiscard]] Result<double> parse_beats(std::string_view text);

/// "echo", or "echo@2": delayed by two frames.
[[nodiscard]] Result<Input> parse_input(std::string_view text);
/// The rule for a slot's first input, for error messages.
inline constexpr std::string_view kFirstInputRule =
    "the first input gives each frame its number and cannot be delayed; name another one first";

}  // namespace submix::show
