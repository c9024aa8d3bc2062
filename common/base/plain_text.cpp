// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace submix {
namespace {

constexpr std::string_view kEllipsis = "…";
constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD
constexpr std::string_view kWhiteSpace = " \t\r\n";

bool is_plain_ascii(char letter) {
  return letter >= 0x20 && letter < 0x7f;
}

char32_t code_of(std::string_view letter) {
  const auto first = static_cast<unsigned char>(letter[0]);
  if (letter.size() == 1) return first;
  char32_t code = first & (0xFFU >> (letter.size() + 1));
  for (const char each : letter.substr(1))
    code = (code << 6U) | (static_cast<unsigned char>(each) & 0x3FU);
  return code;
}

// Terminals also obey U+0080 to U+009F: U+009B starts a control sequence like ESC [. Other
// characters here end a line or reverse the writing direction, so the text reads as a different
// one.
bool is_shown(char32_t code) {
  const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool ends_line = code == 0x2028 || code == 0x2029;
  const bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return !is_control && !ends_line && !turns;
}

// The character at the beginning of `text`; empty if malformed or not shown.
std::string_view shown_letter(std::string_view text) {
  const auto letter = text.substr(0, utf8_bytes(text));
  return letter.empty() || !is_shown(code_of(letter)) ? std::string_view() : letter;
}

bool is_plain(std::string_view text, std::string_view also_allowed) {
  while (!text.empty()) {
    const char first = text.front();
    const bool is_simple =
        is_plain_ascii(first) || also_allowed.find(first) != std::string_view::npos;
    const auto bytes = is_simple ? 1 : shown_letter(text).size();
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace

std::size_t utf8_bytes(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (byte(0) == 0xE0 && byte(1) < 0xA0) return 0;
  if (byte(0) == 0xED && byte(1) > 0x9F) return 0;
  if (byte(0) == 0xF0 && byte(1) < 0x90) return 0;
  if (byte(0) == 0xF4 && byte(1) > 0x8F) return 0;
  return bytes;
}

bool is_one_plain_line(std::string_view text) {
  return is_plain(text, "");
}

std::string plain_text(std::string_view text, std::size_t bytes_max) {
  std::string plain;
  while (!text.empty()) {
    const auto letter = shown_letter(text);
    const auto shown = letter.empty()
                           ? fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()))
                           : std::string(letter);
    if (plain.size() + shown.size() > bytes_max) return plain.append(kEllipsis);
    plain += shown;
    text.remove_prefix(std::max<std::size_t>(1, letter.size()));
  }
  return plain;
}

std::string plain_lines(std::string_view text) {
  if (is_plain(text, "\n\t")) return std::string(text);
  std::string plain;
  while (!text.empty()) {
    const bool is_space = text.front() == '\n' || text.front() == '\t';
    const auto letter = is_space ? text.substr(0, 1) : shown_letter(text);
    plain += letter.empty() ? kReplacement : letter;
    text.remove_prefix(letter.empty() ? std::max<std::size_t>(1, utf8_bytes(text)) : letter.size());
  }
  return plain;
}

std::string one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const auto end = text.find_first_of("\t\r\n");
    line += text.substr(0, end);
    if (end == std::string_view::npos) return line;
    line.erase(line.find_last_not_of(kWhiteSpace) + 1);
    text.remove_prefix(std::min(text.find_first_not_of(kWhiteSpace, end), text.size()));
    if (!line.empty() && !text.empty()) line += ' ';
  }
  return line;
}

std::string indented(std::string_view text) {
  std::string lines;
  for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    lines.append(text.substr(0, end)).append("\n  ");
    text.remove_prefix(end + 1);
  }
  return lines.append(text);
}

}  // namespace submix
