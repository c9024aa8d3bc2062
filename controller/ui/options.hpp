// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <variant>

namespace submix::ui {

/// What `submix-controller` was told.
struct Options {
  std::string nats_url;            ///< empty: the usual one, started here when nobody answers
  std::filesystem::path key_file;  ///< empty: none
  double scale = 1;
  Size size{1440, 900};
  std::filesystem::path screenshot;  ///< empty: none; else written after `after`, then the program ends
  std::chrono::milliseconds after{3000};
};

/// The options, or the exit status when there is nothing more to do (--help: 0, wrong use: 2).
[[nodiscard]] std::variant<Options, int> parse_options(int argc, char** argv);

}  // namespace submix::ui
