// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "node/io/matroska_file.hpp"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>

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
};

/// Everything, in one file.
class WholeRecording final : public Recording {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Recording>> create(const std::filesystem::path& path,
                                                                 const TrackFormat& track);

  [[nodiscard]] bool wants_key() const override { return false; }
  [[nodiscard]] Result<void> write(const AVPacket& packet) override {
    return file_.write(packet, time_base_);
  }
  [[nodiscard]] Result<void> finish() override { return file_.finish(); }

 private:
  WholeRecording(MatroskaFile file, AVRational time_base) : file_(std::move(file)), time_base_(time_base) {}

  MatroskaFile file_;
  AVRational time_base_;
};

/// The last seconds: a rolling recording in files of one second, beside the wanted one in "<file>.parts".
/// finish() joins them; without a frame there is no file. A killed process leaves the parts; each plays, and
/// the next recording to the same file joins them first (see join_leftover_parts()).
class RollingRecording final : public Recording {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Recording>> create(const std::filesystem::path& path,
                                                                 TrackFormat track, double keep_seconds);

  [[nodiscard]] bool wants_key() const override { return frames_ % frames_per_part_ == 0; }
  [[nodiscard]] Result<void> write(const AVPacket& packet) override;
  [[nodiscard]] Result<void> finish() override;

 private:
  struct Part {
    std::filesystem::path path;
    std::int64_t first_frame = 0;
  };

  RollingRecording(std::filesystem::path path, TrackFormat track, double keep_seconds);

  [[nodiscard]] Result<void> begin_part();
  [[nodiscard]] Result<void> finish_part();
  void drop_old_parts();

  std::filesystem::path path_;
  TrackFormat track_;
  std::int64_t keep_frames_;
  std::int64_t frames_per_part_;
  std::int64_t frames_ = 0;
  std::deque<Part> parts_;  // oldest first
  std::optional<MatroskaFile> open_part_;
};

/// "mix-1.mkv" for "mix.mkv": the first such name that is free.
[[nodiscard]] std::filesystem::path numbered_beside(const std::filesystem::path& path);
/// The folder of a rolling recording's parts.
[[nodiscard]] std::filesystem::path parts_folder(const std::filesystem::path& path);
/// Joins what a killed process left of a rolling recording to `path` into a numbered file beside it, whose
/// name it returns; empty when there is nothing.
[[nodiscard]] Result<std::filesystem::path> join_leftover_parts(const std::filesystem::path& path);

}  // namespace submix::io
