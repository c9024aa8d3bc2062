// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/host_port.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <system_error>

namespace submix {
namespace {

// Where the colon before the port is; npos: there is no port.
std::size_t port_colon(std::string_view end) {
  const auto colon = end.rfind(':');
  if (end.starts_with('['))
    return colon > 0 && colon != end.npos && end[colon - 1] == ']' ? colon : end.npos;
  return colon == end.find(':') ? colon : end.npos;  // several: an IPv6 address without a port
}

std::string_view without_brackets(std::string_view host) {
  return host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
}

}  // namespace

std::optional<HostPort> parse_host_port(std::string_view text) {
  const auto colon = port_colon(text);
  if (colon == text.npos) return std::nullopt;
  HostPort end{.host = std::string(without_brackets(text.substr(0, colon)))};
  const auto digits = text.substr(colon + 1);
  const auto [stop, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), end.port);
  const bool is_number = error == std::errc() && stop == digits.data() + digits.size();
  if (end.host.empty() || !is_number) return std::nullopt;
  return end;
}

std::string to_string(const HostPort& end) {
  const bool is_v6 = end.host.find(':') != std::string::npos;
  return is_v6 ? fmt::format("[{}]:{}", end.host, end.port)
               : fmt::format("{}:{}", end.host, end.port);
}

std::string_view without_port(std::string_view end) {
  return without_brackets(end.substr(0, port_colon(end)));
}

}  // namespace submix
