// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the codec: limits of the lists in messages.

#include <cstddef>

/// The limits of a cluster and of a node, with room to spare. They bound the memory that a hostile
/// message can take.
namespace submix::cluster::limits {

inline constexpr std::size_t kSubmixes = 256;
inline constexpr std::size_t kPlugins = 4096;
inline constexpr std::size_t kParameters = 256;
inline constexpr std::size_t kChoices = 256;
inline constexpr std::size_t kStages = 256;
inline constexpr std::size_t kPools = 2 * kStages;
inline constexpr std::size_t kQueues = 64;
inline constexpr std::size_t kQueuedFrames = 64;
inline constexpr std::size_t kJitterBuckets = 256;
inline constexpr std::size_t kSeats = 1024;
inline constexpr std::size_t kCounters = 64;
inline constexpr std::size_t kStreams = 512;
inline constexpr std::size_t kLinks = 64;
inline constexpr std::size_t kEpochs = 64;
inline constexpr std::size_t kCores = 4096;

}  // namespace submix::cluster::limits
