// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "common/show/problem.hpp"

#include <chrono>
#include <cstddef>

namespace submix::show {

// Everything in a show has a limit, so that no table sized by a show grows without bound.
inline constexpr std::size_t kNodesMax = 64;
inline constexpr std::size_t kSubmixesMax = 64;
inline constexpr std::size_t kSlotsMax = 64;  ///< of one submix
inline constexpr std::size_t kStreamsMax = 256;
/// Of one output: its patch keeps frames for each receiver.
inline constexpr std::size_t kReceiversMax = 16;
inline constexpr std::size_t kParametersMax = 128;  ///< of one slot
inline constexpr std::size_t kParameterNameBytesMax = 128;
inline constexpr int kLinksMax = 8;
inline constexpr int kHelpersMax = 8;
inline constexpr int kFramesInFlightMax = 64;
inline constexpr int kDelayFramesMin = 2;      ///< shorter is not possible
inline constexpr int kDelayFramesMax = 5;      ///< a receiver's memory, and the frame that is shown
inline constexpr std::size_t kDelayMax = 120;  ///< in frames; each delayed frame occupies memory
inline constexpr std::chrono::milliseconds kPauseBudgetMax = std::chrono::hours(1);
inline constexpr double kFramesPerSecondMin = 1.0;
inline constexpr double kFramesPerSecondMax = 240.0;

/// All faults of `show` visible without its plugins: names, limits, references,
/// wiring, circles. None: the show may be applied. check_plugins() checks the rest.
///
/// Threads  Pure.
/// Errors   In the order of the document, without line numbers; parse() adds them.
[[nodiscard]] Problems validate(const Show& show);

}  // namespace submix::show
