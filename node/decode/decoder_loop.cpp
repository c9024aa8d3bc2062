// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/decode/decoder_loop.hpp"

#include "common/media/frame.hpp"
#include "node/host/channel.hpp"
#include "node/host/confinement.hpp"
#include "node/host/host_views.hpp"
#include "node/host/job_loop.hpp"
#include "node/io/clip/local_source.hpp"
#include "node/io/sound/sound_track.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace submix::decode {
namespace {

// Address space for libraries and for a decoder's own pictures: an 8K film keeps about 30 of them.
constexpr std::size_t kDecodingBytesMax = std::size_t{4} << 30U;

io::Course course_of(const host::DecodeRequest& request) {
  return {.seconds = request.seconds,
          .step_seconds = request.step_seconds,
          .in_seconds = request.in_seconds,
          .out_seconds = request.out_seconds,
          .is_looping = request.is_looping};
}

host::DecodedPicture as_decoded(const io::SourceReport& report) {
  host::DecodedPicture decoded;
  decoded.serial = report.serial;
  decoded.is_unpaintable = report.is_unpaintable;
  decoded.has_damage = report.damaged_at.has_value();
  decoded.width = static_cast<std::uint32_t>(report.own_size.width);
  decoded.height = static_cast<std::uint32_t>(report.own_size.height);
  decoded.end_seconds = report.length.end_seconds;
  decoded.picture_seconds = report.length.picture_seconds;
  decoded.missing_seconds = report.missing_seconds;
  decoded.damaged_at_seconds = report.damaged_at.value_or(0);
  decoded.faults = report.faults;
  decoded.decoding_ns = report.decoding.count();
  decoded.decoding_cpu_ns = report.decoding_cpu.count();
  decoded.decoded = report.decoded;
  decoded.stuck_ns = report.stuck.count();
  decoded.is_series = report.series.has_value();
  const auto numbers = report.series.value_or(show::SeriesNumbers());
  decoded.first_number = numbers.first;
  decoded.last_number = numbers.last;
  decoded.number_beyond = numbers.beyond;
  report.codec.copy(decoded.codec.data(), decoded.codec.size() - 1);
  return decoded;
}

class Decoder final : public host::JobHandler {
 public:
  explicit Decoder(const host::HostTask& task) : size_(task.size), views_(task.size) {}

  // The file comes first, and says what this process may read. Nothing of it is read before.
  Result<void> begin() override { return {}; }

  Result<void> take(host::Received received) override {
    return std::visit([&](auto& message) { return take(message, received.descriptor); },
                      received.message);
  }

  Result<void> work(host::ControlBlock& control) override {
    if (sound_) return hear(control);
    if (source_ == nullptr) return fail("no file came before the first job");
    const bool is_first = !std::exchange(is_ready_, true);
    const bool is_painted = is_first ? get_ready(control.job) : paint(control.job);
    control.decoded = as_decoded(source_->report());
    control.decoded.is_painted = is_painted;
    control.decoded.is_late = source_->is_late();
    return {};
  }

 private:
  Result<void> take(const host::MapView& view, const Descriptor& memory) {
    return views_.map(view, memory.get());
  }

  Result<void> take(host::ReadFile& file, Descriptor& descriptor) {
    if (source_ != nullptr || sound_) return fail("{}: a decoder reads one file", file.name);
    io::OpenFile opened{std::move(descriptor), std::move(file.name), file.series_rate,
                        static_cast<int>(file.sound_track)};
    SUBMIX_TRY(confine_to(opened));
    if (file.is_sound) return open_sound(opened);
    auto source = io::LocalSource::open(std::move(opened), size_, static_cast<io::Fit>(file.fit));
    SUBMIX_TRY(source);
    source_ = std::move(*source);
    return {};
  }

  Result<void> open_sound(const io::OpenFile& file) {
    auto sound = io::SoundTrack::open(file);
    SUBMIX_TRY(sound);
    sound_.emplace(*std::move(sound));
    return {};
  }

  Result<void> hear(host::ControlBlock& control) {
    auto& heard = control.sound;
    sound_->read(course_of(control.job.request), heard.samples);
    heard.length_seconds = sound_->length_seconds();
    heard.has_track = sound_->has_sound();
    heard.has_damage = sound_->damaged_at().has_value();
    heard.damaged_at_seconds = sound_->damaged_at().value_or(0);
    return {};
  }

  /// The pictures of a series are opened one after another, so their folder stays readable.
  [[nodiscard]] Result<void> confine_to(const io::OpenFile& file) const {
    return host::confine(
        {.readable = {},
         .readable_folder = file.is_series() ? file.descriptor.get() : -1,
         .memory_bytes_max = host::HostViews::address_bytes_max(size_) + kDecodingBytesMax});
  }

  static Result<void> take(const host::SetParameters&, const Descriptor&) {
    return fail("a decoder has no parameters");
  }

  bool get_ready(const host::Job& job) {
    source_->wait_for(course_of(job.request));
    return false;
  }

  bool paint(const host::Job& job) {
    const io::PictureRequest request{.course = course_of(job.request),
                                     .may_hold = job.request.may_hold,
                                     .fit = static_cast<io::Fit>(job.request.fit),
                                     .known_serial = job.request.known_serial};
    const auto outcome = source_->paint_over(request, views_.pixels(job.output), {});
    return outcome == io::PaintedPicture::Outcome::painted;
  }

  const Size size_;
  host::HostViews views_;
  std::unique_ptr<io::LocalSource> source_;
  std::optional<io::SoundTrack> sound_;  // in place of `source_`
  bool is_ready_ = false;                // job 1 is done
};

}  // namespace

void run(const host::HostTask& task) {
  Decoder decoder(task);
  host::do_jobs(decoder);
}

}  // namespace submix::decode
