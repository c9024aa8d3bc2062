// SPDX-License-Identifier: GPL-3.0-or-later
// Tests the plan over paths of different rates and delays, in simulated time.
#include "common/media/frame_pool.hpp"
#include "common/stream/striper.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

namespace submix::stream {
namespace {

using namespace std::chrono_literals;
using Seconds = std::chrono::duration<double>;

constexpr Size kXga{1024, 768};
constexpr double kFrameBytes = 1024.0 * 768 * 3;
constexpr auto kStep = 100us;
constexpr auto kLateAcknowledgement = 40ms;
constexpr std::uint64_t kPathsEpoch = 1;

struct Path {
  double bytes_per_second = 0;
  LocalTime::duration delay{0};
  // The last two are acknowledged kLateAcknowledgement after their arrival.
  std::uint64_t segment_bytes = 0;
};

/// A link over one path. Bytes leave at the path's rate, arrive after its delay, and are known to
/// have arrived after a second delay.
class SimulatedPath {
 public:
  explicit SimulatedPath(const Path& path) : path_(path) {}

  void give(const wire::StripeHeader& header) {
    given_ += wire::kStripeHeaderBytes + header.pixels * 3;
    stripes_.push_back({given_, header.frame.value, header.pixels});
  }
  void move(LocalTime now) {
    left_ = std::min(left_ + path_.bytes_per_second * Seconds(kStep).count(),
                     static_cast<double>(given_));
    in_flight_.push_back({now, left_});
    while (!in_flight_.empty() && in_flight_.front().at + path_.delay <= now) {
      arrived_ = in_flight_.front().bytes;
      known_.push_back({now, arrived_});
      in_flight_.pop_front();
    }
    while (!known_.empty() && known_.front().at + path_.delay <= now) {
      if (known_.front().bytes > told_) told_at_ = now;
      told_ = known_.front().bytes;
      known_.pop_front();
    }
    const auto told = static_cast<std::uint64_t>(told_);
    const auto lump = std::max<std::uint64_t>(2 * path_.segment_bytes, 1);
    acknowledged_ =
        now - told_at_ >= kLateAcknowledgement ? told : std::max(acknowledged_, told / lump * lump);
  }
  /// Adds the newly arrived pixels to their frames.
  void take(std::map<std::uint64_t, std::uint64_t>& pixels_by_frame) {
    while (!stripes_.empty() && static_cast<double>(stripes_.front().end) <= arrived_) {
      pixels_by_frame[stripes_.front().frame] += stripes_.front().pixels;
      stripes_.pop_front();
    }
  }
  /// All given bytes have left at once: a queue on the path holds them, like a network card's
  /// queue.
  [[nodiscard]] LinkBacklog backlog() const {
    return {given_ - acknowledged_, 0, 2 * path_.delay + 50us, path_.segment_bytes};
  }
  void change_rate(double bytes_per_second) { path_.bytes_per_second = bytes_per_second; }
  [[nodiscard]] std::uint64_t given_bytes() const { return given_; }
  [[nodiscard]] double left_bytes() const { return left_; }

 private:
  struct Mark {
    LocalTime at;
    double bytes = 0;
  };
  struct Sent {
    std::uint64_t end = 0;
    std::uint64_t frame = 0;
    std::uint64_t pixels = 0;
  };

  Path path_;
  std::uint64_t given_ = 0;
  std::uint64_t acknowledged_ = 0;
  double left_ = 0;
  double arrived_ = 0;
  double told_ = 0;  // arrived bytes, if the last segments were acknowledged too
  LocalTime told_at_{};
  std::deque<Mark> in_flight_;
  std::deque<Mark> known_;
  std::deque<Sent> stripes_;
};

/// Frames at 30 a second over several paths.
class Show {
 public:
  explicit Show(const std::vector<Path>& paths) : paths_(paths.begin(), paths.end()) {
    wire::Welcome welcome;
    welcome.instance = 1;
    welcome.credit_limit.value = 1000;
    EXPECT_TRUE(striper_.welcome(welcome));
    for (std::size_t link = 0; link < paths_.size(); ++link)
      striper_.open_link(link);
  }

