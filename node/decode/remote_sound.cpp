// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/decode/remote_sound.hpp"

#include "node/decode/decoder_answers.hpp"
#include "node/host/channel.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

namespace submix::decode {
namespace {

static_assert(host::kSoundPieceSamples == io::kClipSoundSamples);

constexpr std::chrono::milliseconds kPatience(8);  // a piece lasts 11 ms
constexpr Size kNoPicture{16, 16};                 // none is painted

class RemoteSound final : public io::ClipSound {
 public:
  RemoteSound(host::HostKeeper& keeper, io::OpenFile file, std::string slot)
      : keeper_(keeper), file_(std::move(file)), slot_(std::move(slot)) {}
  ~RemoteSound() override {
    if (host_) host_->kill();
  }

  Result<void> begin() {
    auto host = keeper_.start({.slot = slot_,
                               .file = file_.path,
                               .size = kNoPicture,
                               .program = host::HostProgram::decoder});
    SUBMIX_TRY(host);
    host_ = std::move(*host);
    host::ReadFile message{.name = file_.path.string()};
    message.is_sound = true;
    message.sound_track = static_cast<std::uint32_t>(file_.sound_track);
    return send(host_->channel(), message, file_.descriptor.get());
  }

  Result<Outcome> read(const io::Course& course,
                       std::span<float, io::kClipSoundSamples> samples) override {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    auto has_answered = await(deadline);  // a piece that was late: its time is over
    SUBMIX_TRY(has_answered);
    if (!*has_answered) return Outcome::late;
    ask(course);
    has_answered = await(deadline);
    SUBMIX_TRY(has_answered);
    return *has_answered ? take(samples) : Outcome::late;
  }

  [[nodiscard]] double length_seconds() const override { return length_seconds_; }
  [[nodiscard]] std::optional<double> damaged_at() const override { return damaged_at_; }

 private:
  void ask(const io::Course& course) {
    job_ = host_->ask({.messages = 1, .request = as_request(course)});
    asked_ = std::chrono::steady_clock::now();
  }

  /// Whether the last job is done.
  Result<bool> await(std::chrono::steady_clock::time_point deadline) {
    if (!job_) return true;
    host_->wait_for_answer(deadline);
    const auto name = file_.path.string();
    if (host_->is_gone()) return fail("{}", reason_of_end(*host_, name));
    if (host_->has_scribbled()) return fail("{}", reason_of_scribble(name));
    if (host_->has_answered(*job_)) return true;
    if (std::chrono::steady_clock::now() < asked_ + kIdleTimeout) return false;
    return fail("{}: its decoder hung: no sound for {} s", name, kIdleTimeout.count());
  }

  /// The decoder is not trusted.
  Outcome take(std::span<float, io::kClipSoundSamples> samples) {
    const host::DecodedSound sound = host_->sound();
    if (!sound.has_track) return Outcome::no_track;
    std::ranges::transform(sound.samples, samples.begin(), [](float sample) {
      return std::isfinite(sample) ? std::clamp(sample, -1.0F, 1.0F) : 0.0F;
    });
    length_seconds_ = seconds_within(sound.length_seconds, 0);
    if (sound.has_damage) damaged_at_ = seconds_within(sound.damaged_at_seconds, 0);
    return Outcome::read;
  }

  host::HostKeeper& keeper_;
  const io::OpenFile file_;
  const std::string slot_;
  std::shared_ptr<host::HostProcess> host_;  // null before begin()
  std::optional<std::uint32_t> job_;         // the last one; empty: none yet
  std::chrono::steady_clock::time_point asked_{};
  double length_seconds_ = 0;
  std::optional<double> damaged_at_;
};

}  // namespace

io::ClipSoundOpener open_sound_in_decoders(host::HostKeeper& keeper) {
  return [&keeper](io::OpenFile file,
                   const std::string& slot) -> Result<std::unique_ptr<io::ClipSound>> {
    auto sound = std::make_unique<RemoteSound>(keeper, std::move(file), slot);
    SUBMIX_TRY(sound->begin());
    return sound;
  };
}

}  // namespace submix::decode
