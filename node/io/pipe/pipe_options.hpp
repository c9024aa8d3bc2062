// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace submix::io {

enum class PipeDirection { out, in };

/// The format of the pictures in a pipe. PIPES.md describes each.
enum class PipeFormat {
  matroska,   ///< uncompressed RGB, with time stamps
  y4m,        ///< Y'CbCr 4:4:4; from a pipe also 4:2:0 and 4:2:2
  raw,        ///< RGB24 without any header
  by_itself,  ///< in: Matroska or Y4M, recognised by the first bytes
};

[[nodiscard]] std::string_view to_string(PipeFormat format);

/// The pipe of a node that `submix pipe` has started. Its descriptors are inherited.
struct PipeOptions {
  PipeDirection direction = PipeDirection::out;
  PipeFormat format = PipeFormat::matroska;
  int data = -1;             ///< descriptor of the pictures
  int status = -1;           ///< descriptor for the lines of PipeStatus
  bool is_lossless = false;  ///< in: each picture is shown, and the show waits for it
  /// Size and rate of the pictures of `in,raw`; otherwise unused.
  Size size{};
  FrameRate rate{};
};

/// Reads "out,matroska,5,6", "in,by-itself,5,6,lossless" or "in,raw,5,6,640x360,30/1".
[[nodiscard]] Result<PipeOptions> parse_pipe_options(std::string_view text);

}  // namespace submix::io
