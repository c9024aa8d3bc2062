// SPDX-License-Identifier: GPL-3.0-or-later
// A pool states which of its seats are free; queues, taps and marks show who holds which seat. The
// two accounts are independent, so each can show an error in the other. The pool is read before and
// after the holders. If both readings agree, with equal loan counts, no seat was lent or returned
// in between, and both accounts describe the same moment.
//
// A moving frame can still be missed: it was pushed into a queue already looked through, and its
// worker's mark was removed before the marks were read. Therefore the census repeats the search.
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
constexpr std::string_view kPluginsPool = " (received)";  // only stream ends have such a pool

/// Where a seat is, and who holds it there.
struct Located {
  SeatPlace place = SeatPlace::free;
  std::string holder;

  friend auto operator<=>(const Located&, const Located&) = default;
};

/// Seats whose frames lie in queues and taps, without a worker.
using Found = std::map<const void*, Located>;

Found look_into_queues_and_taps(const std::vector<std::shared_ptr<Stage>>& stages) {
  Found found;
  std::vector<const void*> seats;
  for (const auto& stage : stages) {
    const auto wiring = stage->control().wiring();
    for (const auto& [from, queue, delay] : wiring->inputs) {
      seats.clear();
      seats.reserve(queue->capacity());
      queue->look_through([&seats](const media::Frame& frame) { seats.push_back(frame.seat()); });
      for (const auto* seat : seats)
        found.insert_or_assign(
            seat, Located{SeatPlace::queue, fmt::format("{} to {}", from, stage->slot())});
    }
    if (const auto* seat = stage->tap().kept().seat())
      found.emplace(seat, Located{SeatPlace::tap, stage->slot()});
  }
  return found;
}

/// Stages with a mark, and how many frames their plugins keep.
struct MarkedStages {
  std::string names;
  std::size_t frames_retained = 0;
};

/// The stages with these marks; with `do_retain`, only those whose plugins keep frames.
MarkedStages holders_of(const std::vector<std::shared_ptr<Stage>>& stages, std::uint64_t marks,
                        bool do_retain) {
  MarkedStages holders;
  for (const auto& stage : stages) {
    if ((stage->holder() & marks) == 0 || (do_retain && stage->traits().frames_retained == 0))
      continue;
    holders.names += (holders.names.empty() ? "" : " or ") + stage->slot();
    holders.frames_retained += stage->traits().frames_retained;
  }
  return holders;
}

bool is_certain(const Located& seat) {
  return seat.place != SeatPlace::kept && seat.place != SeatPlace::elsewhere;
}

/// The count of a single pool, round by round.
class PoolCount {
 public:
  using Notes = std::function<std::vector<SeatNote>()>;

  PoolCount(std::string name, Notes look) : name_(std::move(name)), look_(std::move(look)) {}

  [[nodiscard]] bool is_done() const { return is_done_; }
  void begin_round() { before_ = look_(); }
  void end_round(const Found& found, const std::vector<std::shared_ptr<Stage>>& stages) {
    const auto after = look_();
    std::vector<Located> located;
    std::map<std::string, std::size_t> kept;
    std::uint32_t free_but_held = 0;
    for (const auto& note : after) {
      located.push_back(locate(note, found, stages, kept));
      if (note.is_free && found.contains(note.seat)) ++free_but_held;
    }
    const bool is_steady =
        std::ranges::equal(before_, after, [](const SeatNote& a, const SeatNote& b) {
          return a.is_free == b.is_free && a.loans == b.loans;
        });
    // Even in a round that is not steady, a seat with a certain holder was found correctly.
    for (std::size_t i = 0; !is_steady && i < std::min(located_.size(), located.size()); ++i) {
      if (is_certain(located_[i])) located[i] = located_[i];
    }
    is_steady_ = is_steady;
    free_but_held_ = is_steady ? free_but_held : 0;
    located_ = std::move(located);
    is_done_ =
        is_steady && free_but_held == 0 && !std::ranges::any_of(located_, [](const Located& seat) {
          return seat.place == SeatPlace::elsewhere;
        });
  }

  [[nodiscard]] telemetry::PoolReading reading() const {
    std::map<Located, std::uint32_t> counts;
    for (const auto& seat : located_)
      ++counts[seat];
    telemetry::PoolReading reading{.slot = name_,
                                   .capacity = static_cast<std::uint32_t>(located_.size())};
    for (const auto& [located, seats] : counts) {
      reading.seats.push_back({located.place, located.holder, seats});
      if (located.place != SeatPlace::free) reading.taken += seats;
    }
    reading.free_but_held = free_but_held_;
    reading.is_steady = is_steady_;
    return reading;
  }

 private:
  // Marks are hints at possible holders: they do not show that a plugin keeps more than it states.
  static Located locate(const SeatNote& note, const Found& found,
                        const std::vector<std::shared_ptr<Stage>>& stages,
                        std::map<std::string, std::size_t>& kept) {
    if (note.is_free) return {SeatPlace::free, ""};
    if (!note.is_published) return {SeatPlace::making, ""};
    const auto place = found.find(note.seat);
    if (place != found.end() && place->second.place == SeatPlace::queue) return place->second;
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
  std::vector<Located> located_;  // of all seats, after the rounds so far
  std::uint32_t free_but_held_ = 0;
  bool is_steady_ = false;
  bool is_done_ = false;
};

std::vector<PoolCount> pools_of(const std::vector<std::shared_ptr<Stage>>& stages) {
  std::vector<PoolCount> pools;
  for (const auto& stage : stages) {
    if (const auto pool = stage->control().wiring()->pool)
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
