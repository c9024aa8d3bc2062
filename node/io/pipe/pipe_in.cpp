// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/pipe/pipe_in.hpp"

#include "common/base/mutex.hpp"
#include "common/base/thread.hpp"
#include "common/show/pipe_plugins.hpp"
#include "node/io/ffmpeg.hpp"
#include "node/io/ffmpeg_log.hpp"
#include "node/io/picture_fit.hpp"
#include "node/io/pipe/picture_stream.hpp"
#include "node/io/pipe/pipe_status.hpp"

#include <fmt/format.h>

extern "C" {
#include <libavutil/imgutils.h>
}

#include <algorithm>
#include <deque>
#include <memory>
#include <thread>
#include <utility>

namespace submix::io {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

constexpr std::size_t kPicturesWaiting = 3;
// The most that the stream catches up. Catching up more would leave out too many pictures.
constexpr std::chrono::seconds kLatenessMax(1);
// Pictures that are less late are all shown, so a short hiccup loses none.
constexpr std::chrono::milliseconds kHiccupMax(150);
// Times of pictures may be rounded to milliseconds.
constexpr std::chrono::milliseconds kRounding(1);

struct Painted {
  std::vector<std::uint8_t> rgba;
  nanoseconds time{0};
};

/// The pipe of this process: a thread reads and paints pictures before their frames. Instances of
/// the plugin use it one after the other.
///
/// Threads  Synchronized.
class PipeInput {
 public:
  explicit PipeInput(const PipeOptions& options)
      : options_(options),
        status_(options.status),
        stream_(options),
        thread_(start_thread("pipe-in", [this](const std::stop_token& stop) { read(stop); })) {}

  /// Pictures are painted in this size from now on.
  void set_size(Size size) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (size == size_) return;
    size_ = size;
    waiting_.clear();
    shown_.clear();
    changed_.notify_all();
  }

