// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that run the same oscillators have the same values in the same frame of the show.
#include "common/show/announce.hpp"
#include "node/engine/modulation.hpp"
#include "node/engine/show_count.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

namespace submix::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using namespace std::chrono_literals;

constexpr FrameRate kRate{60000, 1001};
constexpr nanoseconds kEvening = 1'795'000'000s;
constexpr std::uint64_t kFrames = 10'000;

using Values = std::map<std::string, double>;
/// What a node has drawn: the values of each of the show's frames.
using Drawn = std::map<std::uint64_t, Values>;

/// Keeps the values that it is told.
class Told final : public plugin::Plugin {
 public:
  std::optional<media::Frame> process(plugin::Work&) override { return std::nullopt; }
  void set(std::string_view parameter, const show::ParameterValue& value) override {
    values.insert_or_assign(std::string(parameter), std::get<double>(value));
  }
  Values values;
};

/// The document as a node hears of it.
struct Message {
  nanoseconds arrives;
  show::Show show;
};

/// A node with a clock of its own, which runs one slot.
class SimulatedNode {
 public:
  SimulatedNode(nanoseconds zero, double drift_ppm, nanoseconds misjudged)
      : zero_(zero), drift_(drift_ppm / 1e6), misjudged_(misjudged) {}

  void hear(Message message) { heard_.push_back(std::move(message)); }
  /// Begins, or begins again, with the newest document that has arrived.
  void start(nanoseconds now, const show::Show& show) {
    heard_.clear();
    told_.values.clear();
    moving_.emplace();
    count_.emplace(kRate, [this](LocalTime local) { return time_at(local); });
    position_ = 0;
    next_ = now + 3ms;
    follow(show);
  }
  void stop() { count_.reset(); }

  /// Makes the frames that are due by `now`.
  void run_until(nanoseconds now) {
    while (!heard_.empty() && heard_.front().arrives <= now) {
      if (count_) follow(heard_.front().show);
      heard_.pop_front();
    }
    for (; count_ && next_ <= now; next_ += kRate.time_of({1})) {
      const auto local = local_at(next_);
      const auto number = count_->number_of(position_, local);
      moving_->move(told_, number);
      drawn.emplace(number.value, told_.values);
      count_->shown(position_++, local);
    }
  }

  Drawn drawn;

 private:
  [[nodiscard]] LocalTime local_at(nanoseconds cluster) const {
    const auto passed = cluster - kEvening;
    const auto drifted = static_cast<std::int64_t>(static_cast<double>(passed.count()) * drift_);
    return LocalTime(zero_ + passed + nanoseconds(drifted));
  }
  // The node's opinion, which a reading corrects every few seconds.
  [[nodiscard]] std::optional<nanoseconds> time_at(LocalTime local) const {
    const auto passed = local.time_since_epoch() - zero_;
    const auto drifted = static_cast<std::int64_t>(static_cast<double>(passed.count()) * drift_);
    return kEvening + passed - nanoseconds(drifted) + misjudged_;
  }
  void follow(const show::Show& show) {
    std::vector<Modulation::ParameterCourse> courses;
    for (const auto& [name, oscillator] : show.submixes[0].slots[0].oscillators)
      courses.push_back({name, Modulation::OscillatorCourse{oscillator, show::seed_of(name)}});
    moving_->follow(std::make_shared<const Modulation>(std::move(courses), show.tempo, kRate));
  }

  const nanoseconds zero_;
  const double drift_;
  const nanoseconds misjudged_;
  std::deque<Message> heard_;
  Told told_;
  std::optional<MovingParameters> moving_;
  std::optional<ShowCount> count_;
  std::uint64_t position_ = 0;
  nanoseconds next_{0};
};

show::Show first_show() {
  show::Slot slot{.name = "m", .plugin = "level", .parameters = {}, .inputs = {}};
  for (int i = 0; i < show::kWaveforms; ++i) {
    show::Oscillator oscillator{.waveform = static_cast<show::Waveform>(i), .frequency = 0.37};
    slot.oscillators.emplace("free" + std::to_string(i), oscillator);
    oscillator.beats = 0.75;
    slot.oscillators.emplace("bound" + std::to_string(i), oscillator);
  }
  show::Show show;
  show.rate = kRate;
  show.submixes = {{"left", "a", {slot}}};
  return show;
}

