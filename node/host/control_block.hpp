// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/validate.hpp"
#include "node/plugin/frei0r_instance.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// What a node and one of its plugin hosts or decoders share, apart from pictures.
///
/// The node writes the job and raises `asked`; the host does it and sets `answered` to the same number. Both
/// wait by futex. Job 1 is to be ready: library loaded, instance made. What a job needs beyond its fields
/// (views of pictures, parameters that are no numbers) goes ahead of it through a socket (channel.hpp), and
/// the job says how many messages that are in all.
///
/// The host is not trusted: of what lies here the node reads `answered`, `decoded` and `problem` only, and
/// checks all three.
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

/// What a decoder is asked for.
struct PictureWish {
  double seconds = 0.0;            ///< a moment of the file
  std::uint64_t known_serial = 0;  ///< that picture need not be painted again; 0: any must be
  std::uint32_t fit = 0;           ///< io::Fit
};

/// Pictures are named by the view that they are mapped as.
struct Job {
  std::array<std::uint32_t, plugin::kFrei0rInputsMax> inputs{};
  std::uint32_t output = 0;
  std::uint32_t messages = 0;      ///< that the node has sent so far
  std::uint32_t number_count = 0;  ///< of those in the block, that differ from the job before
  std::int64_t pts_ns = 0;
  PictureWish wish{};  ///< of a decoder
};

/// What a decoder tells of its file with the picture that a job has asked for.
struct DecodedPicture {
  std::uint64_t serial = 0;  ///< of the file's picture; 0: none
  bool is_painted = false;   ///< false: it is the one that the wish names as known
  bool is_unpaintable =
      false;  ///< its pixels have a format that cannot be converted; black was painted
  bool has_damage = false;
  std::uint32_t width = 0;  ///< its own, in pixels
  std::uint32_t height = 0;
  double end_seconds = 0;      ///< of the file, as io::ClipLength
  double picture_seconds = 0;  ///< the same
  double missing_seconds = 0;  ///< as io::Playhead says, and the next ones
  double damaged_at_seconds = 0;
  std::uint64_t faults = 0;
  std::int64_t decoding_ns = 0;  ///< so far, without painting
};

struct ControlBlock {
  alignas(64) std::atomic<std::uint32_t> asked;  ///< release: publishes the job
  Job job;
  std::array<NumberSetting, kNumbersMax> numbers;
  alignas(64) std::atomic<std::uint32_t> answered;  ///< release: publishes the picture
  DecodedPicture decoded;                           ///< of a decoder; whoever reads it checks it
  alignas(64) std::array<char, 1024> problem;  ///< why the host ends by itself; text, for people
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "two processes share them");

inline constexpr std::size_t kControlBytes = 4096;
static_assert(sizeof(ControlBlock) <= kControlBytes);

}  // namespace submix::host
