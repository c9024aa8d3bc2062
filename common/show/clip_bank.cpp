// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/clip_bank.hpp"

#include "common/show/stated_value.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace submix::show {
namespace {

constexpr char kBar = '|';
constexpr char kDash = '-';
constexpr double kPartSteps = 1e6;  // of a second: a loop of beats has an exact length

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

// The part at a place of a text, from 0. Empty: the text has fewer.
std::string_view part_at(std::size_t place, std::string_view text, char separator) {
  for (; place > 0; --place) {
    const auto end = text.find(separator);
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find(separator));
}

// The seconds that the text begins with, which are taken off it. Empty: it begins with none.
std::optional<double> take_seconds(std::string_view& text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || !std::isfinite(seconds) || seconds < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return seconds;
}

std::vector<double> points_in(std::string_view line) {
  std::vector<double> points;
  for (auto word : parts_of(line, ' ')) {
    const auto seconds = take_seconds(word);
    const bool is_number = seconds && word.empty();
    if (is_number && points.size() < kCuePointsMax) points.push_back(*seconds);
  }
  return points;
}

ClipPart part_in(std::string_view text) {
  const auto begin = take_seconds(text);
  if (!begin || !text.starts_with(kDash)) return {};
  text.remove_prefix(1);
  if (text.empty()) return {*begin, 0};
  const auto end = take_seconds(text);
  if (!end || !text.empty() || *end <= *begin) return {};
  return {*begin, *end};
}

double in_steps(double seconds) {
  return std::round(seconds * kPartSteps) / kPartSteps;
}

std::string part_text(const ClipPart& part) {
  if (part == ClipPart{}) return {};
  auto text = fmt::format("{}{}", in_steps(part.begin), kDash);
  if (part.end > 0) text += fmt::format("{}", in_steps(part.end));
  return text;
}

// One text for each clip, with bars between them; none for clips at the end that have no text.
std::string joined(const std::vector<std::string>& texts) {
  std::string all = fmt::format("{}", fmt::join(texts, std::string_view(&kBar, 1)));
  all.erase(all.find_last_not_of(kBar) + 1);
  return all;
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
  for (std::size_t i = 0; i < bank.size(); ++i)
    bank[i].part = clip_part_of(parameters, i + 1);
  return bank;
}

ClipPart clip_part_of(const Parameters& parameters, std::size_t number) {
  if (number == 1)
    return {stated_value(parameters, kClipIn, 0.0), stated_value(parameters, kClipOut, 0.0)};
  if (number < 1 || number > kBankClipsMax) return {};
  return part_in(part_at(number - 2, text_in(parameters, kClipParts), kBar));
}

ClipPart part_within(const ClipPart& part, double length) {
  const double begin = std::max(0.0, part.begin);
  double end = std::max(0.0, part.end);
  if (length > 0) end = end > 0 ? std::min(end, length) : length;
  const bool is_empty = end > 0 && begin >= end;
  return is_empty ? ClipPart{0, std::max(0.0, length)} : ClipPart{begin, end};
}

std::string bank_text(const ClipBank& bank) {
  std::string text;
  for (std::size_t i = 1; i < bank.size(); ++i)
    text += (i == 1 ? "" : std::string(1, kBar)) + bank[i].file;
  return text;
}

std::string points_text(const ClipBank& bank) {
  std::vector<std::string> lines;
  for (const auto& clip : bank) {
    std::string line;
    for (std::size_t i = 0; i < clip.points.size(); ++i)
      line += fmt::format("{}{:.3f}", i == 0 ? "" : " ", clip.points[i]);
    lines.push_back(std::move(line));
  }
  return joined(lines);
}

std::string parts_text(const ClipBank& bank) {
  std::vector<std::string> parts;
  for (std::size_t i = 1; i < bank.size(); ++i)
    parts.push_back(part_text(bank[i].part));
  return joined(parts);
}

}  // namespace submix::show
