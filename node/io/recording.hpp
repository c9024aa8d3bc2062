// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "node/io/matroska_file.hpp"
#include "node/io/media_folders.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace submix::io {

/// What all parts of one recording share: how its packets are coded and counted.
struct TrackFormat {
  CodecParametersPointer parameters;
  AVRational time_base{1, 30};  ///< one frame
};

/// Where a recording's packets go. Compatible.
class Recording {
 public:
  virtual ~Recording() = default;

  /// Whether the frame to come should be one that playing can start at.
  [[nodiscard]] virtual bool wants_key() const = 0;
  /// Timestamps count frames from 0.
  [[nodiscard]] virtual Result<void> write(const AVPacket& packet) = 0;
  /// Makes the file complete. Call once, also after a failed write.
  [[nodiscard]] virtual Result<void> finish() = 0;
  /// So far, to all of its files.
  [[nodiscard]] virtual std::uint64_t bytes_written() const = 0;
};

/// Everything, in one file.
class WholeRecording final : public Recording {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Recording>> create(const RecordingPlace& place,
                                                                 const TrackFormat& track);

  [[nodiscard]] bool wants_key() const override { return false; }
  [[nodiscard]] Result<void> write(const AVPacket& packet) override {
    return file_.write(packet, time_base_);
  }
  [[nodiscard]] Result<void> finish() override { return file_.finish(); }
  [[nodiscard]] std::uint64_t bytes_written() const override { return file_.bytes_written(); }

 private:
  WholeRecording(MatroskaFile file, AVRational time_base)
      : file_(std::move(file)), time_base_(time_base) {}

  MatroskaFile file_;
  AVRational time_base_;
};

/// The last seconds: a rolling recording in files of one second, beside the wanted one in "<file>.parts".
/// finish() joins them; without a frame there is no file. A killed process leaves the parts; each plays, and
/// the next recording to the same file joins them first (see join_leftover_parts()).
class RollingRecording final : public Recording {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Recording>> create(const RecordingPlace& place,
                                                                 TrackFormat track,
                                                                 double keep_seconds);

  [[nodiscard]] bool wants_key() const override { return frames_ % frames_per_part_ == 0; }
  [[nodiscard]] Result<void> write(const AVPacket& packet) override;
  [[nodiscard]] Result<void> finish() override;
  [[nodiscard]] std::uint64_t bytes_written() const override;

 private:
  struct Part {
    std::string name;
    std::int64_t first_frame = 0;
  };

  RollingRecording(RecordingPlace place, OpenFolder parts, TrackFormat track, double keep_seconds);

  [[nodiscard]] Result<void> begin_part();
  [[nodiscard]] Result<void> finish_part();
  void drop_old_parts();

  [[nodiscard]] std::string about() const { return place_.path().string(); }

  RecordingPlace place_;
  std::shared_ptr<const OpenFolder> parts_folder_;
  TrackFormat track_;
  std::int64_t keep_frames_;
  std::int64_t frames_per_part_;
  std::int64_t frames_ = 0;
  std::uint64_t bytes_of_ended_parts_ = 0;
  std::deque<Part> parts_;  // oldest first
  std::optional<MatroskaFile> open_part_;
};

/// "mix-1.mkv" for "mix.mkv": the first such name that is free.
[[nodiscard]] RecordingPlace numbered_beside(const RecordingPlace& place);
/// Of the folder of a rolling recording's parts, beside its file.
[[nodiscard]] std::string parts_name(const std::string& file);
/// Whether a rolling recording to `place` finds that folder, or could make it.
[[nodiscard]] Result<void> check_parts_folder(const RecordingPlace& place);
/// Joins what a killed process left of a rolling recording to `place` into a numbered file beside it, whose
/// place it returns; empty when there is nothing.
[[nodiscard]] Result<std::optional<RecordingPlace>> join_leftover_parts(
    const RecordingPlace& place);

}  // namespace submix::io