  /// The time of each of `count` more frames from the offer until its last byte has arrived.
  std::vector<double> transits(std::uint64_t count) {
    std::vector<double> transits;
    for (; count > 0; --count, ++next_) {
      const auto begin = now_;
      offer(next_);
      bool is_there = false;
      for (int step = 0; step < 333 || !is_there; ++step) {
        move();
        if (is_there || pixels_[next_] < kXga.pixels()) continue;
        is_there = true;
        transits.push_back(Seconds(now_ - begin).count());
        EXPECT_TRUE(striper_.acknowledge({kPathsEpoch, {next_ + 1}, {1000}, {}}));
      }
    }
    return transits;
  }
  void change_rate(std::size_t link, double bytes_per_second) {
    paths_[link].change_rate(bytes_per_second);
  }
  /// Offers as many frames as there is credit for. Returns the bytes that leave over all paths
  /// meanwhile.
  double bytes_as_fast_as_it_goes(LocalTime::duration time) {
    const auto before = left_bytes();
    for (const auto end = now_ + time; now_ < end; move()) {
      while (pixels_[first_] >= kXga.pixels())
        EXPECT_TRUE(striper_.acknowledge({kPathsEpoch, {++first_}, {first_ + kFrames}, {}}));
      for (; next_ < first_ + kFrames; ++next_)
        offer(next_);
    }
    return left_bytes() - before;
  }
  [[nodiscard]] std::uint64_t given_bytes(std::size_t link) const {
    return paths_[link].given_bytes();
  }
  [[nodiscard]] std::uint64_t stripes_taken_over() const { return striper_.stripes_taken_over(); }

 private:
  void offer(std::uint64_t index) {
    auto frame = pool_.try_acquire();
    frame->stamp().index.value = index;
    striper_.offer(std::move(*frame).publish());
  }
  [[nodiscard]] double left_bytes() const {
    double bytes = 0;
    for (const auto& path : paths_)
      bytes += path.left_bytes();
    return bytes;
  }
  void move() {
    now_ += kStep;
    for (std::size_t link = 0; link < paths_.size(); ++link) {
      auto& path = paths_[link];
      path.move(now_);
      path.take(pixels_);
      striper_.observe(link, now_, path.backlog());
      while (const auto stripe = striper_.pull(link, now_)) {
        path.give(stripe->header);
        striper_.observe(link, now_, path.backlog());
      }
    }
  }

  LocalTime now_ = LocalTime() + 1h;
  static constexpr std::size_t kFrames = 4;

