// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace submix {

/// The software's version, "0.2.0". All programs of one build have the same version.
[[nodiscard]] std::string_view version();

/// A program, or the PC that it runs on, and its version.
struct Software {
  std::string who;  ///< for people: "node left", "desk rack2"
  std::string version{submix::version()};
};

/// Why these two may not work in one show, with the remedy. Empty: they may, because their versions
/// have the same major number and minor numbers that differ by at most one, or because a text is
/// not a version ("0.2.0") and is not judged.
[[nodiscard]] std::optional<std::string> version_gap(const Software& one, const Software& other);

}  // namespace submix
