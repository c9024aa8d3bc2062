// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/pipe/pipe_options.hpp"

#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace submix::io {
namespace {

constexpr std::array kFormats{std::pair{PipeFormat::matroska, "matroska"},
                              std::pair{PipeFormat::y4m, "y4m"}, std::pair{PipeFormat::raw, "raw"},
                              std::pair{PipeFormat::by_itself, "by-itself"}};

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

template <typename Number>
std::optional<std::pair<Number, Number>> pair_of(std::string_view text, char between) {
  const auto at = text.find(between);
  if (at == std::string_view::npos) return std::nullopt;
  const auto first = number_of<Number>(text.substr(0, at));
  const auto second = number_of<Number>(text.substr(at + 1));
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

std::optional<PipeFormat> format_named(std::string_view name) {
  for (const auto& [format, known] : kFormats) {
    if (name == known) return format;
  }
  return std::nullopt;
}

/// "lossless", "640x360" or "30/1".
bool add_word(PipeOptions& options, std::string_view word) {
  if (word == "lossless") {
    options.is_lossless = true;
    return true;
  }
  if (const auto size = pair_of<int>(word, 'x')) {
    options.size = {size->first, size->second};
    return is_allowed(options.size);
  }
  const auto rate = pair_of<std::uint32_t>(word, '/');
  if (!rate || rate->first == 0 || rate->second == 0) return false;
  options.rate = {rate->first, rate->second};
  return true;
}

}  // namespace

std::string_view to_string(PipeFormat format) {
  for (const auto& [known, name] : kFormats) {
    if (known == format) return name;
  }
  return "unknown";
}

Result<PipeOptions> parse_pipe_options(std::string_view text) {
  const auto wrong = [&] {
    return fail("--pipe \"{}\": is not for people; run: submix pipe --help", text);
  };
  const auto parts = parts_of(text);
  if (parts.size() < 4) return wrong();
  const auto format = format_named(parts[1]);
  const auto data = number_of<int>(parts[2]);
  const auto status = number_of<int>(parts[3]);
  const bool is_in = parts[0] == "in";
  if ((!is_in && parts[0] != "out") || !format || !data || !status) return wrong();

  PipeOptions options{.direction = is_in ? PipeDirection::in : PipeDirection::out,
                      .format = *format,
                      .data = *data,
                      .status = *status};
  for (std::size_t i = 4; i < parts.size(); ++i) {
    if (!add_word(options, parts[i])) return wrong();
  }
  const bool needs_size = is_in && options.format == PipeFormat::raw;
  if (needs_size && options.size == Size()) return wrong();
  return options;
}

}  // namespace submix::io