  /// Paints the next frame. False: asked to stop.
  bool paint(std::span<std::uint8_t> rgba, FrameRate rate, const plugin::Work& work)
      SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (options_.is_lossless) {
      if (!wait_for_picture(work)) return false;
      if (!waiting_.empty()) show_next();
    } else {
      show_due(rate);
    }
    if (shown_.size() == rgba.size()) {
      std::ranges::copy(shown_, rgba.begin());
    } else {
      std::ranges::fill(rgba, std::uint8_t{0});
    }
    tell(rate);
    return true;
  }

 private:
  void read(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_) {
    const auto done = read_pictures(stop);
    if (stop.stop_requested()) return;
    const MutexLock lock(mutex_);
    is_over_ = true;
    if (!done) failure_ = done.error().message;
    // Before the first frame nothing else would report it.
    if (!done && size_ == Size()) status_.broken(failure_);
    changed_.notify_all();
  }

  Result<void> read_pictures(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_) {
    const auto shape = stream_.open(stop);
    SUBMIX_TRY(shape);
    if (!*shape) return {};
    std::vector<std::uint8_t> pixels;
    for (bool is_first = true;; is_first = false) {
      const auto time = stream_.next(pixels, stop);
      SUBMIX_TRY(time);
      if (!*time)
        return is_first && !stop.stop_requested()
                   ? Result<void>(fail("the stream ends before its first picture"))
                   : Result<void>();
      if (is_first) tell_shape(**shape);
      SUBMIX_TRY(add(**shape, pixels, **time, stop));
    }
  }

  void tell_shape(const PictureShape& shape) const {
    status_.write_line(fmt::format("picture {}x{} {}/{} {}", shape.size.width, shape.size.height,
                                   shape.rate->numerator, shape.rate->denominator,
                                   to_string(shape.format)));
  }

  /// Paints a picture as soon as there is room for it.
  Result<void> add(const PictureShape& shape, const std::vector<std::uint8_t>& pixels,
                   nanoseconds time, const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_) {
    Size size;
    Painted painted;
    {
      const MutexLock lock(mutex_);
      changed_.wait(mutex_, stop, [this]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS {
        return size_ != Size() && waiting_.size() < kPicturesWaiting;
      });
      if (stop.stop_requested()) return {};
      size = size_;
      painted.rgba = std::move(spare_);
    }
    painted.time = time;
    painted.rgba.resize(size.pixels() * media::kBytesPerRgbaPixel);
    SUBMIX_TRY(paint_picture(shape, pixels, size, painted.rgba));
    const MutexLock lock(mutex_);
    if (size == size_) waiting_.push_back(std::move(painted));
    changed_.notify_all();
    return {};
  }

  Result<void> paint_picture(const PictureShape& shape, const std::vector<std::uint8_t>& pixels,
                             Size size, std::span<std::uint8_t> rgba) {
    if (!painter_ || painter_size_ != size) {
      painter_.emplace(size, Fit::letterbox);
      painter_size_ = size;
    }
    const auto picture = make_frame();
    picture->width = shape.size.width;
    picture->height = shape.size.height;
    picture->format = shape.pixel_format;
    picture->color_range = shape.has_full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_UNSPECIFIED;
    picture->sample_aspect_ratio = {shape.aspect_numerator, shape.aspect_denominator};
    av_image_fill_arrays(picture->data, picture->linesize, pixels.data(),
                         static_cast<AVPixelFormat>(shape.pixel_format), shape.size.width,
                         shape.size.height, 1);
    return painter_->paint(*picture, rgba);
  }

  // Without a limit: the user has chosen that the show waits.
  bool wait_for_picture(const plugin::Work& work) SUBMIX_REQUIRES(mutex_) {
    if (!waiting_.empty() || is_over_) return true;
    const plugin::Waiting waiting(work, plugin::StageState::starved);
    return changed_.wait(mutex_, work.stop, [this]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS {
      return !waiting_.empty() || is_over_;
    });
  }

  void show_due(FrameRate rate) SUBMIX_REQUIRES(mutex_) {
    if (waiting_.empty() && !has_begun()) return;
    if (!has_begun()) begin_ = waiting_.front().time;
    const auto time = begin_ + rate.time_of({frames_++}) + kRounding;
    bool is_new = false;
    while (!waiting_.empty()) {
      const auto late = time - waiting_.front().time;
      if (late < (is_new ? kHiccupMax : nanoseconds(0))) break;
      if (late > kLatenessMax) begin_ -= late - kLatenessMax;
      if (std::exchange(is_new, true)) ++left_out_;
      show_next();
    }
  }

  [[nodiscard]] bool has_begun() const SUBMIX_REQUIRES(mutex_) { return taken_pictures_ > 0; }

  void show_next() SUBMIX_REQUIRES(mutex_) {
    spare_ = std::exchange(shown_, std::move(waiting_.front().rgba));
    waiting_.pop_front();
    ++taken_pictures_;
    changed_.notify_all();
  }

  void tell(FrameRate rate) SUBMIX_REQUIRES(mutex_) {
    const auto now = steady_clock::now();
    if (now - counted_ >= PipeStatus::kCountPeriod) {
      counted_ = now;
      status_.count(taken_pictures_ - left_out_, left_out_);
    }
    if (!is_over_ || !waiting_.empty()) return;
    // The last frames reach the mix within a second.
    if (++frames_after_end_ != static_cast<std::uint64_t>(rate.frames_per_second()) + 1) return;
    status_.count(taken_pictures_ - left_out_, left_out_);
    if (failure_.empty()) {
      status_.over();
    } else {
      status_.broken(failure_);
    }
  }

  const PipeOptions options_;
  const PipeStatus status_;
  PictureStream stream_;                   // of the thread
  std::optional<PicturePainter> painter_;  // of the thread
  Size painter_size_;                      // of the thread
  Mutex mutex_;
  Condition changed_;
  Size size_ SUBMIX_GUARDED_BY(mutex_);  // of frames; 0x0: no frame was made yet
  std::deque<Painted> waiting_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<std::uint8_t> shown_ SUBMIX_GUARDED_BY(mutex_);  // empty: no picture yet
  std::vector<std::uint8_t> spare_ SUBMIX_GUARDED_BY(mutex_);  // for the next picture
  nanoseconds begin_ SUBMIX_GUARDED_BY(mutex_){0};             // the picture's time at frame 0
  std::uint64_t frames_ SUBMIX_GUARDED_BY(mutex_) = 0;         // since the first picture
  std::uint64_t frames_after_end_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::uint64_t taken_pictures_ SUBMIX_GUARDED_BY(mutex_) = 0;  // shown or left out
  std::uint64_t left_out_ SUBMIX_GUARDED_BY(mutex_) = 0;
  steady_clock::time_point counted_ SUBMIX_GUARDED_BY(mutex_);
  bool is_over_ SUBMIX_GUARDED_BY(mutex_) = false;
  std::string failure_ SUBMIX_GUARDED_BY(mutex_);
  std::jthread thread_;  // the last: it uses all others
};

class PipeIn final : public plugin::Plugin {
 public:
  PipeIn(const plugin::Setup& setup, std::shared_ptr<PipeInput> input)
      : size_(setup.size), rate_(setup.rate), input_(std::move(input)) {}

  std::optional<media::Frame> process(plugin::Work& work) override {
    input_->set_size(size_);
    auto output = work.acquire_output();
    if (!output || !input_->paint(output->rgba(), rate_, work)) return std::nullopt;
    return std::move(*output).publish();
  }

  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  const Size size_;
  const FrameRate rate_;
  const std::shared_ptr<PipeInput> input_;
};

}  // namespace

void add_pipe_in(plugin::Catalog& catalog, const PipeOptions& options) {
  silence_ffmpeg();
  auto input = std::make_shared<PipeInput>(options);
  catalog.add({.id = std::string(show::kPipeInPlugin),
               .kind = plugin::Kind::source,
               .explanation = "Shows the pictures at the standard input of submix pipe",
               .author = "Submix"},
              [input = std::move(input)](
                  const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
                return std::make_unique<PipeIn>(setup, input);
              });
}

}  // namespace submix::io
