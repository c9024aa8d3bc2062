// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/frame.hpp"
#include "common/wire/message.hpp"
#include "tests/throughput/context.hpp"
#include "tests/throughput/notation.hpp"
#include "tests/throughput/run_result.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace submix::throughput {

struct RunOptions {
  Size size{1024, 768};
  media::PixelFormat pixel = media::PixelFormat::rgba;  ///< at both ends
  media::PixelFormat wire = media::PixelFormat::rgb24;  ///< of the streams
  std::optional<FrameRate> rate;                        ///< empty: full speed
  std::uint64_t frames = 0;                             ///< measured; 0: for `duration`
  std::chrono::milliseconds duration{3000};
  std::chrono::milliseconds warm_up{1000};
  std::size_t links = 2;
  std::vector<BitRate> shape;                     ///< empty: no limit
  std::vector<std::chrono::microseconds> delays;  ///< of each link in each direction; empty: none
  std::size_t streams = 1;
  std::size_t credits = 4;
  std::size_t rounds = 3;
  bool has_namespaces = false;
  std::optional<Variation> variation;
  std::string congestion = "cubic";  ///< of the streams
  Checksum checksum = Checksum::none;
  bool is_encrypted = false;
  bool is_realtime = false;
};

/// In each round: each link alone by plain TCP, then streams of frames over all links.
[[nodiscard]] Result<RunResult> measure_run(Context& context, const RunOptions& options);

/// Measures and prints. Fails if a frame was lost, duplicated, reordered or torn.
int run_run(Context& context, const RunOptions& options);

}  // namespace submix::throughput
