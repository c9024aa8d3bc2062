// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/cli/context.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace submix::cli {

/// `submix render`: a show without real time, into a file. One of `seconds` and `frames` is stated.
struct RenderOptions {
  std::filesystem::path show;  ///< show file
  std::filesystem::path file;  ///< of the film; a Matroska file
  std::optional<double> seconds{};
  std::optional<std::uint64_t> frames{};
  std::string mix;                    ///< "submix" or "submix.slot"; empty: the show's mix
  std::filesystem::path media = ".";  ///< folder of clips and stills
  std::string codec = "h264";
  bool is_forced = false;  ///< replaces an existing file
};

/// Starts a NATS server and a node of its own, which no other show sees, and lets the node make the
/// frames as fast as it can. The film gets its name when it is complete; until then, and after a
/// failure or a signal, there is none. All child processes end with the command. Call on the main
/// thread.
int run_render(Context& context, const RenderOptions& options);

}  // namespace submix::cli
