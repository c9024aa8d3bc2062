// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "node/io/media_folders.hpp"
#include "node/io/record/matroska_file.hpp"

#include <cstdint>
#include <ctime>
#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace submix::io {

/// The codec and time base that all parts of one recording share.
struct TrackFormat {
  CodecParametersPointer parameters;
  AVRational time_base{1, 30};  ///< one frame
};

/// Takes a recording's packets. Compatible.
class Recording {
 public:
  virtual ~Recording() = default;

  /// Whether the next frame should be a key picture.
  [[nodiscard]] virtual bool wants_key() const = 0;
  /// Timestamps count frames from 0.
  [[nodiscard]] virtual Result<void> write(const AVPacket& packet) = 0;
  /// Completes the file. Call once, also after a failed write.
  [[nodiscard]] virtual Result<void> finish() = 0;
  /// Bytes written so far to all of its files.
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

/// The last seconds: a rolling recording in files of one second, in the folder "<file>.parts"
/// beside the wanted file. finish() joins the parts; without a frame it makes no file. A killed
/// process leaves the parts. Each part is playable, and the next recording to the same file joins
/// them first (see join_leftover_parts()).
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

/// "mix-2026-11-29-201500.mkv" for "mix-{time}.mkv", if the film begins at `local`. Other names are
/// unchanged.
[[nodiscard]] std::string film_name(const std::string& name, const std::tm& local);
/// "mix-1.mkv" for "mix.mkv": the first free name of this form.
[[nodiscard]] RecordingPlace numbered_beside(const RecordingPlace& place);
/// The name of the folder for a rolling recording's parts, beside `file`.
[[nodiscard]] std::string parts_name(const std::string& file);
/// Whether the folder for a rolling recording's parts exists or could be made.
[[nodiscard]] Result<void> check_parts_folder(const RecordingPlace& place);
/// Joins the parts that a killed process left of a rolling recording to `place`. Returns the place
/// of the joined file, which has a numbered name beside `place`. Empty: there are no parts.
[[nodiscard]] Result<std::optional<RecordingPlace>> join_leftover_parts(
    const RecordingPlace& place);

}  // namespace submix::io
