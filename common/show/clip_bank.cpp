// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/clip_bank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace submix::show {
namespace {

constexpr char kBar = '|';

std::string_view text_in(const Parameters& parameters, std::string_view name) {
  const auto found = parameters.find(std::string(name));
  const auto* text = found == parameters.end() ? nullptr : std::get_if<std::string>(&found->second);
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<double> points_in(std::string_view line) {
  std::vector<double> points;
  for (const auto word : parts_of(line, ' ')) {
    double seconds = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), seconds);
    const bool is_number = error == std::errc() && end == word.data() + word.size();
    if (!is_number || !std::isfinite(seconds) || seconds < 0) continue;
    if (points.size() < kCuePointsMax) points.push_back(seconds);
  }
  return points;
}

}  // namespace

ClipBank clip_bank_of(const Parameters& parameters) {
  ClipBank bank{{std::string(text_in(parameters, kClipFile))}};
  for (const auto file : parts_of(text_in(parameters, kClipBank), kBar)) {
    if (!file.empty() && bank.size() < kBankClipsMax) bank.push_back({std::string(file)});
  }
  const auto lines = parts_of(text_in(parameters, kClipPoints), kBar);
  for (std::size_t i = 0; i < std::min(lines.size(), bank.size()); ++i)
    bank[i].points = points_in(lines[i]);
  return bank;
}

std::string bank_text(const ClipBank& bank) {
  std::string text;
  for (std::size_t i = 1; i < bank.size(); ++i)
    text += (i == 1 ? "" : std::string(1, kBar)) + bank[i].file;
  return text;
}

std::string points_text(const ClipBank& bank) {
  std::string text;
  for (const auto& clip : bank) {
    for (std::size_t i = 0; i < clip.points.size(); ++i)
      text += fmt::format("{}{:.3f}", i == 0 ? "" : " ", clip.points[i]);
    text += kBar;
  }
  while (!text.empty() && text.back() == kBar)
    text.pop_back();
  return text;
}

}  // namespace submix::show
