// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/version.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace submix {
namespace {

struct Release {
  std::int64_t major = 0;
  std::int64_t minor = 0;

  friend auto operator<=>(const Release&, const Release&) = default;
};

// The number at the beginning of `text`, which then begins with what follows it.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// "0.2.0", and whatever follows the second number.
std::optional<Release> release_in(std::string_view text) {
  const auto major = take_number(text);
  if (!major || !text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  const auto minor = take_number(text);
  if (!minor) return std::nullopt;
  return Release{*major, *minor};
}

bool may_work_together(const Release& one, const Release& other) {
  return one.major == other.major && std::abs(one.minor - other.minor) <= 1;
}

}  // namespace

std::string_view version() {
  return SUBMIX_VERSION;
}

std::optional<std::string> version_gap(const Software& one, const Software& other) {
  const auto here = release_in(one.version);
  const auto there = release_in(other.version);
  if (!here || !there || may_work_together(*here, *there)) return std::nullopt;
  return fmt::format(
      "{} has Submix {} and {} has {}: versions that are more than one apart do not work together; "
      "update {}",
      one.who, one.version, other.who, other.version, *here < *there ? one.who : other.who);
}

}  // namespace submix
