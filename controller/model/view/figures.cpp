// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/figures.hpp"

#include "controller/model/view/find_where.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace submix::model {
namespace {

// Five bits of exponent, eleven of fraction, no sign: a float's bits, shifted. The exponent's bias
// sets the lower end to 2^-15, or 30 bytes where the unit is a megabyte.
constexpr std::uint32_t kFractionBits = 11;
constexpr std::uint32_t kFloatFractionBits = 23;
constexpr std::uint32_t kShift = kFloatFractionBits - kFractionBits;
constexpr std::uint32_t kExponentOffset = 127 - 15;
constexpr std::uint16_t kUnknown = 0xFFFF;
constexpr std::uint16_t kGreatest = 0xFFFE;
constexpr float kNotKnown = std::numeric_limits<float>::quiet_NaN();
constexpr auto kBlocksKept = static_cast<std::size_t>(kFigureTicksKept / kFigureTicksInBlock);

FigureBlock empty_block() {
  FigureBlock block;
  for (auto& figure : block)
    figure.fill(kUnknown);
  return block;
}

std::size_t place_in_block(std::int64_t tick) {
  return static_cast<std::size_t>(tick % kFigureTicksInBlock);
}

float milliseconds(std::chrono::nanoseconds time) {
  return static_cast<float>(std::max(0.0, static_cast<double>(time.count()) * 1e-6));
}

// A share of the time between two readings.
float share(std::chrono::nanoseconds before, std::chrono::nanoseconds after, double seconds) {
  return static_cast<float>(std::min(1.0, rate(before, after, seconds)));
}

FigureSample sample_of(const telemetry::LinkReading* before, const telemetry::LinkReading& after,
                       double seconds) {
  FigureSample sample;
  sample.fill(0);
  sample[std::size_t(LinkFigure::queue_kb)] = static_cast<float>(after.queue_bytes) / 1e3F;
  sample[std::size_t(LinkFigure::round_trip_ms)] = milliseconds(after.round_trip);
  if (before == nullptr) return sample;
  sample[std::size_t(LinkFigure::retransmits_per_second)] = static_cast<float>(
      rate(before->segments_retransmitted, after.segments_retransmitted, seconds));
  sample[std::size_t(LinkFigure::mb_per_second)] =
      static_cast<float>(rate(before->bytes, after.bytes, seconds) / 1e6);
  sample[std::size_t(LinkFigure::blocked_share)] = share(before->blocked, after.blocked, seconds);
  return sample;
}

FigureSample sample_of(const telemetry::StreamReading& before,
                       const telemetry::StreamReading& after, double seconds) {
  FigureSample sample;
  sample[std::size_t(StreamFigure::mb_per_second)] = 0;  // the sum of its links
  sample[std::size_t(StreamFigure::fps)] =
      static_cast<float>(rate(before.frames, after.frames, seconds));
  sample[std::size_t(StreamFigure::credit_wait_share)] =
      share(before.blocked, after.blocked, seconds);
  sample[std::size_t(StreamFigure::latency_p50_ms)] = milliseconds(after.latency.p50);
  sample[std::size_t(StreamFigure::latency_p99_ms)] = milliseconds(after.latency.p99);
  return sample;
}

}  // namespace

std::uint16_t pack_figure(float value) {
  if (std::isnan(value)) return kUnknown;
  if (value <= 0) return 0;
  const auto bits = std::bit_cast<std::uint32_t>(value) + (1U << (kShift - 1));  // rounded
  const auto floor = (kExponentOffset + 1) << kFloatFractionBits;
  if (bits < floor) return 0;
  const auto packed = (bits - (kExponentOffset << kFloatFractionBits)) >> kShift;
  return static_cast<std::uint16_t>(std::min<std::uint32_t>(packed, kGreatest));
}

float unpack_figure(std::uint16_t packed) {
  if (packed == kUnknown) return kNotKnown;
  if (packed == 0) return 0;
  return std::bit_cast<float>((std::uint32_t{packed} << kShift) +
                              (kExponentOffset << kFloatFractionBits));
}

std::int64_t tick_of(LocalTime time) {
  return time.time_since_epoch() / kFigureTick;
}

