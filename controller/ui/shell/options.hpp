// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "controller/input/input_options.hpp"
#include "controller/ui/draw/color_scheme.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>

namespace submix::ui {

/// What `submix-controller` was told.
struct Options {
  std::string nats_url;            ///< empty: the usual one, started here when nobody answers
  std::filesystem::path key_file;  ///< empty: none
  bool is_read_only = false;
  std::optional<double> scale;      ///< empty: as the window was left
  std::optional<Size> size;         ///< likewise
  std::optional<Theme> theme;       ///< likewise
  std::optional<std::string> page;  ///< likewise; a page's id
  input::CommandLine input;         ///< MIDI, OSC and Link
  /// Not 0: how quick the window is is printed, after so long in each phase, and the program ends.
  std::chrono::seconds measured{0};
  std::filesystem::path
      screenshot;  ///< empty: none; else written after `after`, then the program ends
  std::chrono::milliseconds after{3000};
};

/// The options, or the exit status when there is nothing more to do (--help: 0, wrong use: 2).
[[nodiscard]] std::variant<Options, int> parse_options(int argc, char** argv);

}  // namespace submix::ui
