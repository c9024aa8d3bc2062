// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/display_list_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <utility>

namespace submix::io {
namespace {

constexpr std::string_view kDisplay = "display ";
constexpr std::string_view kEnd = "end";
constexpr std::size_t kLineBytesMax = kDisplayNameBytesMax + 128;

// Takes "17 " from the front of `line`. False: no number stands there.
bool take_number(std::string_view& line, int& number) {
  const auto [after, error] = std::from_chars(line.begin(), line.end(), number);
  if (error != std::errc() || after == line.end() || *after != ' ') return false;
  line.remove_prefix(static_cast<std::size_t>(after - line.begin()) + 1);
  return true;
}

std::optional<Display> display_of(std::string_view line) {
  if (!line.starts_with(kDisplay)) return std::nullopt;
  line.remove_prefix(kDisplay.size());
  Display display;
  for (auto* number :
       {&display.x, &display.y, &display.size.width, &display.size.height, &display.refresh_hz}) {
    if (!take_number(line, *number)) return std::nullopt;
  }
  display.name = line;
  return display;
}

}  // namespace

std::string display_list_text(const std::vector<Display>& displays) {
  std::string text;
  for (const auto& display : displays)
    text += fmt::format("{}{} {} {} {} {} {}\n", kDisplay, display.x, display.y, display.size.width,
                        display.size.height, display.refresh_hz, display.name);
  return text + fmt::format("{}\n", kEnd);
}

std::optional<std::vector<Display>> DisplayListReader::take(std::string_view bytes) {
  std::optional<std::vector<Display>> newest;
  for (const char byte : bytes) {
    if (byte != '\n') {
      if (rest_.size() < kLineBytesMax) rest_ += byte;
      continue;
    }
    const auto line = std::exchange(rest_, {});
    if (line == kEnd) {
      newest = with_own_names(std::exchange(begun_, {}));
    } else if (auto display = display_of(line); display && begun_.size() < kDisplaysMax) {
      begun_.push_back(*std::move(display));
    }
  }
  return newest;
}

}  // namespace submix::io
