// SPDX-License-Identifier: GPL-3.0-or-later
// A pool says which of its seats are free; queues, taps and marks say who has which. Neither asks the other,
// so that one can show that the other is wrong. The pool is asked before and after the holders: where it says
// the same, with as many loans, no seat was lent or came back meanwhile, and both are of one moment.
//
// A frame that moves while it is looked for can be missed all the same: it was pushed behind a queue that had
// been looked through, and let go before its marks were read. So it is looked for again.
#include "node/engine/seat_census.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace submix::engine {
namespace {

using media::SeatNote;
using telemetry::SeatPlace;

constexpr int kRounds = 4;
constexpr std::string_view kPluginsPool = " (received)";  // only streams' ends have one

/// A place for one seat.
using Verdict = std::pair<SeatPlace, std::string>;

/// Where frames are outside of anybody's hands, by their seats.
using Found = std::map<const void*, Verdict>;

Found look_into_queues_and_taps(const std::vector<std::shared_ptr<Stage>>& stages) {
  Found found;
  std::vector<const void*> seats;
  for (const auto& stage : stages) {
    const auto wiring = stage->wiring();
    for (const auto& [from, queue, delay] : wiring->inputs) {
      seats.clear();
      seats.reserve(queue->capacity());
      queue->look_through([&seats](const media::Frame& frame) { seats.push_back(frame.seat()); });
      for (const auto* seat : seats)
        found.insert_or_assign(
            seat, Verdict{SeatPlace::queue, fmt::format("{} to {}", from, stage->slot())});
    }
    if (const auto* seat = stage->tap().kept().seat())
      found.try_emplace(seat, SeatPlace::tap, stage->slot());
  }
  return found;
}

/// Those stages that the marks name; where `do_retain`, only those whose plugins keep frames.
struct Holders {
  std::string names;
  std::size_t frames_retained = 0;
};

Holders holders_of(const std::vector<std::shared_ptr<Stage>>& stages, std::uint64_t marks,
                   bool do_retain) {
  Holders holders;
  for (const auto& stage : stages) {
    if ((stage->holder() & marks) == 0 || (do_retain && stage->traits().frames_retained == 0))
      continue;
    holders.names += (holders.names.empty() ? "" : " or ") + stage->slot();
    holders.frames_retained += stage->traits().frames_retained;
  }
  return holders;
}

bool is_settled(const Verdict& verdict) {
  return verdict.first != SeatPlace::kept && verdict.first != SeatPlace::elsewhere;
}

/// One pool's count, round by round.
class PoolCount {
 public:
  using Notes = std::function<std::vector<SeatNote>()>;

  PoolCount(std::string name, Notes look) : name_(std::move(name)), look_(std::move(look)) {}

  [[nodiscard]] bool is_done() const { return is_done_; }
  void begin_round() { before_ = look_(); }
  void end_round(const Found& found, const std::vector<std::shared_ptr<Stage>>& stages) {
    const auto after = look_();
    std::vector<Verdict> verdicts;
    std::map<std::string, std::size_t> kept;
    std::uint32_t free_but_held = 0;
    for (const auto& note : after) {
      verdicts.push_back(judge(note, found, stages, kept));
      if (note.is_free && found.contains(note.seat)) ++free_but_held;
    }
    const bool is_steady =
        std::ranges::equal(before_, after, [](const SeatNote& a, const SeatNote& b) {
          return a.is_free == b.is_free && a.loans == b.loans;
        });
    // What a round that is not of one moment says of a seat is right for that seat.
    for (std::size_t i = 0; !is_steady && i < std::min(verdicts_.size(), verdicts.size()); ++i) {
      if (is_settled(verdicts_[i])) verdicts[i] = verdicts_[i];
    }
    is_steady_ = is_steady;
    free_but_held_ = is_steady ? free_but_held : 0;
    verdicts_ = std::move(verdicts);
    is_done_ = is_steady && free_but_held == 0 &&
               !std::ranges::any_of(verdicts_, [](const Verdict& verdict) {
                 return verdict.first == SeatPlace::elsewhere;
               });
  }

  [[nodiscard]] telemetry::PoolReading reading() const {
    std::map<Verdict, std::uint32_t> counts;
    for (const auto& verdict : verdicts_)
      ++counts[verdict];
    telemetry::PoolReading reading{.slot = name_,
                                   .capacity = static_cast<std::uint32_t>(verdicts_.size())};
    for (const auto& [verdict, seats] : counts) {
      reading.seats.push_back({verdict.first, verdict.second, seats});
      if (verdict.first != SeatPlace::free) reading.taken += seats;
    }
    reading.free_but_held = free_but_held_;
    reading.is_steady = is_steady_;
    return reading;
  }

 private:
  // Marks are hints of who it may be: they do not show that a plugin has more than it says.
  static Verdict judge(const SeatNote& note, const Found& found,
                       const std::vector<std::shared_ptr<Stage>>& stages,
                       std::map<std::string, std::size_t>& kept) {
    if (note.is_free) return {SeatPlace::free, ""};
    if (!note.is_published) return {SeatPlace::making, ""};
    const auto place = found.find(note.seat);
    if (place != found.end() && place->second.first == SeatPlace::queue) return place->second;
    if (auto holders = holders_of(stages, note.holders, false); !holders.names.empty())
      return {SeatPlace::stage, std::move(holders.names)};
    if (place != found.end()) return place->second;
    auto keepers = holders_of(stages, note.takers, true);
    if (keepers.names.empty() || ++kept[keepers.names] > keepers.frames_retained)
      return {SeatPlace::elsewhere, ""};
    return {SeatPlace::kept, std::move(keepers.names)};
  }

  std::string name_;
  Notes look_;
  std::vector<SeatNote> before_;
  std::vector<Verdict> verdicts_;  // of all seats, as far as the rounds have come
  std::uint32_t free_but_held_ = 0;
  bool is_steady_ = false;
  bool is_done_ = false;
};

std::vector<PoolCount> pools_of(const std::vector<std::shared_ptr<Stage>>& stages) {
  std::vector<PoolCount> pools;
  for (const auto& stage : stages) {
    if (const auto pool = stage->wiring()->pool)
      pools.emplace_back(stage->slot(), [pool] { return pool->notes(); });
    if (!stage->own_seats().empty())
      pools.emplace_back(fmt::format("{}{}", stage->slot(), kPluginsPool),
                         [stage] { return stage->own_seats(); });
  }
  return pools;
}

}  // namespace

std::vector<telemetry::PoolReading> count_seats(const std::vector<std::shared_ptr<Stage>>& stages) {
  auto pools = pools_of(stages);
  for (int round = 0; round < kRounds && !std::ranges::all_of(pools, &PoolCount::is_done);
       ++round) {
    for (auto& pool : pools) {
      if (!pool.is_done()) pool.begin_round();
    }
    const auto found = look_into_queues_and_taps(stages);
    for (auto& pool : pools) {
      if (!pool.is_done()) pool.end_round(found, stages);
    }
  }
  std::vector<telemetry::PoolReading> readings;
  for (const auto& pool : pools)
    readings.push_back(pool.reading());
  return readings;
}

}  // namespace submix::engine
