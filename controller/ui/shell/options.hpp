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

/// The command line of `submix-controller`.
struct Options {
  /// empty: the joined desk's, else the default server, started here if it does not answer
  std::string nats_url;
  std::filesystem::path key_file;  ///< empty: no key
  bool is_read_only = false;
  bool hides_show = false;          ///< a desk does not tell the network its show
  std::optional<double> scale;      ///< empty: as in the last run, also for the next three
  std::optional<Size> size;         ///< of the window
  std::optional<Theme> theme;       ///< dark or light
  std::optional<std::string> page;  ///< a page's id
  bool has_tour = true;             ///< on the first start
  input::CommandLine input;         ///< MIDI, OSC and Link
  /// Not 0: measure the window in phases of this length, print the result and exit.
  std::chrono::seconds measured{0};
  /// Empty: none; else written after `after`, then the program exits.
  std::filesystem::path screenshot;
  std::chrono::milliseconds after{3000};
};

/// The options, or the exit status if the program has nothing more to do (--help: 0, wrong use: 2).
[[nodiscard]] std::variant<Options, int> parse_options(int argc, char** argv);

}  // namespace submix::ui
