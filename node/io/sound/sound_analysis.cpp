// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/sound_analysis.hpp"

#include "common/base/assert.hpp"
#include "node/io/sound/aubio_pointer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace submix::io {
namespace {

// Two hops. A longer window would separate frequencies better, but report a kick later.
constexpr uint_t kWindowSamples = 1024;

// aubio's detectors find a note two to four of their hops late. "hfc" hears drums and notes by
// their high frequencies, 9 to 17 ms late. "energy" hears a kick under hi-hats and noise, 19 to 24
// ms late. In synthetic tracks the two together found each kick, hi-hat and note, and almost
// nothing else. "specflux", "complex", "kl", "mkl" and "phase" mistook ends of notes and steady
// chords for notes.
struct OnsetKind {
  const char* method;
  uint_t window_samples;
  uint_t hop_samples;
};
constexpr std::array kOnsetKinds{OnsetKind{"hfc", 512, 128}, OnsetKind{"energy", 512, 256}};
static_assert(std::ranges::all_of(kOnsetKinds, [](const OnsetKind& kind) {
  return SoundAnalysis::kHopSamples % kind.hop_samples == 0;
}));
constexpr smpl_t kOnsetThreshold = 0.6F;
constexpr smpl_t kOnsetSilenceDb = -55.0F;
constexpr double kOnsetPauseS = 0.06;  // both hear the same note; fast notes are 0.1 s apart

constexpr double kBassEndHz = 150.0;
constexpr double kMidsEndHz = 2000.0;
constexpr double kLowestHz = 20.0;  // slower changes are DC

constexpr double kForgetHalfLifeS = 8.0;
constexpr double kLearnS = 0.06;  // one click must not make the next seconds look quiet
constexpr double kReleaseS = 0.15;
constexpr double kOnsetFallS = 1.0 / 3.0;

double amplitude(double db) {
  return std::pow(10.0, db / 20.0);
}

// Music is quieter at high frequencies, so the threshold of silence is lower there.
const double kSilence = amplitude(-55.0);
const double kSilenceOfBass = amplitude(-55.0);
const double kSilenceOfMids = amplitude(-60.0);
const double kSilenceOfHighs = amplitude(-65.0);

// Limits of the gain: the loudest sound counts as at least four times silence (12 dB), and a band's
// loudest as at least this share of the whole sound's. So noise and traces of other bands stay
// small.
constexpr double kLoudestOverSilence = 4.0;
constexpr double kBassShareMin = 0.2;
constexpr double kMidsShareMin = 0.1;
constexpr double kHighsShareMin = 0.03;

constexpr double kNumberMin = 0.001;  // smaller numbers are 0

}  // namespace

struct SoundAnalysis::Transforms {
  explicit Transforms(int rate_hz)
      : samples(owned(new_fvec(kHopSamples))),
        spectrum(owned(new_cvec(kWindowSamples))),
        vocoder(owned(new_aubio_pvoc(kWindowSamples, kHopSamples))),
        is_onset(owned(new_fvec(1))),
        bass_end(first_bin(kBassEndHz, rate_hz)),
        mids_end(first_bin(kMidsEndHz, rate_hz)),
        keep(1.0 - 2.0 * std::numbers::pi * kLowestHz / rate_hz),
        hops_of_count(static_cast<std::size_t>(rate_hz) * 3600 / kHopSamples) {
    for (std::size_t i = 0; i < kOnsetKinds.size(); ++i) {
      const auto& kind = kOnsetKinds[i];
      onsets[i] = owned(new_aubio_onset(kind.method, kind.window_samples, kind.hop_samples,
                                        static_cast<uint_t>(rate_hz)));
      aubio_onset_set_threshold(onsets[i].get(), kOnsetThreshold);
      aubio_onset_set_silence(onsets[i].get(), kOnsetSilenceDb);
    }
  }

  /// The first bin of the spectrum whose frequency is not below `hz`.
  static uint_t first_bin(double hz, int rate_hz) {
    const auto bin = static_cast<uint_t>(std::ceil(hz * kWindowSamples / rate_hz));
    return std::min(bin, kWindowSamples / 2 + 1);
  }

  /// Loudness of the bins from `begin` to before `end`, as the root of the mean square.
  [[nodiscard]] double loudness(uint_t begin, uint_t end) const {
    constexpr double kWindowPower = 0.375;  // the mean square of aubio's Hann window
    double power = 0.0;
    for (uint_t bin = begin; bin < end; ++bin)
      power += double{spectrum->norm[bin]} * double{spectrum->norm[bin]};
    return std::sqrt(2.0 * power / kWindowPower) / kWindowSamples;
  }

  const AubioPointer<fvec_t> samples;
  const AubioPointer<cvec_t> spectrum;
  const AubioPointer<aubio_pvoc_t> vocoder;
  std::array<AubioPointer<aubio_onset_t>, kOnsetKinds.size()> onsets;
  const AubioPointer<fvec_t> is_onset;
  const uint_t bass_end;  // bins of the spectrum
  const uint_t mids_end;
  const double keep;                // of the filter against DC, for each sample
  const std::size_t hops_of_count;  // one hour
  std::size_t hops_counted = 0;
};

