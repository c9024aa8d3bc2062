// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/show/picture_series.hpp"
#include "node/io/clip/clip_timeline.hpp"
#include "node/io/clip/course.hpp"
#include "node/io/open_folder.hpp"
#include "node/io/picture_fit.hpp"
#include "node/plugin/plugin.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace submix::io {

/// The picture that a source is asked for.
struct PictureRequest {
  /// The moment of this frame, and the moments after it, which a source decodes ahead. The source
  /// shows the last undamaged picture that begins at or before the moment.
  Course course = {};
  /// If the picture is not decoded yet, another may replace it. False: wait for it.
  bool may_hold = false;
  Fit fit = Fit::letterbox;
  std::uint64_t known_serial = 0;  ///< the caller has already painted this picture; 0: none
};

/// The result of a request.
struct PaintedPicture {
  enum class Outcome {
    painted,  ///< `output` has the picture
    known,    ///< show the picture `known_serial`; `output` is unchanged
    held,     ///< not decoded yet: show the previous picture; `output` is unchanged
    late,     ///< no answer yet: show the previous picture, ask again next frame
    stopped,  ///< the caller was asked to stop
  };
  Outcome outcome = Outcome::stopped;
  /// Empty if `late`: the source still has the frame.
  std::optional<media::WritableFrame> output;
  bool is_late = false;  ///< the picture of the moment was not decoded in time
};

/// What is known about a file so far.
struct SourceReport {
  ClipLength length;
  std::uint64_t serial = 0;    ///< of the latest picture; unique within the source
  Size own_size;               ///< of this picture, in its own pixels
  double missing_seconds = 0;  ///< the file ends this much before the end stated in its header
  std::optional<double> damaged_at{};    ///< the latest damage
  std::uint64_t faults = 0;              ///< packets that could not be decoded
  std::chrono::nanoseconds decoding{0};  ///< decoding time so far, without painting
  /// On cores, by the present decoder, for `decoded` pictures. In a decoder of its own process.
  std::chrono::nanoseconds decoding_cpu{0};
  std::uint64_t decoded = 0;
  std::chrono::nanoseconds stuck{0};            ///< time spent on the present picture so far
  bool is_unpaintable = false;                  ///< the pixel format cannot be converted
  std::string codec;                            ///< FFmpeg's name, for people: "h264"
  std::optional<show::SeriesNumbers> series{};  ///< of a series of pictures; empty: a single file
};

/// A file of pictures, decoded and painted onto frames of the show.
///
/// Threads  Confined (one thread at a time).
/// Errors   Nothing fails after is_ready(): the last good picture replaces a picture that cannot be
///          decoded.
class PictureSource {
 public:
  using SteadyTime = std::chrono::steady_clock::time_point;

  /// `name` is the file's name for messages.
  explicit PictureSource(std::string name) : name_(std::move(name)) {}
  PictureSource(const PictureSource&) = delete;
  PictureSource& operator=(const PictureSource&) = delete;
  virtual ~PictureSource() = default;

  [[nodiscard]] const std::string& name() const { return name_; }

  /// Waits for the first picture, at most until `deadline`. False: not yet.
  ///
  /// Errors   The file has no picture.
  [[nodiscard]] virtual Result<bool> is_ready(SteadyTime deadline) = 0;

  /// Paints a picture over all of `output`.
  [[nodiscard]] virtual PaintedPicture paint(const PictureRequest& request,
                                             media::WritableFrame output,
                                             const std::stop_token& stop) = 0;

  [[nodiscard]] virtual const SourceReport& report() const = 0;

  /// Why no new pictures come, for people. Empty: they come.
  [[nodiscard]] virtual std::string trouble() const { return {}; }

  /// There is no file: another source must be opened in place of this one.
  [[nodiscard]] virtual bool is_missing() const { return false; }

  /// Tries a file again after the source gave up.
  virtual void try_again() {}

  /// Frames that the source may hold besides the caller's frames.
  [[nodiscard]] virtual std::size_t frames_retained() const { return 0; }

 private:
  const std::string name_;
};

/// Longer than any picture takes.
inline constexpr std::chrono::minutes kSourcePatience{2};

/// How long a file may take to show its first picture. It may come from a slow disk.
inline constexpr std::chrono::seconds kSourceTimeout{10};
/// The same where an edit is only tried: a controller waits 4 s for the node's answer.
inline constexpr std::chrono::seconds kTrialTimeout{3};

/// How a source is opened, and for what.
struct SourceSetup {
  std::string slot;          ///< "left.clip"
  Size size;                 ///< of the painted frames
  Fit fit = Fit::letterbox;  ///< an SVG is drawn for this fit
  double begin_seconds = 0;  ///< the moment that is shown first
  double ahead_seconds = 0;  ///< how much is decoded before the first request; 0: as much as fits
  std::chrono::seconds timeout = kSourceTimeout;  ///< of the first picture
  /// How long a frame may wait for another process.
  std::chrono::nanoseconds patience = kSourcePatience;
  /// The pictures are for a show: the decoder gets the show's priority. False: a low one.
  bool is_for_show = true;
  EventSink* events = nullptr;   ///< outlives the source
  const Clock* clock = nullptr;  ///< outlives the source
};

/// A setup without events is a trial.
[[nodiscard]] SourceSetup source_setup(const plugin::Setup& setup);

/// Opens sources.
///
/// Errors   The file cannot be read. A source that opens in the background reports this by
///          is_ready().
class SourceOpener {
 public:
  using Open = std::function<Result<std::unique_ptr<PictureSource>>(OpenFile, const SourceSetup&)>;

  /// Decodes in this process.
  SourceOpener();
  /// Decodes in other processes. These fill the frames, so pools lie in shared memory.
  explicit SourceOpener(Open open_elsewhere)
      : open_(std::move(open_elsewhere)), is_elsewhere_(true) {}

  [[nodiscard]] Result<std::unique_ptr<PictureSource>> open(OpenFile file,
                                                            const SourceSetup& setup) const {
    return open_(std::move(file), setup);
  }
  [[nodiscard]] bool is_elsewhere() const { return is_elsewhere_; }

 private:
  Open open_;
  bool is_elsewhere_ = false;
};

/// Opens a source and waits until it is ready.
[[nodiscard]] Result<std::unique_ptr<PictureSource>> open_ready(const SourceOpener& opener,
                                                                Result<OpenFile> file,
                                                                const SourceSetup& setup);

/// The first picture that a source paints for `request`, as R,G,B,A of the source's `size`.
///
/// Errors   Its decoder gives none within kSourceTimeout.
[[nodiscard]] Result<std::vector<std::uint8_t>> read_picture(PictureSource& source,
                                                             const PictureRequest& request,
                                                             Size size, const SourceOpener& opener);

}  // namespace submix::io
