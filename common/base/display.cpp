// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/display.hpp"

#include "common/base/plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace submix {
namespace {

using Displays = std::vector<Display>;

bool has_name(Displays::const_iterator begin, Displays::const_iterator end, std::string_view name) {
  return std::any_of(begin, end, [&](const Display& display) { return display.name == name; });
}

// "EPSON PJ (2)", or the next number that no display before has.
std::string own_name(const Displays& displays, Displays::const_iterator display) {
  auto name = display->name;
  for (int number = 2; has_name(displays.begin(), display, name); ++number)
    name = fmt::format("{} ({})", display->name, number);
  return name;
}

// A show's text may be longer than a message about it.
std::string missing_name(std::string_view stated, const Displays& displays, std::size_t taken) {
  const auto name = plain_text(stated, kDisplayNameBytesMax);
  if (displays.empty())
    return fmt::format("the display \"{}\" is missing, and there is no other", name);
  std::string present;
  for (const auto& display : displays)
    present += fmt::format("{}\"{}\"", present.empty() ? "" : ", ", display.name);
  return fmt::format(
      "the display \"{}\" is missing; there {} {}. The output is on \"{}\", and goes over when its "
      "display comes",
      name, displays.size() == 1 ? "is only" : "are", present, displays[taken].name);
}

}  // namespace

Displays with_own_names(Displays displays) {
  displays.resize(std::min(displays.size(), kDisplaysMax));
  // Room for " (16)" and for the mark of a cut.
  constexpr std::size_t kBytesMax = kDisplayNameBytesMax - 8;
  for (auto display = displays.begin(); display != displays.end(); ++display) {
    display->name = plain_text(display->name, kBytesMax);
    if (display->name.empty())
      display->name = fmt::format("display {}", std::distance(displays.begin(), display));
    display->name = own_name(displays, display);
  }
  return displays;
}

std::string mode_text(const Display& display) {
  auto text = fmt::format("{}x{}", display.size.width, display.size.height);
  if (display.refresh_hz > 0) text += fmt::format(" at {} Hz", display.refresh_hz);
  return text;
}

DisplayChoice choose_display(std::string_view name, int number, const Displays& displays) {
  const auto named = std::find_if(displays.begin(), displays.end(), [&](const Display& display) {
    return !name.empty() && display.name == name;
  });
  if (named != displays.end())
    return {.number = static_cast<std::size_t>(std::distance(displays.begin(), named))};

  const bool is_number_there = number >= 0 && static_cast<std::size_t>(number) < displays.size();
  DisplayChoice choice{.number = is_number_there ? static_cast<std::size_t>(number) : 0};
  if (!name.empty()) {
    choice.missing = missing_name(name, displays, choice.number);
    choice.may_cover = is_number_there;
  } else if (!is_number_there) {
    choice.missing = fmt::format("there is no display {}, only {}: the window is on the first",
                                 number, displays.size());
  }
  return choice;
}

}  // namespace submix