SoundAnalysis::SoundAnalysis(int rate_hz)
    : pace_([rate_hz] {
        SUBMIX_ASSERT(rate_hz >= 8'000 && rate_hz <= 192'000);
        const auto hop_s = double{kHopSamples} / rate_hz;
        return Pace{.forget = std::exp2(-hop_s / kForgetHalfLifeS),
                    .learn = 1.0 - std::exp(-hop_s / kLearnS),
                    .release = std::exp(-hop_s / kReleaseS),
                    .onset = hop_s / kOnsetFallS};
      }()),
      transforms_(std::make_unique<Transforms>(rate_hz)),
      beats_(rate_hz),
      level_(kSilence),
      bass_(kSilenceOfBass),
      mids_(kSilenceOfMids),
      highs_(kSilenceOfHighs) {}

SoundAnalysis::~SoundAnalysis() = default;

show::Sound SoundAnalysis::hear(std::span<const float, kHopSamples> hop) {
  const auto loudness = std::sqrt(clean(hop));
  const bool is_silent = loudness < kSilence;
  // Just above silence all numbers fade in.
  const auto openness =
      std::clamp((loudness / kSilence - 1.0) / (kLoudestOverSilence - 1.0), 0.0, 1.0);
  beat_ = beats_.hear(std::span(transforms_->samples->data, kHopSamples).first<kHopSamples>(),
                      is_silent);
  onset_ = find_onset(is_silent) ? 1.0 : std::max(0.0, onset_ - pace_.onset);
  aubio_pvoc_do(transforms_->vocoder.get(), transforms_->samples.get(),
                transforms_->spectrum.get());

  const auto band = [&](Meter& meter, uint_t begin, uint_t end, double share_min) {
    const auto loudest_min = share_min * level_.peak();
    return meter.follow(transforms_->loudness(begin, end), loudest_min, openness, pace_);
  };
  const auto bass_end = transforms_->bass_end;
  const auto mids_end = transforms_->mids_end;
  show::Sound sound;
  sound.level = level_.follow(loudness, 0.0, 1.0, pace_);
  sound.bass = band(bass_, 1, bass_end, kBassShareMin);
  sound.mids = band(mids_, bass_end, mids_end, kMidsShareMin);
  sound.highs = band(highs_, mids_end, transforms_->spectrum->length, kHighsShareMin);
  sound.onset = onset_;
  return sound;
}

double SoundAnalysis::Meter::follow(double loudness, double loudest_min, double openness,
                                    const Pace& pace) {
  const auto learnt = peak_ + (loudness - peak_) * pace.learn;
  peak_ = std::max({learnt, peak_ * pace.forget, floor_});
  const auto loudest = std::max({peak_, loudest_min, kLoudestOverSilence * floor_});
  const auto now = std::clamp((loudness - floor_) / (loudest - floor_), 0.0, 1.0) * openness;
  value_ = std::max(now, value_ * pace.release);
  if (value_ < kNumberMin) value_ = 0.0;
  return value_;
}

double SoundAnalysis::clean(std::span<const float, kHopSamples> hop) {
  constexpr double kTiny = 1e-12;  // avoids denormal numbers, which are slow
  const auto keep = transforms_->keep;
  double power = 0.0;
  for (std::size_t i = 0; i < kHopSamples; ++i) {
    const double input = std::isnan(hop[i]) ? 0.0 : std::clamp(double{hop[i]}, -1.0, 1.0);
    last_output_ = input - last_input_ + keep * last_output_;
    if (std::abs(last_output_) < kTiny) last_output_ = 0.0;
    last_input_ = input;
    transforms_->samples->data[i] = static_cast<smpl_t>(last_output_);
    power += last_output_ * last_output_;
  }
  return power / kHopSamples;
}

bool SoundAnalysis::find_onset(bool is_silent) {
  auto& transforms = *transforms_;
  bool is_found = false;
  for (std::size_t i = 0; i < kOnsetKinds.size(); ++i) {
    const auto step = kOnsetKinds[i].hop_samples;
    for (std::size_t begin = 0; begin < kHopSamples; begin += step) {
      const fvec_t part{step, transforms.samples->data + begin};
      aubio_onset_do(transforms.onsets[i].get(), &part, transforms.is_onset.get());
      is_found = is_found || transforms.is_onset->data[0] > 0.0F;
    }
  }
  // aubio counts samples in 32 bits, enough for a day, and finds nothing for a day after an
  // overflow. Starting again may repeat the onset that was just found.
  ++transforms.hops_counted;
  if (transforms.hops_counted > transforms.hops_of_count && (is_found || is_silent)) {
    transforms.hops_counted = 0;
    for (const auto& onset : transforms.onsets)
      aubio_onset_reset(onset.get());
  }
  return is_found && onset_ <= 1.0 - kOnsetPauseS / kOnsetFallS;
}

}  // namespace submix::io
