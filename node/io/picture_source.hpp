// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "node/io/clip_timeline.hpp"
#include "node/io/open_folder.hpp"
#include "node/io/picture_fit.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace submix::io {

/// The picture that a source is asked for.
struct PictureRequest {
  double seconds =
      0;  ///< a moment of the file; the last undamaged picture that begins at or before it
  Fit fit = Fit::letterbox;
  std::uint64_t known_serial = 0;  ///< the caller has this picture painted already; 0: none
};

/// What became of a request.
struct PaintedPicture {
  enum class Outcome {
    painted,  ///< `output` has the picture
    known,    ///< it is the picture of `known_serial`; `output` is as it was
    late,  ///< the source still decodes; show the picture before, and ask again with the next frame
    stopped,  ///< the caller was asked to stop
  };
  Outcome outcome = Outcome::stopped;
  std::optional<media::WritableFrame>
      output;  ///< empty where `late`: the source keeps it for a while
};

/// What is known of a file so far.
struct SourceReport {
  ClipLength length;
  std::uint64_t serial = 0;    ///< of the picture found last: no other picture of the source has it
  Size own_size;               ///< of that picture, in its own pixels
  double missing_seconds = 0;  ///< the file ends so much before the end that its header states
  std::optional<double> damaged_at{};    ///< where damage was met last
  std::uint64_t faults = 0;              ///< packets that could not be decoded
  std::chrono::nanoseconds decoding{0};  ///< time so far, without painting
  bool is_unpaintable = false;           ///< its pixels have a format that cannot be converted
};

/// A file of pictures that is decoded and painted onto frames of the show.
///
/// Threads  Confined (one thread at a time).
/// Errors   After is_ready() nothing fails: the last good picture stands for what cannot be decoded.
class PictureSource {
 public:
  using SteadyTime = std::chrono::steady_clock::time_point;

  /// `name` is the file's, for messages.
  explicit PictureSource(std::string name) : name_(std::move(name)) {}
  PictureSource(const PictureSource&) = delete;
  PictureSource& operator=(const PictureSource&) = delete;
  virtual ~PictureSource() = default;

  [[nodiscard]] const std::string& name() const { return name_; }

  /// Waits for the first picture, at most until `deadline`; false: not yet. Errors: the file has none.
  [[nodiscard]] virtual Result<bool> is_ready(SteadyTime deadline) = 0;

  /// Paints a picture over all of `output`.
  [[nodiscard]] virtual PaintedPicture paint(const PictureRequest& request,
                                             media::WritableFrame output,
                                             const std::stop_token& stop) = 0;

  [[nodiscard]] virtual const SourceReport& report() const = 0;

  /// Why no new pictures come, for people; empty: they do.
  [[nodiscard]] virtual std::string trouble() const { return {}; }

  /// Tries a file again that was given up.
  virtual void try_again() {}

  /// Frames that it may hold besides the caller's.
  [[nodiscard]] virtual std::size_t frames_retained() const { return 0; }

 private:
  const std::string name_;
};

/// What a source is opened for.
struct SourceSetup {
  std::string slot;              ///< "left.clip"
  Size size;                     ///< of the frames that it paints
  EventSink* events = nullptr;   ///< outlives the source
  const Clock* clock = nullptr;  ///< the same
};

/// Opens sources. Errors: a file that cannot be read; where a source opens in the background, its is_ready()
/// tells.
class SourceOpener {
 public:
  using Open = std::function<Result<std::unique_ptr<PictureSource>>(OpenFile, const SourceSetup&)>;

  /// Decodes in this process, on the caller's thread.
  SourceOpener();
  /// Decodes in other processes, which fill the frames: pools then lie in shared memory.
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

/// How long a file may take until its first picture is there: it may come from a slow disk.
inline constexpr std::chrono::seconds kSourcePatience{10};

/// Opens a source and waits until it is ready.
[[nodiscard]] Result<std::unique_ptr<PictureSource>> open_ready(const SourceOpener& opener,
                                                                Result<OpenFile> file,
                                                                const SourceSetup& setup);

}  // namespace submix::io
