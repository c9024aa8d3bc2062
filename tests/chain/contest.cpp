// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/chain/contest.hpp"

#include "tests/chain/processes.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <thread>

namespace submix::chain {
namespace {

using Seconds = std::chrono::duration<double>;

// What disturbs a virtual machine lasts for some tenths of a second.
constexpr std::chrono::milliseconds kTurn(120);
constexpr std::chrono::milliseconds kToWarmUp(60);
constexpr std::chrono::milliseconds kGlance(4);
constexpr Seconds kAtRest(0.0004);  // of CPU time between two glances: the glance itself
constexpr int kGlancesMax = 100;

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

/// Children do not come and go meanwhile: to look for them would take as long as some filters.
class Referee {
 public:
  void give_turn(Contender& contender, Totals& totals) const {
    contender.go_on();
    std::this_thread::sleep_for(kToWarmUp);
    const auto from = totals_of(contender);
    std::this_thread::sleep_for(kTurn);
    totals.add(from, totals_of(contender));
    contender.rest();
    wait_until_at_rest();
  }

 private:
  [[nodiscard]] Totals totals_of(const Contender& contender) const {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return {cpu_of_this_and(children_), std::chrono::steady_clock::now().time_since_epoch(),
            static_cast<double>(contender.frames()), static_cast<double>(usage.ru_minflt + usage.ru_majflt)};
  }

  void wait_until_at_rest() const {
    auto before = cpu_of_this_and(children_);
    for (int i = 0; i < kGlancesMax; ++i) {
      std::this_thread::sleep_for(kGlance);
      const auto now = cpu_of_this_and(children_);
      if (now - before < kAtRest) return;
      before = now;
    }
  }

  const std::vector<pid_t> children_ = children_of_this();
};

}  // namespace

void contest(std::vector<Way>& ways, Seconds time) {
  const Referee referee;
  std::vector<Totals> totals(ways.size());
  const auto turns = std::max(1, static_cast<int>(time / kTurn));
  for (int turn = 0; turn < turns; ++turn) {
    for (std::size_t i = 0; i < ways.size(); ++i)
      referee.give_turn(*ways[i].contender, totals[i]);
  }
  for (std::size_t i = 0; i < ways.size(); ++i)
    ways[i].rounds.push_back(totals[i].figures());
}

}  // namespace submix::chain
