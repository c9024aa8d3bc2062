// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip.hpp"

#include "node/io/clip_timeline.hpp"
#include "node/io/parameters.hpp"
#include "node/io/picture_fit.hpp"
#include "node/io/playhead.hpp"

#include <atomic>
#include <cstring>
#include <utility>

namespace submix::io {
namespace {

using plugin::ParameterType;

// Learning where the clip ends may change which moment a frame shows, and that one may be learned of too.
constexpr int kEndCorrectionsMax = 3;

class Clip final : public plugin::Plugin {
 public:
  Clip(const plugin::Setup& setup, MediaFolders folders, Playhead playhead)
      : setup_(setup),
        folders_(std::move(folders)),
        playhead_(std::move(playhead)),
        timeline_(setup.rate),
        painter_(setup.size, fit_named(parameter<std::string>(setup.parameters, "fit"))) {
    timeline_.set_loop(parameter<bool>(setup.parameters, "loop"));
    timeline_.set_speed(parameter<double>(setup.parameters, "speed"), {});
    set_range();
  }

  std::optional<media::Frame> process(plugin::Work& work) override {
    if (!std::exchange(has_begun_, true)) timeline_.begin_at(work.first);
    const auto& picture = find_picture(work.stamp.index, work.stop);
    next_index_ = work.stamp.index.next();
    report_damage();
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    paint(picture, *output);
    last_ = std::move(*output).publish();
    return last_;
  }

  void set(std::string_view name, const show::ParameterValue& value) override {
    setup_.parameters.insert_or_assign(std::string(name), value);
    if (name == "file") open_file();
    if (name == "loop") timeline_.set_loop(std::get<bool>(value));
    if (name == "speed") timeline_.set_speed(std::get<double>(value), next_index_);
    if (name == "in" || name == "out") set_range();
    if (name == "fit") {
      painter_.set_fit(fit_named(std::get<std::string>(value)));
      last_ = {};
    }
  }

  std::size_t frames_retained() const override { return 1; }

  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    return {{"damaged", damaged_.load(std::memory_order_relaxed)}};
  }

 private:
  void set_range() {
    timeline_.set_range(
        {parameter<double>(setup_.parameters, "in"), parameter<double>(setup_.parameters, "out")});
  }

  void open_file() {
    const auto path = resolve(folders_.media, parameter<std::string>(setup_.parameters, "file"));
    auto reader = VideoReader::open(path);
    if (!reader) {
      return report(Severity::warning,
                    fmt::format("{}; the clip before it plays on", reader.error().message));
    }
    playhead_ = Playhead(std::move(*reader));
    last_ = {};
    has_reported_damage_ = has_reported_cut_ = false;
  }

  const ClipPicture& find_picture(FrameIndex index, const std::stop_token& stop) {
    const ClipPicture* picture = nullptr;
    for (int i = 0; i < kEndCorrectionsMax; ++i) {
      const auto seconds = timeline_.seconds_at(index, playhead_.length());
      picture = &playhead_.picture_at(seconds, stop);
      if (seconds == timeline_.seconds_at(index, playhead_.length())) break;
    }
    return *picture;
  }

  void paint(const ClipPicture& picture, media::WritableFrame& output) {
    if (last_ && picture.serial == painted_serial_) {  // the same picture again: cheaper to copy
      std::memcpy(output.rgba().data(), last_.rgba().data(), output.rgba().size());
      return;
    }
    painted_serial_ = picture.serial;
    const auto painted = painter_.paint(*picture.frame, output.rgba());
    if (painted) return;
    std::memset(output.rgba().data(), 0, output.rgba().size());
    if (!std::exchange(has_reported_format_, true)) report(Severity::fault, painted.error().message);
  }

  void report_damage() {
    damaged_.store(playhead_.reader().faults(), std::memory_order_relaxed);
    const auto& path = playhead_.reader().path().string();
    if (const auto at = playhead_.damaged_at(); at && !std::exchange(has_reported_damage_, true)) {
      report(Severity::warning,
             fmt::format("clip {}: damaged at {:.2f} s; the last good picture is held there", path, *at));
    }
    const auto missing = playhead_.missing_seconds();
    if (missing > 0 && !std::exchange(has_reported_cut_, true)) {
      const auto end = playhead_.length().end_seconds;
      report(Severity::warning,
             fmt::format("clip {}: cut off at {:.2f} s, its header says {:.2f} s; it ends there", path, end,
                         end + missing));
    }
  }

  void report(Severity severity, std::string text) {
    if (setup_.events != nullptr) setup_.events->report(severity, setup_.about(), std::move(text));
  }

  plugin::Setup setup_;
  MediaFolders folders_;
  Playhead playhead_;
  ClipTimeline timeline_;
  PicturePainter painter_;
  FrameIndex next_index_;  // where a change of speed takes hold
  media::Frame last_;      // as painted
  std::uint64_t painted_serial_ = 0;
  bool has_begun_ = false;
  bool has_reported_damage_ = false;
  bool has_reported_cut_ = false;
  bool has_reported_format_ = false;
  std::atomic<std::uint64_t> damaged_{0};
};

Result<void> check_range(const plugin::Setup& setup, const VideoReader& reader) {
  const auto in = parameter<double>(setup.parameters, "in");
  const auto out = parameter<double>(setup.parameters, "out");
  const auto end = reader.duration_seconds();
  if (out > 0 && out <= in)
    return fail("{}: in point {} s is not before the out point {} s", setup.about(), in, out);
  if (end > 0 && in >= end) {
    return fail("{}: in point {} s is past the end of {}, at {:.2f} s", setup.about(), in,
                reader.path().string(), end);
  }
  return {};
}

}  // namespace

plugin::Description clip_description() {
  return {.id = "clip",
          .kind = plugin::Kind::source,
          .explanation = "Plays a video file",
          .author = "Submix",
          .parameters = {
              {"file", ParameterType::text, "the video, absolute or below the node's media folder",
               std::string()},
              {"loop", ParameterType::boolean, "starts again at the end; else holds the last picture", true},
              {"speed", ParameterType::number, "1 is as recorded, 0 freezes", 1.0, 0.0, 100.0},
              {"in", ParameterType::number, "first moment to play, in seconds", 0.0, 0.0, 86400.0},
              {"out", ParameterType::number, "moment to end before, in seconds; 0: the clip's end", 0.0, 0.0,
               86400.0},
              {"fit", ParameterType::text, "letterbox (black bars), fill (cut the edges) or stretch",
               std::string("letterbox"), 0.0, 1.0, fit_names()},
          }};
}

Result<std::unique_ptr<plugin::Plugin>> make_clip(const plugin::Setup& setup, const MediaFolders& folders) {
  const auto& file = parameter<std::string>(setup.parameters, "file");
  if (file.empty()) return fail("{}: no clip is named; set its parameter file", setup.about());
  auto reader = VideoReader::open(resolve(folders.media, file));
  if (!reader) return fail("{}: clip {}", setup.about(), reader.error().message);
  if (auto checked = check_range(setup, *reader); !checked) return tl::unexpected(checked.error());
  return std::make_unique<Clip>(setup, folders, Playhead(std::move(*reader)));
}

}  // namespace submix::io
