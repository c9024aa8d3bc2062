// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/pipe/pipe_out.hpp"

#include "common/base/mutex.hpp"
#include "common/media/pixels.hpp"
#include "common/media/scaler.hpp"
#include "common/show/pipe_plugins.hpp"
#include "node/io/pipe/picture_headers.hpp"
#include "node/io/pipe/pipe_bytes.hpp"
#include "node/io/pipe/pipe_status.hpp"
#include "node/plugin/strip.hpp"

#include <fmt/format.h>

extern "C" {
#include <libavutil/pixfmt.h>
}

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>

namespace submix::io {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr milliseconds kWritePollPeriod(20);
// A plugin that is asked to stop has 100 ms. A working reader gets the rest of its picture in this
// time.
constexpr milliseconds kFarewell(60);

/// Numbers pictures by their times in the show, so frames that are left out leave a gap.
class PictureNumbers {
 public:
  std::uint64_t next(nanoseconds time, FrameRate rate) {
    const auto place =
        std::llround(static_cast<double>(time.count()) * 1e-9 * rate.frames_per_second());
    const auto gap_max = std::llround(kGapMaxSeconds * rate.frames_per_second());
    const auto number = place + offset_;
    const bool goes_on = last_ >= 0 && number > last_ && number <= last_ + gap_max;
    // A held input repeats its time. A restarted one begins at 0 again.
    if (!goes_on) offset_ = last_ + 1 - place;
    last_ = place + offset_;
    return static_cast<std::uint64_t>(last_);
  }

 private:
  static constexpr double kGapMaxSeconds = 60;
  long long last_ = -1;
  long long offset_ = 0;
};

/// The pipe of this process. Instances of the plugin use it one after the other.
///
/// Threads  Synchronized. A writer waits for another one.
class PipeOutput {
 public:
  explicit PipeOutput(const PipeOptions& options)
      : format_(options.format), status_(options.status), sink_(options.data) {}

  ~PipeOutput() {
    const MutexLock lock(mutex_);
    if (!is_closed_) status_.count(pictures_, 0);
  }
  PipeOutput(const PipeOutput&) = delete;
  PipeOutput& operator=(const PipeOutput&) = delete;

  void write(const media::Frame& frame, FrameRate rate, const std::stop_token& stop)
      SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (is_closed_) return;
    if (!flush(stop)) return;  // the rest of a picture from before a stop
    if (!begin(frame.size(), rate)) return;
    if (encode(frame, rate) && flush(stop)) count();
  }

 private:
  /// Whether pictures of this size and rate can be written. The first picture decides.
  bool begin(Size size, FrameRate rate) SUBMIX_REQUIRES(mutex_) {
    if (size_ == Size()) {
      size_ = size;
      rate_ = rate;
      header_ = header();
      return true;
    }
    if (size == size_ && (rate == rate_ || format_ == PipeFormat::raw)) return true;
    end(
        fmt::format("the show has now {}x{} at {:.6g} a second, and the pipe began with {}x{} at "
                    "{:.6g}; begin it again",
                    size.width, size.height, rate.frames_per_second(), size_.width, size_.height,
                    rate_.frames_per_second()));
    return false;
  }

  [[nodiscard]] std::vector<std::uint8_t> header() const SUBMIX_REQUIRES(mutex_) {
    if (format_ == PipeFormat::matroska) return matroska_header(size_, rate_);
    if (format_ != PipeFormat::y4m) return {};
    const auto line = y4m_header(size_, rate_);
    return {line.begin(), line.end()};
  }

  /// Puts the picture's bytes, and the header before them, into bytes_. False: the pipe ends.
  [[nodiscard]] bool encode(const media::Frame& frame, FrameRate rate) SUBMIX_REQUIRES(mutex_) {
    auto head = std::exchange(header_, {});
    const auto picture_bytes = frame.size().pixels() * media::kBytesPerRgb24Pixel;
    if (format_ == PipeFormat::matroska) {
      const auto number = numbers_.next(frame.stamp().pts, rate);
      const auto time = std::chrono::round<milliseconds>(rate.time_of({number}));
      const auto cluster = matroska_cluster(picture_bytes, time);
      head.insert(head.end(), cluster.begin(), cluster.end());
    } else if (format_ == PipeFormat::y4m) {
      head.insert(head.end(), kY4mFrame.begin(), kY4mFrame.end());
    }
    bytes_.resize(head.size() + picture_bytes);
    std::ranges::copy(head, bytes_.begin());
    const auto pixels = std::span(bytes_).subspan(head.size());
    if (format_ == PipeFormat::y4m) {
      if (!encode_planes(frame, pixels)) return false;
    } else {
      media::pack_rgb24(frame.rgba(), pixels);
    }
    left_ = bytes_;
    return true;
  }

