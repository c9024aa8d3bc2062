// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/text.hpp"

#include "common/base/plain_text.hpp"
#include "common/show/nearest.hpp"
#include "common/show/validate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace submix::show {
namespace {

bool is_lower_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<double> parse_number(std::string_view text) {
  double number = 0.0;
  const auto* begin = text.data();
  const auto* end = begin + text.size();
  const auto [stopped, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || stopped != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7F;
}

// Television's rates are whole rates times 1000/1001. People write two or three of their decimals.
std::optional<FrameRate> parse_television_rate(std::string_view text) {
  constexpr double kRounded = 0.005;
  if (text.find('.') == std::string_view::npos) return std::nullopt;
  const auto number = parse_number(text);
  for (const std::uint32_t whole : {24U, 30U, 48U, 60U, 120U, 240U}) {
    const FrameRate rate{whole * 1000, 1001};
    if (number && std::abs(*number - rate.frames_per_second()) < kRounded) return rate;
  }
  return std::nullopt;
}

Result<ParameterValue> parse_numbers(std::string_view text) {
  std::vector<double> numbers;
  auto rest = text.substr(1, text.size() - 2);
  while (!trimmed(rest).empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto item = trimmed(rest.substr(0, comma));
    const auto number = parse_number(item);
    if (!number)
      return fail("{}: \"{}\" is not a number; write numbers in a row as [1, 0.5, 0]", text, item);
    numbers.push_back(*number);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return numbers;
}

Result<ParameterValue> parse_quoted(std::string_view text) {
  std::string plain;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\' && i + 2 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\')) ++i;
    plain += text[i];
  }
  return plain;
}

struct TextOf {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return in_quotes(value); }
  std::string operator()(const std::vector<double>& value) const {
    return fmt::format("[{}]", fmt::join(value, ", "));
  }
};

// In the order of InputPolicy, PixelFormat, Checksum, Hosting and Waveform.
const std::array<std::string, 5> kPolicies{"wait", "hold", "black", "latest", "standby"};
const std::array<std::string, 2> kPixels{"rgb24", "rgba"};
const std::array<std::string, 2> kChecksums{"off", "xxh3"};
const std::array<std::string, 2> kHostings{"own-process", "in-process"};
const std::array<std::string, 2> kLocals{"auto", "off"};
const std::array<std::string, kWaveforms> kWaveformNames{
    "triangle",   "sine",       "ramp-up",     "ramp-down",  "square",
    "pulse",      "random",     "random-ramp", "one-shot",   "sound-level",
    "sound-bass", "sound-mids", "sound-highs", "sound-onset"};

// The value that has this word. `words` stand in the order of the values.
template <typename Value, std::size_t kCount>
std::optional<Value> value_of(std::string_view word, const std::array<std::string, kCount>& words) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Value>(found - words.begin());
}

}  // namespace

bool is_name(std::string_view text) {
  if (text.empty() || text.size() > kNameBytesMax || !is_lower_or_digit(text.front())) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_lower_or_digit(c) || c == '-' || c == '_'; });
}

