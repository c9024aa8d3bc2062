// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/folding.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace submix::ui {
namespace {

/// Consecutive letters and what each becomes. A dot: the letter stays, or becomes two letters.
struct FoldedRange {
  char32_t first;
  std::string_view letters;
};
// Source: Unicode's decompositions; letters with a stroke lose it.
constexpr std::array kRanges{
    FoldedRange{0xC0, "aaaaaa.ceeeeiiiidnooooo.ouuuuy..aaaaaa.ceeeeiiiidnooooo.ouuuuy.y"},
    FoldedRange{0x100,
                "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkk."
                "llllllllllnnnnnn...oooooo..rrrrrrsssssssstttttt"
                "uuuuuuuuuuuuwwyyyzzzzzzs"},
    FoldedRange{0x1CD, "aaiioouuuuuuuuuu"},
    FoldedRange{0x218, "sstt"},
    FoldedRange{0x1E00,
                "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmm"
                "nnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv"
                "wwwwwwwwwwxxxxyyzzzzzzhtwy"},
    FoldedRange{0x1EA0,
                "aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooo"
                "uuuuuuuuuuuuuuyyyyyyyy"},
};

struct FoldedLetter {
  char32_t letter;
  std::string_view words;
};
constexpr std::array kOthers{
    FoldedLetter{0xC6, "ae"},  FoldedLetter{0xE6, "ae"},  FoldedLetter{0xDE, "th"},
    FoldedLetter{0xFE, "th"},  FoldedLetter{0xDF, "ss"},  FoldedLetter{0x132, "ij"},
    FoldedLetter{0x133, "ij"}, FoldedLetter{0x152, "oe"}, FoldedLetter{0x153, "oe"},
    FoldedLetter{0x386, "α"},  FoldedLetter{0x388, "ε"},  FoldedLetter{0x389, "η"},
    FoldedLetter{0x38A, "ι"},  FoldedLetter{0x38C, "ο"},  FoldedLetter{0x38E, "υ"},
    FoldedLetter{0x38F, "ω"},  FoldedLetter{0x3AC, "α"},  FoldedLetter{0x3AD, "ε"},
    FoldedLetter{0x3AE, "η"},  FoldedLetter{0x3AF, "ι"},  FoldedLetter{0x3C2, "σ"},
    FoldedLetter{0x3CC, "ο"},  FoldedLetter{0x3CD, "υ"},  FoldedLetter{0x3CE, "ω"},
    FoldedLetter{0x401, "е"},  FoldedLetter{0x407, "і"},  FoldedLetter{0x40E, "у"},
    FoldedLetter{0x419, "и"},  FoldedLetter{0x439, "и"},  FoldedLetter{0x451, "е"},
    FoldedLetter{0x457, "і"},  FoldedLetter{0x45E, "у"},
};

struct Decoded {
  char32_t letter = 0;
  std::size_t bytes = 1;
};

// Of two or three bytes; what is longer has no case and no accents. 0: something else.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const auto tail = [&](std::size_t at) { return (byte(at) & 0xC0U) == 0x80U; };
  if ((byte(0) & 0xE0U) == 0xC0U && tail(1))
    return {(byte(0) & 0x1FU) << 6U | (byte(1) & 0x3FU), 2};
  if ((byte(0) & 0xF0U) == 0xE0U && tail(1) && tail(2))
    return {(byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU), 3};
  return {};
}

std::string two_bytes(char32_t letter) {
  return {static_cast<char>(0xC0U | letter >> 6U), static_cast<char>(0x80U | (letter & 0x3FU))};
}

bool is_in(char32_t letter, char32_t first, char32_t last) {
  return letter >= first && letter <= last;
}

std::string_view from_tables(char32_t letter) {
  const auto* other = std::ranges::find(kOthers, letter, &FoldedLetter::letter);
  if (other != kOthers.end()) return other->words;
  for (const auto& range : kRanges) {
    const auto at = static_cast<std::size_t>(letter - range.first);
    if (letter >= range.first && at < range.letters.size() && range.letters[at] != '.')
      return range.letters.substr(at, 1);
  }
  return {};
}

// `bytes`: the letter as it is written.
void append_folded(char32_t letter, std::string_view bytes, std::string& result) {
  const bool is_accent = is_in(letter, 0x300, 0x36F);
  if (is_accent) return;
  if (const auto words = from_tables(letter); !words.empty()) {
    result += words;
  } else if (is_in(letter, 0x391, 0x3A9) || is_in(letter, 0x410, 0x42F)) {
    result += two_bytes(letter + 32);
  } else if (is_in(letter, 0x400, 0x40F)) {
    result += two_bytes(letter + 80);
  } else {
    result += bytes;
  }
}

char lower_ascii(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

std::string folded(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto [letter, bytes] = decode(text);
    if (letter == 0) {
      result += lower_ascii(text.front());
    } else {
      append_folded(letter, text.substr(0, bytes), result);
    }
    text.remove_prefix(bytes);
  }
  return result;
}

}  // namespace submix::ui
