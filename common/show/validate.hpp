// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "common/show/problem.hpp"

#include <chrono>
#include <cstddef>

namespace submix::show {

// A limit on everything that a show can state, so that no table sized by it grows without bound.
inline constexpr std::size_t kNodesMax = 64;
inline constexpr std::size_t kSubmixesMax = 64;
inline constexpr std::size_t kSlotsMax = 64;  ///< of one submix
inline constexpr std::size_t kStreamsMax = 256;
inline constexpr std::size_t kReceiversMax =
    16;  ///< of one output: its patch keeps frames for each
inline constexpr std::size_t kParametersMax = 128;  ///< of one slot
inline constexpr std::size_t kParameterNameBytesMax = 128;
inline constexpr int kLinksMax = 8;
inline constexpr int kHelpersMax = 8;
inline constexpr int kFramesInFlightMax = 64;
inline constexpr std::size_t kDelayMax = 120;  ///< frames of an input: each has a seat in memory
inline constexpr std::chrono::milliseconds kPauseBudgetMax = std::chrono::hours(1);
inline constexpr int kFrei0rBlock =
    8;  ///< pixels: frei0r takes pictures of whole ones only, both ways
inline constexpr double kFramesPerSecondMin = 1.0;
inline constexpr double kFramesPerSecondMax = 240.0;

/// Everything wrong with `show` that can be known without knowing its plugins; none: it may be applied.
/// Names, limits, references, wiring, circles. check_plugins() looks at the rest.
///
/// Threads  Pure. Errors in the order of the document; lines are not known here (parse() adds them).
[[nodiscard]] Problems validate(const Show& show);

}  // namespace submix::show
