// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/decode/remote_source.hpp"

#include "node/decode/decoder_answers.hpp"
#include "node/host/channel.hpp"
#include "node/host/crash_record.hpp"
#include "node/host/killed_host.hpp"
#include "node/host/picture_transit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace submix::decode {
namespace {

using host::HostProcess;
using std::chrono::milliseconds;
using std::chrono::seconds;
using SteadyTime = io::PictureSource::SteadyTime;
using Outcome = io::PaintedPicture::Outcome;

constexpr milliseconds kGlance(20);        // how late a stop may be seen
constexpr seconds kComputingTimeout(60);   // for a decoder that computes
constexpr milliseconds kEndTimeout(1000);  // until a killed process is gone
constexpr int kHangsMax = 3;
constexpr unsigned kGenerationShift = 40;
constexpr std::uint64_t kSerialMask = (std::uint64_t{1} << kGenerationShift) - 1;

SteadyTime now() {
  return std::chrono::steady_clock::now();
}

int within_pixels(std::uint32_t value) {
  constexpr std::uint32_t kPixelsMax = 1U << 20U;
  return static_cast<int>(std::min(value, kPixelsMax));
}

/// Small letters, digits and lines: no codec's name has anything else.
std::string plain(const std::array<char, 16>& codec) {
  std::string name;
  for (const char c : codec) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    if (!is_plain) break;
    name += c;
  }
  return name;
}

std::optional<show::SeriesNumbers> numbers_of(const host::DecodedPicture& decoded) {
  if (!decoded.is_series || decoded.last_number < decoded.first_number) return std::nullopt;
  return show::SeriesNumbers{decoded.first_number, decoded.last_number, decoded.number_beyond};
}

io::PaintedPicture late() {
  return {Outcome::late, std::nullopt, true};
}
io::PaintedPicture stopped() {
  return {Outcome::stopped, std::nullopt};
}

class RemoteSource final : public io::PictureSource {
 public:
  RemoteSource(host::HostKeeper& keeper, io::OpenFile file, const io::SourceSetup& setup)
      : PictureSource(file.path.string()),
        keeper_(keeper),
        file_(std::move(file)),
        order_{.slot = setup.slot,
               .file = file_.path,
               .size = setup.size,
               .program = host::HostProgram::decoder,
               .is_background = !setup.is_for_show},
        fit_(setup.fit),
        patience_(setup.patience),
        events_(setup.events),
        transit_(setup.size),
        latest_{.seconds = setup.begin_seconds,
                .in_seconds = setup.begin_seconds,
                .out_seconds =
                    setup.ahead_seconds > 0 ? setup.begin_seconds + setup.ahead_seconds : 0} {}

  ~RemoteSource() override {
    if (host_) host_->kill();
    const bool has_seat_out = pending_ && pending_->seat;
    if (has_seat_out) host_->wait_until_gone(now() + kEndTimeout);
    killed_.wait_until_gone(now() + kEndTimeout);
  }

  Result<void> begin() {
    auto host = keeper_.start(order_);
    SUBMIX_TRY(host);
    const host::ReadFile message{name(), static_cast<std::uint32_t>(fit_), file_.series_rate};
    if (auto sent = send((*host)->channel(), message, file_.descriptor.get()); !sent) {
      (*host)->kill();
      return sent;
    }
    host_ = std::move(*host);
    begun_ = now();
    report_.stuck = {};
    ++generation_;
    decoding_before_ = report_.decoding;
    faults_before_ = report_.faults;
    is_ready_ = false;
    transit_.views().forget();
    transit_.views().count_message();  // the message with the file
    first_job_ =
        host_->ask({.messages = transit_.views().messages(), .request = as_request(latest_)});
    return {};
  }

  Result<bool> is_ready(SteadyTime deadline) override {
    if (is_ready_) return true;
    if (!host_) return fail("{}: {}", name(), trouble_);
    host_->wait_for_answer(deadline);
    if (host_->has_scribbled()) return fail("{}", reason_of_scribble(name()));
    if (host_->is_gone()) return fail("{}", reason_of_end(*host_, name()));
    if (!host_->has_answered(first_job_) || !killed_.is_gone()) return not_ready_yet();
    if (!order_.is_background) host_->raise();
    take_report();
    return is_ready_ = true;
  }