  media::FramePool pool_{kXga, kFrames};
  Striper striper_{{kXga, kPathsEpoch, kFrames, 21, 85}};
  std::uint64_t first_ = 0;  // the first frame not yet acknowledged at full speed
  std::uint64_t next_ = 0;
  std::deque<SimulatedPath> paths_;
  std::map<std::uint64_t, std::uint64_t> pixels_;
};

/// The least possible time of a frame.
///
/// Source   All paths that take part end at the same time: the sum of rate * (time - delay) is the
///          frame.
double least_transit(const std::vector<Path>& paths) {
  double least = 1e9;
  for (const auto& last : paths) {  // paths take part if their delay is at most this one's
    double bytes = kFrameBytes;
    double rate = 0;
    for (const auto& path : paths) {
      if (path.delay > last.delay) continue;
      bytes += path.bytes_per_second * Seconds(path.delay).count();
      rate += path.bytes_per_second;
    }
    if (bytes / rate >= Seconds(last.delay).count()) least = std::min(least, bytes / rate);
  }
  return least;
}

double median_over_least(const std::vector<Path>& paths) {
  auto transits = Show(paths).transits(60);
  transits.erase(transits.begin(), transits.begin() + 20);  // the rates are known now
  std::sort(transits.begin(), transits.end());
  return transits[transits.size() / 2] / least_transit(paths);
}

TEST(PlanOverPaths, OfEqualRatesAndUnequalDelaysEndsTogether) {
  EXPECT_LT(median_over_least({{119e6, 0ms}, {119e6, 5ms}}), 1.1);
  EXPECT_LT(median_over_least({{119e6, 1ms}, {119e6, 8ms}}), 1.1);
}

TEST(PlanOverPaths, OfUnequalRatesAndDelaysEndsTogether) {
  EXPECT_LT(median_over_least({{119e6, 5ms}, {60e6, 0ms}}), 1.1);
  EXPECT_LT(median_over_least({{12e6, 0ms}, {119e6, 3ms}}), 1.1);
  EXPECT_LT(median_over_least({{119e6, 0ms}, {60e6, 2ms}, {30e6, 4ms}}), 1.1);
}

double line_share(const std::vector<Path>& paths) {
  Show show(paths);
  static_cast<void>(show.bytes_as_fast_as_it_goes(500ms));  // the rates are known now
  double rates = 0;
  for (const auto& path : paths)
    rates += path.bytes_per_second;
  return show.bytes_as_fast_as_it_goes(1s) / rates;
}

TEST(PlanOverPaths, LeavesNoneIdleWhileAFrameWaits) {
  EXPECT_GT(line_share({{119e6}, {119e6}}), 0.995);
  EXPECT_GT(line_share({{119e6}, {60e6}}), 0.995);
  EXPECT_GT(line_share({{298e6}, {119e6}}), 0.995);
  EXPECT_GT(line_share({{119e6}, {12e6}}), 0.995);
  EXPECT_GT(line_share({{179e6}, {84e6}, {18e6}}), 0.995);
  EXPECT_GT(line_share(std::vector<Path>(8, Path{119e6})), 0.995);
  EXPECT_GT(line_share({{119e6, 0ms}, {60e6, 5ms}}), 0.995);
}

// Like loopback, whose segments have 64 KiB.
TEST(PlanOverPaths, TakesNoLateAcknowledgementForASlowLink) {
  Show show({{1.5e9, 0ms, 65483}, {1.3e9, 0ms, 65483}});
  static_cast<void>(show.transits(60));
  EXPECT_EQ(show.stripes_taken_over(), 0U);
  for (std::size_t link : {0U, 1U})
    EXPECT_GT(static_cast<double>(show.given_bytes(link)), 60 * kFrameBytes * 0.35);
}

// A frame gives the third path a single lump, which does not tell its rate.
TEST(PlanOverPaths, HoldsNoFrameToLearnWhatASlowOneCarries) {
  const std::vector<Path> paths{{298e6, 0ms, 32768}, {119e6, 0ms, 32768}, {12e6, 0ms, 32768}};
  Show show(paths);
  static_cast<void>(show.transits(30));  // the rates are known now
  const auto transits = show.transits(300);
  EXPECT_LT(*std::max_element(transits.begin(), transits.end()), 1.4 * least_transit(paths));
}

TEST(PlanOverPaths, FindsAgainThatOneIsFast) {
  const std::vector<Path> paths{{119e6}, {119e6}};
  Show show(paths);
  static_cast<void>(show.transits(30));
  show.change_rate(1, 1e6);
  static_cast<void>(show.transits(60));
  show.change_rate(1, 119e6);
  static_cast<void>(show.transits(15));
  EXPECT_LT(show.transits(1).front(), 1.1 * least_transit(paths));
}

TEST(PlanOverPaths, LeavesOneOutThatIsLongerThanTheFrameTakesOnTheOthers) {
  EXPECT_LT(median_over_least({{119e6, 0ms}, {119e6, 40ms}}), 1.1);
}

}  // namespace
}  // namespace submix::stream
