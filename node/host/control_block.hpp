// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/validate.hpp"
#include "node/plugin/instance.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// The memory that a node shares with a plugin host or a decoder, apart from pictures.
///
/// The node writes a job and raises `asked`. The host does the job and sets `answered` to the same
/// number. Both sides wait by futex. Job 1 makes the host ready: the library is loaded, the
/// instance is made. Views of pictures and parameters that are not numbers go ahead of the job
/// through a socket (channel.hpp); the job says how many messages the node has sent in all.
///
/// The host is not trusted. The node reads only `answered`, `run_delay_ns`, `decoded`, `sound`,
/// `report` and `problem`, and checks all six.
namespace submix::host {

/// The node sets `answered` to this value when the host's process is gone.
inline constexpr std::uint32_t kGone = 0xFFFFFFFF;

/// The last word of a spare host's command line, until the spare gets its slot.
inline constexpr std::string_view kSpareMark = "spare";

/// The descriptors that a host inherits at its start.
inline constexpr int kChannelDescriptor = 3;
inline constexpr int kControlDescriptor = 4;

inline constexpr std::size_t kNumbersMax = show::kParametersMax;

/// A number parameter, named by its index among the names of the first SetParameters.
struct NumberSetting {
  std::uint32_t place = 0;
  double value = 0.0;
};

/// The picture that a decoder is asked for, or the piece of sound.
struct DecodeRequest {
  double seconds = 0.0;  ///< this and the next four: an io::Course; of sound, one of samples
  double step_seconds = 0.0;
  double in_seconds = 0.0;
  double out_seconds = 0.0;
  bool is_looping = false;
  bool may_hold = false;           ///< as in io::PictureRequest
  std::uint64_t known_serial = 0;  ///< this picture need not be painted again; 0: paint any
  std::uint32_t fit = 0;           ///< the value of an io::Fit
};

/// One job. A picture is named by the number of its view.
struct Job {
  std::array<std::uint32_t, plugin::kInstanceInputsMax> inputs{};
  std::uint32_t output = 0;
  std::uint32_t messages = 0;      ///< messages sent by the node so far
  std::uint32_t number_count = 0;  ///< entries of `numbers`: values changed since the job before
  std::int64_t pts_ns = 0;
  DecodeRequest request{};  ///< for a decoder
};

/// A decoder's answer: the picture of the job, and the state of the file.
struct DecodedPicture {
  std::uint64_t serial = 0;  ///< of the picture in its file; 0: no picture
  bool is_painted = false;   ///< false: the picture is the known one of the request, or held
  bool is_late = false;      ///< the picture of the moment is not decoded yet
  /// The pixel format cannot be converted; black was painted.
  bool is_unpaintable = false;
  bool has_damage = false;
  std::uint32_t width = 0;  ///< the picture's own width, in pixels
  std::uint32_t height = 0;
  double end_seconds = 0;      ///< length of the file, as in io::ClipLength
  double picture_seconds = 0;  ///< length of one picture, as in io::ClipLength
  double missing_seconds = 0;  ///< this and the next two: as in io::Playhead
  double damaged_at_seconds = 0;
  std::uint64_t faults = 0;
  std::int64_t decoding_ns = 0;      ///< decoding so far, without painting
  std::int64_t decoding_cpu_ns = 0;  ///< this and the next: as in io::SourceReport
  std::uint64_t decoded = 0;
  std::int64_t stuck_ns = 0;     ///< as in io::SourceReport
  std::array<char, 16> codec{};  ///< for people; the rest is zero
  bool is_series = false;        ///< this and the next three: as in io::SourceReport::series
  std::uint32_t first_number = 0;
  std::uint32_t last_number = 0;
  std::uint32_t number_beyond = 0;
};

/// Samples that a decoder gives at a time.
inline constexpr std::size_t kSoundPieceSamples = 512;

/// A decoder's answer where it reads the sound of its file.
struct DecodedSound {
  bool has_track = false;
  bool has_damage = false;
  double damaged_at_seconds = 0;  ///< the first damage
  double length_seconds = 0;      ///< of the file's pictures, as it states it; 0: it does not
  std::array<float, kSoundPieceSamples> samples{};
};

/// A plugin's report after a job: a plugin::InstanceReport.
struct HostedReport {
  std::array<std::uint64_t, plugin::kInstanceCountsMax> counts{};
  std::array<char, 512> trouble{};  ///< text for people; the rest is zero

  friend bool operator==(const HostedReport&, const HostedReport&) = default;
};

struct ControlBlock {
  alignas(64) std::atomic<std::uint32_t> asked;  ///< release: publishes the job
  Job job;
  std::array<NumberSetting, kNumbersMax> numbers;
  alignas(64) std::atomic<std::uint32_t> answered;  ///< release: publishes the picture
  std::uint64_t run_delay_ns;                       ///< of the host's thread, up to its last answer
  DecodedPicture decoded;                      ///< for a decoder; the reader checks every number
  DecodedSound sound;                          ///< the same
  HostedReport report;                         ///< of a plugin; the reader checks the text
  alignas(64) std::array<char, 1024> problem;  ///< why the host ends by itself; text for people
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "two processes share them");

inline constexpr std::size_t kControlBytes = 8192;
static_assert(sizeof(ControlBlock) <= kControlBytes);

}  // namespace submix::host