  io::PaintedPicture paint(const io::PictureRequest& request, media::WritableFrame output,
                           const std::stop_token& stop) override {
    if (!host_ || !is_back()) return stop.stop_requested() ? stopped() : late();
    if (pending_) {  // a late picture: it becomes this frame's picture
      if (pending_->seat) pending_->seat->stamp() = output.stamp();
      auto painted = await(SteadyTime{}, stop);
      painted.is_late = true;
      return painted;
    }
    if (auto asked = ask(request, std::move(output)); !asked) {
      host_->wait_until_gone(now() + kGlance);  // its end says more
      abandon(host_->is_gone() ? reason_of_end(*host_, name())
                               : fmt::format("{}: {}", name(), asked.error().message));
      return late();
    }
    return await(pending_->since + patience_, stop);
  }

  [[nodiscard]] const io::SourceReport& report() const override { return report_; }
  [[nodiscard]] std::string trouble() const override { return trouble_; }
  // One frame for a late picture, and one that a killed decoder may still write into.
  [[nodiscard]] std::size_t frames_retained() const override { return 2; }

  void try_again() override {
    if (host_) return;
    crashes_.forget();
    hangs_in_a_row_ = 0;
    trouble_.clear();
    if (auto begun = begin(); !begun) give_up(begun.error().message);
  }

 private:
  struct PendingPicture {
    std::uint32_t job = 0;
    std::optional<media::WritableFrame> seat;
    SteadyTime since{};
  };

  /// What is_ready() answers before the first picture: false, or an error once the first decoder has
  /// had kSourceTimeout, since drawing a file may take for ever. A later decoder has more time: see
  /// is_back().
  [[nodiscard]] Result<bool> not_ready_yet() const {
    if (generation_ > 1 || now() - begun_ <= io::kSourceTimeout) return false;
    return fail("{}: not one picture came within {} s; take a simpler file", name(),
                io::kSourceTimeout.count());
  }

  /// True if a decoder is there, also after an end.
  bool is_back() {
    const auto ready = is_ready(SteadyTime{});
    const bool has_hung = ready && !*ready && now() - begun_ > kComputingTimeout;
    if (!ready) abandon(ready.error().message);
    if (has_hung || report_.stuck > kComputingTimeout) {
      ++hangs_in_a_row_;
      abandon(fmt::format("{}: its decoder hung: no picture for {} s", name(),
                          seconds(kComputingTimeout).count()));
      return false;
    }
    return ready && *ready;
  }

  Result<void> ask(const io::PictureRequest& request, media::WritableFrame output) {
    host::Job job;
    latest_ = request.course;
    job.request = as_request(latest_);
    job.request.may_hold = request.may_hold;
    job.request.fit = static_cast<std::uint32_t>(request.fit);
    if (request.known_serial >> kGenerationShift == generation_)
      job.request.known_serial = request.known_serial & kSerialMask;
    const auto since = now();
    if (auto shown = transit_.show({}, output, host_->channel(), job); !shown) return shown;
    job.messages = transit_.views().messages();
    pending_ = {host_->ask(job), std::move(output), since};
    return {};
  }

  io::PaintedPicture await(SteadyTime deadline, const std::stop_token& stop) {
    while (!host_->has_answered(pending_->job)) {
      if (stop.stop_requested()) return stopped();
      if (const auto why = end_of_decoder(); !why.empty()) {
        abandon(why);
        return late();
      }
      if (now() >= deadline) return late();
      host_->wait_for_answer(std::min(deadline, now() + kGlance));
    }
    return collect();
  }

  /// Why no answer will come. Empty: an answer may come.
  [[nodiscard]] std::string end_of_decoder() {
    if (host_->is_gone()) return reason_of_end(*host_, name());
    if (host_->has_scribbled()) return reason_of_scribble(name());
    const auto waited = now() - pending_->since;
    if (waited < kIdleTimeout) return {};
    if (waited < kComputingTimeout && host_->is_computing()) return {};
    ++hangs_in_a_row_;
    return fmt::format("{}: its decoder hung: no picture for {} s", name(),
                       std::chrono::duration_cast<seconds>(waited).count());
  }

