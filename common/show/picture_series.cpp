// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/picture_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace submix::show {
namespace {

constexpr std::size_t kDigitsMax = 9;
constexpr std::string_view kDigits = "0123456789";

std::string_view last_part(std::string_view file) {
  return file.substr(file.rfind('/') + 1);  // 0 if there is none
}

/// What stands behind a percent sign.
struct Directive {
  char letter = 0;  // 0: the name ends
  std::size_t digits = 0;
  std::size_t length = 0;  // in the name, without the percent sign
};

Directive directive_in(std::string_view rest) {
  const auto length = std::min(rest.find_first_not_of(kDigits), rest.size());
  if (length == rest.size()) return {};
  Directive found{rest[length], 1, length + 1};
  const auto number = rest.substr(0, length);
  const auto error = std::from_chars(number.begin(), number.end(), found.digits).ec;
  if (error == std::errc::result_out_of_range) found.digits = kDigitsMax + 1;
  return found;
}

std::string with_doubled_signs(std::string_view text) {
  std::string doubled;
  for (const char c : text)
    doubled.append(c == '%' ? 2 : 1, c);
  return doubled;
}

}  // namespace

std::optional<SeriesName> series_name(std::string_view file) {
  const auto name = last_part(file);
  SeriesName series;
  bool has_number = false;
  for (std::size_t at = 0; at < name.size(); ++at) {
    auto& text = has_number ? series.behind : series.before;
    if (name[at] != '%') {
      text += name[at];
      continue;
    }
    const auto directive = directive_in(name.substr(at + 1));
    at += directive.length;
    if (directive.letter == '%' && directive.length == 1) {
      text += '%';
      continue;
    }
    const bool is_number = directive.letter == 'd' && directive.digits <= kDigitsMax;
    if (!is_number || has_number) return std::nullopt;
    has_number = true;
    series.digits = std::max(directive.digits, std::size_t{1});
  }
  return has_number ? std::optional(series) : std::nullopt;
}

std::string pattern_of(const SeriesName& series) {
  const auto number = series.digits > 1 ? fmt::format("%0{}d", series.digits) : "%d";
  return with_doubled_signs(series.before) + number + with_doubled_signs(series.behind);
}

std::string picture_name(const SeriesName& series, std::uint32_t number) {
  return fmt::format("{}{:0{}}{}", series.before, number, series.digits, series.behind);
}

std::optional<std::uint32_t> picture_number(const SeriesName& series, std::string_view name) {
  const auto around = series.before.size() + series.behind.size();
  if (name.size() <= around || !name.starts_with(series.before) || !name.ends_with(series.behind))
    return std::nullopt;
  const auto text = name.substr(series.before.size(), name.size() - around);
  if (text.size() > kDigitsMax || text.find_first_not_of(kDigits) != std::string_view::npos)
    return std::nullopt;
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_spelled_so = picture_name(series, number) == name;
  return is_spelled_so ? std::optional(number) : std::nullopt;
}

std::optional<SeriesNumbers> series_numbers(const SeriesName& series,
                                            const std::vector<std::string>& names) {
  std::vector<std::uint32_t> numbers;
  for (const auto& name : names) {
    if (const auto number = picture_number(series, name)) numbers.push_back(*number);
  }
  if (numbers.empty()) return std::nullopt;
  std::ranges::sort(numbers);
  SeriesNumbers found{numbers.front(), numbers.front()};
  for (const auto number : numbers) {
    if (number > found.last + 1) {
      found.beyond = number;
      break;
    }
    found.last = number;
  }
  return found;
}

std::optional<SeriesName> series_with(std::string_view name) {
  const auto ending = name.rfind('.');
  // "clip.mp4" has no number: this one belongs to the ending.
  const auto stem = name.substr(0, std::min(ending, name.size()));
  const auto last = stem.find_last_of(kDigits);
  if (last == std::string_view::npos) return std::nullopt;
  const auto begin = stem.find_last_not_of(kDigits, last) + 1;  // npos + 1: 0
  const auto digits = stem.substr(begin, last + 1 - begin);
  if (digits.size() > kDigitsMax) return std::nullopt;
  const bool has_zeros = digits.size() > 1 && digits.front() == '0';
  return SeriesName{std::string(name.substr(0, begin)), has_zeros ? digits.size() : 1,
                    std::string(name.substr(last + 1))};
}

}  // namespace submix::show
