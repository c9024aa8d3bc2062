// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/plain_text.hpp"

#include "common/show/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace submix::input {
namespace {

constexpr std::string_view kEllipsis = "…";

// Terminals obey U+0080 to U+009F, too: U+009B begins what ESC [ does.
bool is_second_control(std::string_view letter) {
  return letter.size() == 2 && letter[0] == '\xc2' && static_cast<unsigned char>(letter[1]) < 0xa0;
}

// The next letter; empty where the next byte is none, or one that is not shown.
std::string_view next_letter(std::string_view text) {
  if (text.front() == '\n' || text.front() == '\t') return {};
  for (std::size_t bytes = 1; bytes <= std::min<std::size_t>(4, text.size()); ++bytes) {
    const auto letter = text.substr(0, bytes);
    if (show::is_plain_text(letter)) return is_second_control(letter) ? std::string_view() : letter;
  }
  return {};
}

}  // namespace

std::string plain_text(std::string_view text, std::size_t bytes_max) {
  std::string plain;
  while (!text.empty()) {
    const auto letter = next_letter(text);
    const auto shown = letter.empty() ? fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()))
                                      : std::string(letter);
    if (plain.size() + shown.size() > bytes_max) return plain.append(kEllipsis);
    plain += shown;
    text.remove_prefix(std::max<std::size_t>(1, letter.size()));
  }
  return plain;
}

}  // namespace submix::input
