// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/record.hpp"

#include "common/base/mutex.hpp"
#include "node/io/parameters.hpp"
#include "node/io/recording.hpp"
#include "node/io/video_encoder.hpp"

#include <atomic>
#include <set>
#include <system_error>
#include <utility>

namespace submix::io {
namespace {

using plugin::ParameterType;

/// The files that this process records to. Synchronized.
class RecordedFiles {
 public:
  static RecordedFiles& of_this_process() {
    static RecordedFiles files;
    return files;
  }
  /// False: another one has it.
  [[nodiscard]] bool claim(const std::filesystem::path& path) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return claimed_.insert(path).second;
  }
  void release(const std::filesystem::path& path) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    claimed_.erase(path);
  }

 private:
  Mutex mutex_;
  std::set<std::filesystem::path> claimed_ SUBMIX_GUARDED_BY(mutex_);
};

class Record final : public plugin::Plugin {
 public:
  Record(const plugin::Setup& setup, MediaFolders folders) : setup_(setup), folders_(std::move(folders)) {}
  ~Record() override { end(); }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  /// Starts a new recording as the parameters say. Fails without an encoder; a file that cannot be made is
  /// only reported. A file that another one records to is left to that until the first frame: this may be the
  /// next patch's, that one the former's.
  Result<void> prepare() {
    const auto codec = record_codec_named(parameter<std::string>(setup_.parameters, "codec"));
    auto encoder = VideoEncoder::open(codec, setup_.size, setup_.rate);
    if (!encoder) return tl::unexpected(encoder.error());
    path_ = resolve(folders_.recordings, parameter<std::string>(setup_.parameters, "file"));
    encoder_.emplace(std::move(*encoder));
    has_claim_ = RecordedFiles::of_this_process().claim(path_);
    if (has_claim_) begin();
    return {};
  }

  std::optional<media::Frame> process(plugin::Work& work) override {
    const auto& input = work.inputs.front();
    const bool is_wanted = encoder_ && parameter<bool>(setup_.parameters, "recording");
    if (is_wanted && !recording_) take_over_file();
    if (is_wanted && recording_) {
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
    if (const auto prepared = prepare(); !prepared) report(Severity::fault, prepared.error().message);
  }

  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    return {{"recorded", frames_.load(std::memory_order_relaxed)}};
  }

 private:
  VideoEncoder::Sink sink() {
    return [this](AVPacket& packet) { return recording_->write(packet); };
  }

  // A file as a whole is set aside, and who writes it goes on in it. Parts are not.
  void take_over_file() {
    has_claim_ = RecordedFiles::of_this_process().claim(path_);
    const bool is_rolling = parameter<double>(setup_.parameters, "keep_last_seconds") > 0;
    if (has_claim_ || !is_rolling) return begin();
    if (std::exchange(is_told_, true)) return;
    report(Severity::warning, fmt::format("{} is recorded to by another slot: nothing is recorded until that "
                                          "one ends; name another file",
                                          path_.string()));
  }

  void begin() {
    const auto keep_seconds = parameter<double>(setup_.parameters, "keep_last_seconds");
    TrackFormat track{encoder_->parameters(), encoder_->time_base()};
    if (keep_seconds > 0) {
      save_leftovers();
    } else {
      set_aside();
    }
    auto recording = keep_seconds > 0 ? RollingRecording::create(path_, std::move(track), keep_seconds)
                                      : WholeRecording::create(path_, track);
    if (recording) {
      recording_ = std::move(*recording);
    } else {
      report(Severity::fault, fmt::format("{}; nothing is recorded", recording.error().message));
      encoder_.reset();
    }
  }

  /// Completes the file. Does nothing when none is being written.
  void end() {
    finish();
    recording_.reset();
    encoder_.reset();
    if (std::exchange(has_claim_, false)) RecordedFiles::of_this_process().release(path_);
  }

  void finish() {
    if (!recording_) return;
    const auto flushed = encoder_->finish(sink());
    const auto finished = recording_->finish();
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
  std::optional<VideoEncoder> encoder_;   // none: nothing can be recorded
  std::unique_ptr<Recording> recording_;  // none, with an encoder: the file is another one's
  bool has_claim_ = false;                // to the file
  bool is_told_ = false;                  // that it waits for that
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
  if (auto prepared = record->prepare(); !prepared)
    return fail("{}: {}", setup.about(), prepared.error().message);
  return record;
}

}  // namespace submix::io
