// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/record.hpp"

#include "node/io/parameters.hpp"
#include "node/io/recording.hpp"
#include "node/io/video_encoder.hpp"

#include <atomic>
#include <system_error>
#include <utility>

namespace submix::io {
namespace {

using plugin::ParameterType;

class Record final : public plugin::Plugin {
 public:
  Record(const plugin::Setup& setup, MediaFolders folders) : setup_(setup), folders_(std::move(folders)) {}
  ~Record() override { end(); }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  /// Starts a new recording as the parameters say. Fails without an encoder; a file that cannot be made is
  /// only reported.
  Result<void> begin() {
    const auto codec = record_codec_named(parameter<std::string>(setup_.parameters, "codec"));
    auto encoder = VideoEncoder::open(codec, setup_.size, setup_.rate);
    if (!encoder) return tl::unexpected(encoder.error());
    path_ = resolve(folders_.recordings, parameter<std::string>(setup_.parameters, "file"));
    const auto keep_seconds = parameter<double>(setup_.parameters, "keep_last_seconds");
    TrackFormat track{encoder->parameters(), encoder->time_base()};
    if (keep_seconds > 0) {
      save_leftovers();
    } else {
      set_aside();
    }
    auto recording = keep_seconds > 0 ? RollingRecording::create(path_, std::move(track), keep_seconds)
                                      : WholeRecording::create(path_, track);
    if (!recording) {
      report(Severity::fault, fmt::format("{}; nothing is recorded", recording.error().message));
      return {};
    }
    encoder_.emplace(std::move(*encoder));
    recording_ = std::move(*recording);
    return {};
  }

  std::optional<media::Frame> process(plugin::Work& work) override {
    const auto& input = work.inputs.front();
    if (recording_ && parameter<bool>(setup_.parameters, "recording")) {
      const auto written = encoder_->encode(input, recording_->wants_key(), sink());
      if (written) {
        frames_.fetch_add(1, std::memory_order_relaxed);
      } else {
        report(Severity::fault,
               fmt::format("{}; the recording ends here, the show goes on", written.error().message));
        end();
      }
    }
    return input;
  }

  void set(std::string_view name, const show::ParameterValue& value) override {
    setup_.parameters.insert_or_assign(std::string(name), value);
    if (name == "recording") return;
    end();
    if (const auto begun = begin(); !begun) report(Severity::fault, begun.error().message);
  }

  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    return {{"recorded", frames_.load(std::memory_order_relaxed)}};
  }

 private:
  VideoEncoder::Sink sink() {
    return [this](AVPacket& packet) { return recording_->write(packet); };
  }

  /// Completes the file. Does nothing when none is being written.
  void end() {
    if (!recording_) return;
    const auto flushed = encoder_->finish(sink());
    const auto finished = recording_->finish();
    recording_.reset();
    encoder_.reset();
    if (!finished) return report(Severity::fault, finished.error().message);
    if (!flushed) return report(Severity::fault, flushed.error().message);
    std::error_code ignored;
    if (!std::filesystem::exists(path_, ignored)) return;  // no frame came
    report(Severity::note, fmt::format("recorded to {}", path_.string()));
  }

  void save_leftovers() {
    const auto joined = join_leftover_parts(path_);
    if (!joined) return report(Severity::warning, joined.error().message);
    if (joined->empty()) return;
    report(Severity::note, fmt::format("{} was not finished by the process before; it is now {}",
                                       path_.string(), joined->string()));
  }

  void set_aside() {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path_, error)) return;
    const auto aside = numbered_beside(path_);
    std::filesystem::rename(path_, aside, error);
    if (error) return;  // making the new file will fail as well, and say why
    report(Severity::note, fmt::format("{} was there already; it is now {}", path_.string(), aside.string()));
  }

  void report(Severity severity, std::string text) {
    if (setup_.events != nullptr) setup_.events->report(severity, setup_.about(), std::move(text));
  }

  plugin::Setup setup_;
  MediaFolders folders_;
  std::filesystem::path path_;
  std::optional<VideoEncoder> encoder_;  // both there, or neither
  std::unique_ptr<Recording> recording_;
  std::atomic<std::uint64_t> frames_{0};
};

}  // namespace

plugin::Description record_description() {
  return {.id = "record",
          .kind = plugin::Kind::output,
          .explanation = "Records every frame to a Matroska file, and passes it on",
          .author = "Submix",
          .parameters = {
              {"file", ParameterType::text, "absolute or below the node's folder for recordings",
               std::string("recording.mkv")},
              {"codec", ParameterType::text,
               "huffyuv (lossless, least work), ffv1 (lossless, half the size, five times the work), h264 or "
               "mjpeg",
               std::string("huffyuv"), 0.0, 1.0, record_codec_names()},
              {"keep_last_seconds", ParameterType::number, "keeps only the end of the show; 0: all of it",
               0.0, 0.0, 3600.0},
              {"recording", ParameterType::boolean, "off: frames pass and are not recorded", true},
          }};
}

Result<std::unique_ptr<plugin::Plugin>> make_record(const plugin::Setup& setup, const MediaFolders& folders) {
  if (parameter<std::string>(setup.parameters, "file").empty()) {
    return fail("{}: no file is named; set its parameter file", setup.about());
  }
  auto record = std::make_unique<Record>(setup, folders);
  if (auto begun = record->begin(); !begun) return fail("{}: {}", setup.about(), begun.error().message);
  return record;
}

}  // namespace submix::io
