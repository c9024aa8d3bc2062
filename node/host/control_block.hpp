// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/validate.hpp"
#include "node/plugin/frei0r_instance.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// What a node and one of its plugin hosts share, apart from pictures.
///
/// The node writes the job and raises `asked`; the host does it and sets `answered` to the same number. Both
/// wait by futex. Job 1 is to be ready: library loaded, instance made. What a job needs beyond its fields
/// (views of pictures, parameters that are no numbers) goes ahead of it through a socket (channel.hpp), and
/// the job says how many messages that are in all.
///
/// The host is not trusted: of what lies here the node reads `answered` and `problem` only, and checks both.
namespace submix::host {

/// `answered` of a host whose process is gone; the node sets it.
inline constexpr std::uint32_t kGone = 0xFFFFFFFF;

/// The last word of a spare's command line, until it has its slot.
inline constexpr std::string_view kSpareMark = "spare";

/// The descriptors that a host is started with.
inline constexpr int kChannelDescriptor = 3;
inline constexpr int kControlDescriptor = 4;

inline constexpr std::size_t kNumbersMax = show::kParametersMax;

/// A parameter that is a number, named by its place among the names of the first SetParameters.
struct NumberSetting {
  std::uint32_t place = 0;
  double value = 0.0;
};

/// Pictures are named by the view that they are mapped as.
struct Job {
  std::array<std::uint32_t, plugin::kFrei0rInputsMax> inputs{};
  std::uint32_t output = 0;
  std::uint32_t messages = 0;      ///< that the node has sent so far
  std::uint32_t number_count = 0;  ///< of those in the block, that differ from the job before
  std::int64_t pts_ns = 0;
};

struct ControlBlock {
  alignas(64) std::atomic<std::uint32_t> asked;  ///< release: publishes the job
  Job job;
  std::array<NumberSetting, kNumbersMax> numbers;
  alignas(64) std::atomic<std::uint32_t> answered;  ///< release: publishes the picture
  alignas(64) std::array<char, 1024> problem;       ///< why the host ends by itself; text, for people
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "two processes share them");

inline constexpr std::size_t kControlBytes = 4096;
static_assert(sizeof(ControlBlock) <= kControlBytes);

}  // namespace submix::host