  io::PaintedPicture collect() {
    auto asked = *std::exchange(pending_, std::nullopt);
    const bool is_painted = take_report();
    if (is_painted) transit_.collect(*asked.seat);
    const bool is_late = host_->decoded().is_late;
    if (!is_late) hangs_in_a_row_ = 0;
    const auto unpainted = is_late ? Outcome::held : Outcome::known;
    return {is_painted ? Outcome::painted : unpainted, std::move(asked.seat), is_late};
  }

  /// True if the last job painted a picture.
  bool take_report() {
    const host::DecodedPicture decoded = host_->decoded();
    report_.length = {seconds_within(decoded.end_seconds, 0),
                      seconds_within(decoded.picture_seconds, 1e-6)};
    report_.serial = decoded.serial == 0
                         ? 0
                         : (generation_ << kGenerationShift) | (decoded.serial & kSerialMask);
    report_.own_size = {within_pixels(decoded.width), within_pixels(decoded.height)};
    report_.missing_seconds = seconds_within(decoded.missing_seconds, 0);
    report_.damaged_at = decoded.has_damage
                             ? std::optional(seconds_within(decoded.damaged_at_seconds, 0))
                             : std::nullopt;
    report_.faults = faults_before_ + decoded.faults;
    report_.decoding =
        decoding_before_ + std::chrono::nanoseconds(std::max<std::int64_t>(decoded.decoding_ns, 0));
    report_.decoding_cpu =
        std::chrono::nanoseconds(std::max<std::int64_t>(decoded.decoding_cpu_ns, 0));
    report_.decoded = decoded.decoded;
    report_.stuck = std::chrono::nanoseconds(std::max<std::int64_t>(decoded.stuck_ns, 0));
    report_.is_unpaintable = decoded.is_unpaintable;
    report_.codec = plain(decoded.codec);
    report_.series = numbers_of(decoded);
    return decoded.is_painted;
  }

  void abandon(const std::string& why) {
    const bool is_hopeless = host_->has_refused();
    host_->kill();
    const bool has_seat_out = pending_ && pending_->seat;
    if (has_seat_out)
      killed_.keep(host_, std::move(*pending_->seat));  // one at a time: see is_back()
    pending_.reset();
    host_ = nullptr;
    const auto crashes = crashes_.add(clock_.now());
    if (is_hopeless || crashes >= host::kCrashesMax || hangs_in_a_row_ >= kHangsMax)
      return give_up(why);
    if (auto begun = begin(); !begun)
      return give_up(fmt::format("{}; {}", why, begun.error().message));
    report_event(Severity::warning,
                 why + ": its last picture is shown until another decoder has it");
  }

  void give_up(const std::string& why) {
    trouble_ =
        fmt::format("{}: its last picture stays; `submix bypass {} on`, then `off`, tries it again",
                    why, order_.slot);
    report_event(Severity::fault, trouble_);
  }

  void report_event(Severity severity, std::string text) const {
    if (events_ != nullptr) events_->report(severity, order_.slot, std::move(text));
  }

  host::HostKeeper& keeper_;
  const io::OpenFile file_;
  const host::HostOrder order_;
  const io::Fit fit_;
  const std::chrono::nanoseconds patience_;
  EventSink* const events_;
  host::PictureTransit transit_;
  io::Course latest_;  // as last asked for: another decoder begins there
  const SteadyClock clock_;
  host::CrashRecord crashes_;
  int hangs_in_a_row_ = 0;
  io::SourceReport report_;
  // By former decoders of this file; so is faults_before_.
  std::chrono::nanoseconds decoding_before_{0};
  std::uint64_t faults_before_ = 0;
  std::string trouble_;

  std::shared_ptr<HostProcess> host_;  // null: given up
  SteadyTime begun_{};
  std::uint64_t generation_ = 0;  // counts decoders: no two name different pictures alike
  std::uint32_t first_job_ = 0;
  bool is_ready_ = false;
  std::optional<PendingPicture> pending_;  // a picture not yet answered
  host::KilledHost killed_;
};

}  // namespace

io::SourceOpener open_in_decoders(host::HostKeeper& keeper) {
  return io::SourceOpener(
      [&keeper](io::OpenFile file,
                const io::SourceSetup& setup) -> Result<std::unique_ptr<io::PictureSource>> {
        auto source = std::make_unique<RemoteSource>(keeper, std::move(file), setup);
        SUBMIX_TRY(source->begin());
        return source;
      });
}

}  // namespace submix::decode