bool is_plain_text(std::string_view text) {
  while (!text.empty()) {
    const auto bytes = utf8_bytes(text);
    if (bytes == 0 || is_control(text.front())) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (is_control(c)) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string to_string(const ParameterValue& value) {
  return std::visit(TextOf(), value);
}

Result<ParameterValue> parse_value(std::string_view text) {
  const auto word = trimmed(text);
  if (word == "true") return true;
  if (word == "false") return false;
  if (const auto number = parse_number(word)) return *number;
  if (word.size() >= 2 && word.front() == '[' && word.back() == ']') return parse_numbers(word);
  if (word.size() >= 2 && word.front() == '"' && word.back() == '"') return parse_quoted(word);
  return std::string(text);
}

std::string to_string(FrameRate rate) {
  if (rate.denominator == 1) return fmt::format("{}", rate.numerator);
  return fmt::format("{}/{}", rate.numerator, rate.denominator);
}

Result<FrameRate> parse_frame_rate(std::string_view text) {
  if (const auto rate = parse_television_rate(text)) return *rate;
  const auto slash = text.find('/');
  const auto number = [](std::string_view digits, std::uint32_t& value) {
    const auto* begin = digits.data();
    const auto* end = begin + digits.size();
    const auto [stopped, error] = std::from_chars(begin, end, value);
    return error == std::errc() && stopped == end;
  };
  FrameRate rate{0, 1};
  const bool is_whole = slash == std::string_view::npos;
  if (!number(text.substr(0, slash), rate.numerator) ||
      (!is_whole && !number(text.substr(slash + 1), rate.denominator))) {
    return fail(
        "rate \"{}\" is not a whole number of frames per second, nor a fraction, nor 23.976, "
        "29.97, 59.94 or 119.88; write 30 or \"30000/1001\"",
        text.substr(0, 40));
  }
  return rate;
}

std::string delay_text(int frames) {
  return frames == 0 ? "least" : fmt::format("{}", frames);
}

Result<int> parse_delay(std::string_view text) {
  if (text == "least") return 0;
  int frames = 0;
  const auto* begin = text.data();
  const auto* end = begin + text.size();
  const auto [stopped, error] = std::from_chars(begin, end, frames);
  if (error == std::errc() && stopped == end) return frames;
  return fail("delay \"{}\" is neither \"least\" nor a number of frames; write least, or 4",
              text.substr(0, 40));
}

std::string to_string(const Port& port) {
  return port.submix + "." + port.slot;
}

Result<Port> parse_port(std::string_view text) {
  const auto dot = text.find('.');
  if (dot == std::string_view::npos || !is_name(text.substr(0, dot)) ||
      !is_name(text.substr(dot + 1))) {
    return fail("\"{}\" does not name a slot; write \"submix.slot\"", text.substr(0, 80));
  }
  return Port{std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
}

Result<std::pair<Port, std::string>> parse_target(std::string_view text) {
  const auto first = text.find('.');
  const auto second = first == std::string_view::npos ? first : text.find('.', first + 1);
  if (second == std::string_view::npos || second + 1 == text.size()) {
    return fail("\"{}\" does not name a parameter; write submix.slot.parameter",
                text.substr(0, 120));
  }
  auto slot = parse_port(text.substr(0, second));
  SUBMIX_TRY(slot);
  return std::pair(*std::move(slot), std::string(text.substr(second + 1)));
}

std::string_view to_string(InputPolicy policy) {
  return kPolicies.at(static_cast<std::size_t>(policy));
}

Result<InputPolicy> parse_policy(std::string_view text) {
  if (const auto value = value_of<InputPolicy>(text, kPolicies)) return *value;
  return fail(
      "policy \"{}\" is not known{}; use \"wait\", \"hold\", \"black\", \"standby\" or \"latest\"",
      text.substr(0, 40), did_you_mean(text, kPolicies));
}

std::string_view to_string(PixelFormat pixels) {
  return kPixels.at(static_cast<std::size_t>(pixels));
}

Result<PixelFormat> parse_pixels(std::string_view text) {
  if (const auto value = value_of<PixelFormat>(text, kPixels)) return *value;
  return fail("pixels \"{}\" are not known{}; use \"rgb24\" or \"rgba\"", text.substr(0, 40),
              did_you_mean(text, kPixels));
}

std::string_view to_string(Checksum checksum) {
  return kChecksums.at(static_cast<std::size_t>(checksum));
}

Result<Checksum> parse_checksum(std::string_view text) {
  if (const auto value = value_of<Checksum>(text, kChecksums)) return *value;
  return fail("checksum \"{}\" is not known{}; use \"off\" or \"xxh3\"", text.substr(0, 40),
              did_you_mean(text, kChecksums));
}

Result<Input> parse_input(std::string_view text) {
  const auto at = text.find('@');
  Input input{std::string(text.substr(0, at)), 0};
  if (at == std::string_view::npos) return input;
  const auto digits = text.substr(at + 1);
  const auto* begin = digits.data();
  const auto* end = begin + digits.size();
  const auto [stopped, error] = std::from_chars(begin, end, input.delay);
  if (error != std::errc() || stopped != end || input.delay < 1 || input.delay > kDelayMax) {
    return fail("input \"{}\": the delay \"{}\" is not within 1 to {} frames; write \"{}@1\"",
                text.substr(0, 80), digits.substr(0, 40), kDelayMax, input.slot.substr(0, 40));
  }
  return input;
}

std::string_view to_string(Hosting hosting) {
  return kHostings.at(static_cast<std::size_t>(hosting));
}

Result<Hosting> parse_hosting(std::string_view text) {
  if (const auto value = value_of<Hosting>(text, kHostings)) return *value;
  return fail("host \"{}\" is not known{}; use \"own-process\" or \"in-process\"",
              text.substr(0, 40), did_you_mean(text, kHostings));
}

std::string_view to_string(Waveform waveform) {
  return kWaveformNames.at(static_cast<std::size_t>(waveform));
}

Result<Waveform> parse_waveform(std::string_view text) {
  if (const auto value = value_of<Waveform>(text, kWaveformNames)) return *value;
  return fail("waveform \"{}\" is not known{}; there are: {}", text.substr(0, 40),
              did_you_mean(text, kWaveformNames), fmt::join(kWaveformNames, ", "));
}

Result<double> parse_beats(std::string_view text) {
  const auto slash = text.find('/');
  const auto whole = parse_number(trimmed(text.substr(0, slash)));
  const auto parts = slash == std::string_view::npos
                         ? std::optional(1.0)
                         : parse_number(trimmed(text.substr(slash + 1)));
  if (whole && parts && *parts != 0.0) return *whole / *parts;
  return fail("beats \"{}\" is neither a number nor a fraction; write 4 or \"1/4\"",
              text.substr(0, 40));
}

std::string_view local_to_string(bool is_local_allowed) {
  return kLocals.at(is_local_allowed ? 0 : 1);
}

Result<bool> parse_local(std::string_view text) {
  if (text == kLocals[0]) return true;
  if (text == kLocals[1]) return false;
  return fail("local \"{}\" is not known{}; use \"auto\" or \"off\"", text.substr(0, 40),
              did_you_mean(text, kLocals));
}

}  // namespace submix::show