  [[nodiscard]] bool encode_planes(const media::Frame& frame, std::span<std::uint8_t> pixels)
      SUBMIX_REQUIRES(mutex_) {
    media::TargetPicture target{frame.size(), AV_PIX_FMT_YUV444P, {}, {}, false};
    for (std::size_t plane = 0; plane < 3; ++plane) {
      target.planes[plane] = pixels.subspan(plane * frame.size().pixels()).data();
      target.strides_bytes[plane] = frame.size().width;
    }
    const auto done = scaler_.convert(media::source_picture(frame), target);
    return done || end(done.error().message);
  }

  /// False: bytes are left for the next call, or nobody reads any more.
  bool flush(const std::stop_token& stop) SUBMIX_REQUIRES(mutex_) {
    auto deadline = std::chrono::steady_clock::time_point::max();
    while (!left_.empty()) {
      const auto written = sink_.write(left_, kWritePollPeriod);
      if (!written) return end(written.error().message);
      if (*written == PipeSink::Outcome::closed) return end({});
      const auto now = std::chrono::steady_clock::now();
      if (stop.stop_requested() &&
          now >= std::exchange(deadline, std::min(deadline, now + kFarewell)))
        return false;
    }
    return true;
  }

  void count() SUBMIX_REQUIRES(mutex_) {
    ++pictures_;
    const auto now = std::chrono::steady_clock::now();
    if (now - counted_ < PipeStatus::kCountPeriod) return;
    counted_ = now;
    status_.count(pictures_, 0);
  }

  bool end(const std::string& reason) SUBMIX_REQUIRES(mutex_) {
    is_closed_ = true;
    left_ = {};
    status_.count(pictures_, 0);
    if (reason.empty()) {
      status_.over();
    } else {
      status_.broken(reason);
    }
    return false;
  }

  const PipeFormat format_;
  const PipeStatus status_;
  Mutex mutex_;
  PipeSink sink_ SUBMIX_GUARDED_BY(mutex_);
  media::Scaler scaler_ SUBMIX_GUARDED_BY(mutex_);
  Size size_ SUBMIX_GUARDED_BY(mutex_);  // of all pictures; 0x0: none came yet
  FrameRate rate_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<std::uint8_t> header_ SUBMIX_GUARDED_BY(mutex_);  // not written yet
  std::vector<std::uint8_t> bytes_ SUBMIX_GUARDED_BY(mutex_);
  std::span<const std::uint8_t> left_ SUBMIX_GUARDED_BY(mutex_);  // of bytes_: not written yet
  PictureNumbers numbers_ SUBMIX_GUARDED_BY(mutex_);
  std::uint64_t pictures_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::chrono::steady_clock::time_point counted_ SUBMIX_GUARDED_BY(mutex_);
  bool is_closed_ SUBMIX_GUARDED_BY(mutex_) = false;
};

/// Distinguishes a new picture from a held one. A removed stream holds its last picture.
class LastPicture {
 public:
  /// Whether `frame` differs from the previous picture.
  bool see(const media::Frame& frame) {
    // The stamp alone is not enough: a mixer's frames may all have the stamp of a held input. Nor
    // is the seat, which is used again.
    const Identity identity{frame.stamp().epoch, frame.stamp().index, frame.rgba().data()};
    return std::exchange(last_, identity) != identity;
  }

 private:
  using Identity = std::tuple<std::uint64_t, FrameIndex, const void*>;
  Identity last_;
};

class PipeOut final : public plugin::Plugin {
 public:
  PipeOut(const plugin::Setup& setup, std::shared_ptr<PipeOutput> output)
      : rate_(setup.rate), output_(std::move(output)) {}

  std::optional<media::Frame> process(plugin::Work& work) override {
    const auto& input = work.inputs.front();
    const plugin::Waiting waiting(work, plugin::StageState::blocked);
    is_new_ = input.stamp().epoch != plugin::kStandInEpoch && last_.see(input);
    if (is_new_) output_->write(input, rate_, work.stop);
    return input;
  }

  void set(std::string_view, const show::ParameterValue&) override {}

  // The stream's policy and the reader set the pace. An input without new pictures sets none.
  plugin::Pace pace() const override {
    return is_new_ ? plugin::Pace::display : plugin::Pace::show;
  }

 private:
  const FrameRate rate_;
  const std::shared_ptr<PipeOutput> output_;
  LastPicture last_;
  bool is_new_ = true;
};

}  // namespace

void add_pipe_out(plugin::Catalog& catalog, const PipeOptions& options) {
  auto output = std::make_shared<PipeOutput>(options);
  catalog.add({.id = std::string(show::kPipeOutPlugin),
               .kind = plugin::Kind::output,
               .explanation = "Writes the picture to the standard output of submix pipe",
               .author = "Submix"},
              [output = std::move(output)](
                  const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
                return std::make_unique<PipeOut>(setup, output);
              });
}

}  // namespace submix::io
