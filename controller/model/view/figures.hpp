// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/view/rates.hpp"

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

/// Figures of streams and links over the last ten minutes, for plots.
namespace submix::model {

inline constexpr std::chrono::milliseconds kFigureTick{100};  // the interval of nodes' reports
inline constexpr std::int64_t kFigureTicksKept = 6000;        // ten minutes
inline constexpr std::int64_t kFigureTicksInBlock = 300;
inline constexpr std::size_t kFigures = 5;

/// Figures of a link, and of a stream, at the sender.
enum class LinkFigure {
  mb_per_second,
  queue_kb,
  blocked_share,
  round_trip_ms,
  retransmits_per_second
};
enum class StreamFigure { mb_per_second, fps, credit_wait_share, latency_p50_ms, latency_p99_ms };

/// Packs a number from 0 to 131,008 into 16 bits, precise to 1/4096 of its value. Numbers below
/// 0.00003 become 0. NaN: not known.
[[nodiscard]] std::uint16_t pack_figure(float value);
[[nodiscard]] float unpack_figure(std::uint16_t packed);

/// Index of the time's tick of 100 ms, by the monotonic clock.
[[nodiscard]] std::int64_t tick_of(LocalTime time);

using FigureSample = std::array<float, kFigures>;  ///< in the order of LinkFigure or StreamFigure

/// Half a minute of all figures of one link or stream, figure by figure.
using FigureBlock = std::array<std::array<std::uint16_t, kFigureTicksInBlock>, kFigures>;

/// The figures of one link or stream at one moment. Immutable; may be kept without limit.
struct FigureSeries {
  std::int64_t first_block = 0;  ///< block b begins with tick b * kFigureTicksInBlock
  /// null: nothing was measured in the block
  std::vector<std::shared_ptr<const FigureBlock>> blocks;

  /// NaN where nothing was measured.
  [[nodiscard]] float at(std::size_t figure, std::int64_t tick) const;
};

/// The last ten minutes of one link or stream.
///
/// Shape    Blocks of half a minute, 3 kB each, allocated as they begin: 63 kB at most.
/// Threads  Compatible.
/// Cost     add(): a few stores, and sometimes a new block. series(): a copy of the newest block.
class FigureRing {
 public:
  /// Of two samples of one tick, the greater value of each figure stays, so no peak is lost. Ticks
  /// may be left out. A tick before the newest is dropped.
  void add(std::int64_t tick, const FigureSample& sample);
  [[nodiscard]] FigureSeries series() const;
  [[nodiscard]] std::int64_t newest_tick() const { return newest_tick_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  void begin_block(std::int64_t block);

  std::int64_t newest_tick_ = -1;
  std::int64_t block_ = -1;
  FigureSeries ended_;  // without the newest block
  std::shared_ptr<FigureBlock> newest_;
};

/// A link, or a stream as a whole.
struct FigureKey {
  static constexpr std::int64_t kWholeStream = -1;

  std::string stream;
  std::int64_t link = kWholeStream;

  friend auto operator<=>(const FigureKey&, const FigureKey&) = default;
};

using FigureMap = std::map<FigureKey, FigureSeries>;

/// The rings of all streams and links.
///
/// Shape    At most kRingsMax rings. A ring without samples for ten minutes is forgotten.
/// Threads  Compatible. The class has no clock: callers pass the time.
class FigureHistory {
 public:
  static constexpr std::size_t kRingsMax = 4096;

  /// `step` has two consecutive readings of one node.
  void add(const ReadingPair& step, LocalTime now);
  void forget_old(LocalTime now);
  [[nodiscard]] FigureMap series_of(const std::set<std::string>& streams) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  [[nodiscard]] FigureRing* ring_of(const FigureKey& key);

  std::map<FigureKey, FigureRing> rings_;
};

}  // namespace submix::model
