// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace submix::io {

enum class PipeDirection { out, in };

/// How pictures stand one after the other in a pipe. PIPES.md describes each format.
enum class PipeFormat {
  matroska,   ///< uncompressed RGB with times
  y4m,        ///< Y'CbCr 4:4:4; from a pipe also 4:2:0 and 4:2:2
  raw,        ///< RGB24 without any header
  by_itself,  ///< in: Matroska or Y4M, as the first bytes tell
};

[[nodiscard]] std::string_view to_string(PipeFormat format);

/// The pipe of a node that `submix pipe` has started. Its descriptors are inherited.
struct PipeOptions {
  PipeDirection direction = PipeDirection::out;
  PipeFormat format = PipeFormat::matroska;
  int data = -1;             ///< descriptor of the pictures
  int status = -1;           ///< descriptor for the lines of PipeStatus
  bool is_lossless = false;  ///< in: each picture is shown, and the show waits for it
  /// Of the pictures of `raw` in; unused otherwise.
  Size size{};
  FrameRate rate{};
};

/// Reads "out,matroska,5,6", "in,by-itself,5,6,lossless" or "in,raw,5,6,640x360,30/1".
[[nodiscard]] Result<PipeOptions> parse_pipe_options(std::string_view text);

}  // namespace submix::io