float FigureSeries::at(std::size_t figure, std::int64_t tick) const {
  const auto block = tick / kFigureTicksInBlock - first_block;
  if (tick < 0 || block < 0 || block >= std::ssize(blocks)) return kNotKnown;
  const auto& found = blocks[static_cast<std::size_t>(block)];
  return found == nullptr ? kNotKnown : unpack_figure((*found)[figure][place_in_block(tick)]);
}

void FigureRing::add(std::int64_t tick, const FigureSample& sample) {
  if (tick < newest_tick_ || tick < 0) return;
  const auto block = tick / kFigureTicksInBlock;
  if (block != block_) begin_block(block);
  const bool is_again = tick == std::exchange(newest_tick_, tick);
  for (std::size_t i = 0; i < kFigures; ++i) {
    auto& place = (*newest_)[i][place_in_block(tick)];
    const auto packed = pack_figure(sample[i]);
    // Packed numbers sort as the numbers do; "not known" is the greatest.
    if (!is_again || place == kUnknown) {
      place = packed;
    } else if (packed != kUnknown) {
      place = std::max(place, packed);
    }
  }
}

void FigureRing::begin_block(std::int64_t block) {
  if (newest_ != nullptr && block - block_ < std::int64_t(kBlocksKept)) {
    ended_.blocks.push_back(std::move(newest_));
    for (auto left_out = block_ + 1; left_out < block; ++left_out)
      ended_.blocks.push_back(nullptr);
  } else {
    ended_.blocks.clear();
  }
  const auto surplus = ended_.blocks.size() - std::min(ended_.blocks.size(), kBlocksKept);
  ended_.blocks.erase(ended_.blocks.begin(),
                      ended_.blocks.begin() + static_cast<std::ptrdiff_t>(surplus));
  ended_.first_block = block - std::ssize(ended_.blocks);
  newest_ = std::make_shared<FigureBlock>(empty_block());
  block_ = block;
}

FigureSeries FigureRing::series() const {
  auto series = ended_;
  if (newest_ != nullptr) series.blocks.push_back(std::make_shared<const FigureBlock>(*newest_));
  return series;
}

std::size_t FigureRing::bytes() const {
  const auto blocks = static_cast<std::size_t>(
      std::ranges::count_if(ended_.blocks, [](const auto& block) { return block != nullptr; }));
  return sizeof(*this) + (blocks + 1) * sizeof(FigureBlock);
}

void FigureHistory::add(const ReadingPair& step, LocalTime now) {
  const double seconds = step.seconds();
  if (seconds <= 0) return;
  const auto tick = tick_of(now);
  for (const auto& stream : step.after->streams) {
    if (!stream.is_sender || stream.stream.empty()) continue;
    const auto* before = find_where(step.before->streams, [&](const auto& each) {
      return each.is_sender && each.stream == stream.stream && each.epoch == stream.epoch;
    });
    if (before == nullptr) continue;
    auto whole = sample_of(*before, stream, seconds);
    for (const auto& link : stream.links) {
      const auto* link_before =
          find_where(before->links, [&](const auto& each) { return each.index == link.index; });
      const auto sample = sample_of(link_before, link, seconds);
      whole[std::size_t(StreamFigure::mb_per_second)] +=
          sample[std::size_t(LinkFigure::mb_per_second)];
      if (auto* ring = ring_of({stream.stream, link.index})) ring->add(tick, sample);
    }
    if (auto* ring = ring_of({stream.stream})) ring->add(tick, whole);
  }
}

FigureRing* FigureHistory::ring_of(const FigureKey& key) {
  const auto found = rings_.find(key);
  if (found != rings_.end()) return &found->second;
  return rings_.size() < kRingsMax ? &rings_[key] : nullptr;
}

void FigureHistory::forget_old(LocalTime now) {
  const auto oldest = tick_of(now) - kFigureTicksKept;
  std::erase_if(rings_, [&](const auto& item) { return item.second.newest_tick() < oldest; });
}

FigureMap FigureHistory::series_of(const std::set<std::string>& streams) const {
  FigureMap map;
  for (const auto& stream : streams) {
    const auto first = rings_.lower_bound({stream, FigureKey::kWholeStream});
    for (auto ring = first; ring != rings_.end() && ring->first.stream == stream; ++ring)
      map.emplace(ring->first, ring->second.series());
  }
  return map;
}

std::size_t FigureHistory::bytes() const {
  std::size_t sum = 0;
  for (const auto& [key, ring] : rings_)
    sum += ring.bytes();
  return sum;
}

}  // namespace submix::model
