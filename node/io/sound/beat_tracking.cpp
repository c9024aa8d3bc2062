// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/beat_tracking.hpp"

#include "node/io/sound/aubio_pointer.hpp"

#include <algorithm>

namespace submix::io {
namespace {

constexpr std::int64_t kHop = BeatTracking::kHopSamples;
constexpr uint_t kTempoWindowSamples = 1024;

// In synthetic drum tracks "energy" nearly always found the tempo, its half or its double. In
// speech, noise, chords, or two tracks at once it found no sure beat. The usual "specflux" heard
// three beats in place of two at 174 beats a minute, and "specdiff" heard a beat in speech.
constexpr const char* kTempoMethod = "energy";
// aubio's confidence. In those tracks music had 0.36 or more, two tracks at once up to 0.36, speech
// 0.18, noise 0.10.
constexpr double kConfidenceMin = 0.37;

// aubio analyses a power of two of hops: 10.9 s at 48 kHz, but 5.5 s at 44.1 kHz. We want the
// shorter time, so aubio is told 44.1 kHz. Its most likely tempo, 120, then means 131 beats a
// minute.
constexpr double kToldRate = 44'100.0 / 48'000.0;

constexpr std::size_t kSureBeats = 8;
constexpr double kSureDistance = 0.04;   // of a beat
constexpr double kMissedBeatsMax = 4.0;  // as BeatLine allows
constexpr std::int64_t kSilentMaxS = 2;

}  // namespace

struct BeatTracking::Tracker {
  explicit Tracker(double rate_hz)
      : tempo(owned(new_aubio_tempo(kTempoMethod, kTempoWindowSamples, kHopSamples,
                                    static_cast<uint_t>(rate_hz * kToldRate)))),
        is_beat(owned(new_fvec(1))) {}

  const AubioPointer<aubio_tempo_t> tempo;
  const AubioPointer<fvec_t> is_beat;
  uint_t last = 0;
};

BeatTracking::BeatTracking(int rate_hz)
    : rate_hz_(rate_hz), tracker_(std::make_unique<Tracker>(rate_hz_)) {}

BeatTracking::~BeatTracking() = default;

Beat BeatTracking::hear(std::span<float, kHopSamples> hop, bool is_silent) {
  auto* tempo = tracker_->tempo.get();
  const fvec_t part{kHopSamples, hop.data()};
  aubio_tempo_do(tempo, &part, tracker_->is_beat.get());
  const auto begin = static_cast<uint_t>(samples_);  // aubio counts in 32 bits
  samples_ += kHop;
  silent_samples_ = is_silent ? silent_samples_ + kHop : 0;

  const auto last = aubio_tempo_get_last(tempo);
  if (last != tracker_->last) {
    tracker_->last = last;
    const auto in_hop = static_cast<std::int32_t>(last - begin);
    const auto hop_s = static_cast<double>(samples_ - kHop) / rate_hz_;
    line_.add(hop_s + in_hop / rate_hz_, double{aubio_tempo_get_period(tempo)} / rate_hz_);
  }
  if (static_cast<double>(silent_samples_) > rate_hz_ * kSilentMaxS) line_.clear();

  Beat beat{.confidence = std::clamp(double{aubio_tempo_get_confidence(tempo)}, 0.0, 1.0)};
  if (beat.confidence < kConfidenceMin || line_.size() < kSureBeats) return beat;
  const auto fit = line_.fit();
  const double since_last = static_cast<double>(samples_) / rate_hz_ - fit.last;
  const bool is_sure =
      fit.distance < kSureDistance * fit.period && since_last < kMissedBeatsMax * fit.period;
  if (!is_sure) return beat;
  beat.beats_per_minute = 60.0 / fit.period;
  beat.since_last = std::chrono::duration<double>(since_last);
  return beat;
}

}  // namespace submix::io
