// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/show_comments.hpp"

#include <algorithm>
#include <cstddef>

namespace submix::session {
namespace {

// The quotes that begin (and end) a string at the front of `text`. Empty: no string begins there.
std::string_view quotes_at(std::string_view text) {
  for (const std::string_view quotes : {"\"\"\"", "'''", "\"", "'"}) {
    if (text.starts_with(quotes)) return quotes;
  }
  return {};
}

// The length of a string with these quotes, both ends included; the whole rest if it does not end.
std::size_t string_bytes(std::string_view text, std::string_view quotes) {
  const bool has_escapes = quotes.front() == '"';
  for (std::size_t i = quotes.size(); i < text.size(); ++i) {
    if (has_escapes && text[i] == '\\') {
      ++i;
    } else if (text.substr(i).starts_with(quotes)) {
      return i + quotes.size();
    }
  }
  return text.size();
}

}  // namespace

std::string_view leading_comments(std::string_view toml) {
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < toml.size();) {
    const auto line_end = std::min(toml.find('\n', begin), toml.size() - 1) + 1;
    const auto first = toml.find_first_not_of(" \t\r", begin);
    if (first == std::string_view::npos || (toml[first] != '#' && toml[first] != '\n')) break;
    if (toml[first] == '#') end = line_end;
    begin = line_end;
  }
  return toml.substr(0, end);
}

bool has_comments(std::string_view toml) {
  while (!toml.empty()) {
    if (toml.front() == '#') return true;
    const auto quotes = quotes_at(toml);
    toml.remove_prefix(quotes.empty() ? 1 : string_bytes(toml, quotes));
  }
  return false;
}

}  // namespace submix::session
