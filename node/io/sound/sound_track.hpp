// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/clip/course.hpp"
#include "node/io/ffmpeg.hpp"
#include "node/io/open_folder.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

struct SwrContext;

namespace submix::io {

/// Decodes a sound track of a file, as one channel at kSoundRateHz. Moments are in seconds since
/// the file's first picture.
///
/// Shape    Keeps 4 to 8 s of decoded sound. So a short loop is decoded once, and playing backwards
///          seeks once a second.
/// Threads  Compatible.
/// Errors   open(): the container cannot be read, has no track of this number, or FFmpeg has no
///          decoder. Later damage is counted and read as silence.
class SoundTrack {
 public:
  /// Opens track OpenFile::sound_track; for 0, FFmpeg's choice of the main track.
  [[nodiscard]] static Result<SoundTrack> open(const OpenFile& file);

  /// False: the file has no sound, so all samples are silent.
  [[nodiscard]] bool has_sound() const { return decoder_ != nullptr; }
  /// How long the file says that its pictures last; 0: it has no sound, or does not say.
  [[nodiscard]] double length_seconds() const { return length_seconds_; }
  /// Fills `samples`, -1 to 1, by interpolation. `course` has the moment of the first sample and
  /// the step between samples. Silence outside the played part, in gaps and damaged parts of the
  /// track, and beyond its ends.
  ///
  /// Cost     20 µs for 512 samples at speed 1 or -1, and 190 µs at 16; up to 2 ms more after a
  ///          jump (AAC of 44.1 kHz beside 640x360 pictures, from memory). Slow disks take longer.
  void read(const Course& course, std::span<float> samples);
  /// The moment of the first damage or gap, in seconds. Empty: none was found.
  [[nodiscard]] std::optional<double> damaged_at() const { return damaged_at_; }

 private:
  struct ResamplerDeleter {
    void operator()(SwrContext* context) const;
  };

  SoundTrack() = default;
  Result<void> open_decoder(const AVCodec& codec, const std::string& about);
  [[nodiscard]] float value_at(double seconds);
  [[nodiscard]] float sample(std::int64_t index);
  void reach(std::int64_t index);
  void go_to(std::int64_t index);
  void decode();
  void feed();
  void take(const AVFrame& frame);
  [[nodiscard]] bool follow_format(const AVFrame& frame);
  void place(std::int64_t index);
  void trim();
  void note_damage();
  [[nodiscard]] std::int64_t end() const {
    return begin_ + static_cast<std::int64_t>(window_.size());
  }
  [[nodiscard]] double seconds_of(std::int64_t ticks) const;

  InputPointer input_;
  CodecPointer decoder_;                                     // null: there is no sound
  std::unique_ptr<SwrContext, ResamplerDeleter> resampler_;  // null: not one frame came yet
  // Of the resampler's input.
  int format_ = -1;
  int rate_hz_ = 0;
  int channels_ = 0;
  PacketPointer packet_ = make_packet();
  FramePointer frame_ = make_frame();
  int stream_index_ = -1;
  double base_seconds_ = 0;  // of the first picture, in the file's time
  double length_seconds_ = 0;
  // Sample 0 is at the first picture.
  std::vector<float> window_;
  std::int64_t begin_ = 0;   // of the window
  std::int64_t sought_ = 0;  // from here to `begin_` there is no sound
  bool is_draining_ = false;
  bool is_at_end_ = false;
  int packets_since_jump_ = 0;
  std::optional<double> damaged_at_;
};

}  // namespace submix::io