/// A writer that changes the pace of everything, at random.
class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  [[nodiscard]] const show::Show& show() const { return show_; }
  void write(nanoseconds now) {
    auto after = show_;
    const auto part = std::uniform_real_distribution<>(0.0, 1.0);
    auto any = part;
    const auto at = show::announced_after(now);
    switch (std::uniform_int_distribution<>(0, 3)(random_)) {
      case 0:
        after.tempo.beats_per_minute = 60 + 100 * any(random_);
        break;
      case 1:
        after.tempo.master_speed = 3 * any(random_);
        break;
      case 2:
        after.tempo = show::with_beat(after.tempo, 4.0 * any(random_), at);
        break;
      default:
        for (auto& [name, oscillator] : after.submixes[0].slots[0].oscillators) {
          if (oscillator.waveform == show::Waveform::one_shot) continue;
          (oscillator.beats ? *oscillator.beats : oscillator.frequency) = 0.1 + 5 * any(random_);
        }
    }
    show::announce(&show_, after, at);
    show_ = std::move(after);
  }
  // How long a document takes to a node.
  nanoseconds delay() { return milliseconds(std::uniform_int_distribution<>(1, 150)(random_)); }

 private:
  std::mt19937 random_;
  show::Show show_ = first_show();
};

// The share of frames with other values on the two nodes; counts frames that both have drawn.
std::pair<std::size_t, std::size_t> compare(const Drawn& a, const Drawn& b) {
  std::size_t common = 0;
  std::size_t different = 0;
  for (const auto& [number, values] : a) {
    const auto other = b.find(number);
    if (other == b.end()) continue;
    ++common;
    if (other->second != values) ++different;
  }
  return {common, different};
}

// A change every 30 ms to 1 s, a restart every 7 s on one node, and a node that comes late.
TEST(ShowTime, GivesAllNodesTheSameValuesInEachFrame) {
  const unsigned seed = 20'261'125;
  SCOPED_TRACE(seed);
  Writer writer(seed);
  std::mt19937 random(seed + 1);
  SimulatedNode steady(5s, 40, 2ms);
  SimulatedNode restarted(3h, -30, -3ms);
  SimulatedNode late(70s, 5, 0ms);
  steady.start(kEvening, writer.show());
  restarted.start(kEvening + 8ms, writer.show());

  const auto end = kEvening + kRate.time_of({kFrames + 600});
  auto next_change = kEvening + 100ms;
  auto next_restart = kEvening + 7s;
  bool is_late_here = false;
  for (auto now = kEvening; now < end; now += 1ms) {
    if (now >= next_change) {
      writer.write(now);
      for (auto* node : {&steady, &restarted, &late})
        node->hear({now + writer.delay(), writer.show()});
      next_change += milliseconds(std::uniform_int_distribution<>(30, 1000)(random));
    }
    if (now >= next_restart) {
      restarted.start(now, writer.show());  // a move to another node is the same
      next_restart += 7s;
    }
    if (!is_late_here && now >= kEvening + 60s) {
      late.start(now, writer.show());
      is_late_here = true;
    }
    for (auto* node : {&steady, &restarted, &late})
      node->run_until(now);
  }

  const auto [both, different] = compare(steady.drawn, restarted.drawn);
  EXPECT_GE(both, kFrames);
  EXPECT_EQ(different, 0U);
  const auto [with_late, different_late] = compare(steady.drawn, late.drawn);
  EXPECT_GE(with_late, kFrames / 2);
  EXPECT_EQ(different_late, 0U);
  const auto last = kRate.time_of({steady.drawn.rbegin()->first});
  EXPECT_LE(std::chrono::abs(last - end), 100ms) << "on the cluster's clock";
}

}  // namespace
}  // namespace submix::engine
