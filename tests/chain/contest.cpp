// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/chain/contest.hpp"

#include "tests/chain/processes.hpp"
#include "tests/throughput/statistics.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <thread>

namespace submix::chain {
namespace {

using Steady = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// frames that were in flight when the contender came to rest
constexpr std::uint64_t kFramesToWarmUp = 6;
constexpr std::chrono::microseconds kLook(500);
constexpr std::chrono::seconds kPatience(30);

// At rest: several samples in a row show little more CPU time than the sampling itself.
constexpr std::chrono::milliseconds kGlance(3);
constexpr Seconds kOfAGlance(0.0004);
constexpr int kGlances = 3;

struct Totals {
  Seconds cpu{};
  Seconds passed{};
  double frames = 0;
  double page_faults = 0;

  void add(const Totals& from, const Totals& to) {
    cpu += to.cpu - from.cpu;
    passed += to.passed - from.passed;
    frames += to.frames - from.frames;
    page_faults += to.page_faults - from.page_faults;
  }
  [[nodiscard]] Figures figures() const {
    return {.cpu_ms = cpu.count() * 1e3 / frames,
            .fps = frames / passed.count(),
            .page_faults = page_faults / frames};
  }
};

/// The processes stay the same during a contest: searching for children would take as long as some
/// filters.
class Referee {
 public:
  explicit Referee(Seconds turn) : turn_(turn) {}

  // From the end of one frame to the end of another, so that no partial frames count.
  void give_turn(Contender& contender, Totals& totals) const {
    const auto before = contender.frames();
    contender.go_on();
    std::this_thread::sleep_for(turn_ / 2);
    wait_for_frame(contender, before + kFramesToWarmUp);
    wait_for_frame(contender, contender.frames() + 1);
    const auto from = totals_of(contender);
    std::this_thread::sleep_for(turn_);
    wait_for_frame(contender, contender.frames() + 1);
    totals.add(from, totals_of(contender));
    contender.rest();
    wait_until_at_rest();
  }

  void wait_until_at_rest() const {
    const auto deadline = Steady::now() + kPatience;
    auto before = cpu_of_this_and(children_);
    for (int quiet = 0; quiet < kGlances;) {
      std::this_thread::sleep_for(kGlance);
      const auto now = cpu_of_this_and(children_);
      quiet = now - before < kOfAGlance ? quiet + 1 : 0;
      before = now;
      if (Steady::now() > deadline) throw std::runtime_error("somebody does not come to rest");
    }
  }

 private:
  [[nodiscard]] Totals totals_of(const Contender& contender) const {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return {cpu_of_this_and(children_), Steady::now().time_since_epoch(),
            static_cast<double>(contender.frames()),
            static_cast<double>(usage.ru_minflt + usage.ru_majflt)};
  }

  static void wait_for_frame(const Contender& contender, std::uint64_t count) {
    const auto deadline = Steady::now() + kPatience;
    while (contender.frames() < count) {
      std::this_thread::sleep_for(kLook);
      if (Steady::now() > deadline) throw std::runtime_error("somebody makes no frames");
    }
  }

  const Seconds turn_;
  const std::vector<pid_t> children_ = children_of_this();
};

}  // namespace

void contest(std::vector<ContestEntry>& entries, Seconds time, Seconds turn) {
  const Referee referee(turn);
  referee.wait_until_at_rest();
  std::vector<Totals> totals(entries.size());
  const auto turns = std::max<std::size_t>(1, static_cast<std::size_t>(time / turn));
  for (std::size_t done = 0; done < turns; ++done) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto next = (i + done) % entries.size();
      referee.give_turn(*entries[next].contender, totals[next]);
    }
  }
  for (std::size_t i = 0; i < entries.size(); ++i)
    entries[i].rounds.push_back(totals[i].figures());
}

double median_of(const ContestEntry& entry, double Figures::* figure) {
  std::vector<double> values;
  for (const auto& round : entry.rounds)
    values.push_back(round.*figure);
  return throughput::median(values);
}

std::vector<double> ratios(const ContestEntry& entry, const ContestEntry& base,
                           double Figures::* figure) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < entry.rounds.size(); ++i)
    ratios.push_back(entry.rounds[i].*figure / (base.rounds[i].*figure));
  return ratios;
}

}  // namespace submix::chain
