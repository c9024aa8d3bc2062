// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/media/frame_pool.hpp"
#include "common/show/document.hpp"
#include "node/host/host_keeper.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>

namespace submix::host {

/// A filter that is tried on a still picture.
struct EffectTrial {
  std::string id;                         ///< of the plugin, for errors
  std::filesystem::path file;             ///< its library
  show::Parameters parameters;            ///< all of them
  FrameRate rate{30, 1};                  ///< of the frames that it is given
  std::size_t frames = 1;                 ///< so often; a filter with memory needs a few
  std::chrono::milliseconds patience{0};  ///< for all of it
};

/// Lets a filter draw `input`, beside the show: in a confined process of its own, at a low
/// priority, which ends afterwards.
///
/// Shape    `input` lies in a pool of shared memory with another free seat. The result is the last
///          frame.
/// Threads  Any. Waits.
/// Cost     Starts a process: about 20 ms for a small library.
/// Errors   The filter crashed, ended, could not be made, or took longer than the patience. All
///          cost nothing but the result.
[[nodiscard]] Result<media::Frame> try_effect(HostKeeper& keeper, const EffectTrial& trial,
                                              const media::Frame& input, media::FramePool& pool);

}  // namespace submix::host
