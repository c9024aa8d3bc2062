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

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::uint64_t kFramesToWarmUp = 6;  // those that were on their way when it came to rest
constexpr std::chrono::microseconds kLook(500);
constexpr std::chrono::seconds kPatience(30);

// At rest: several glances that saw little more CPU time than their own.
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

/// Children do not come and go meanwhile: to look for them would take as long as some filters.
class Referee {
 public:
  explicit Referee(Seconds turn) : turn_(turn) {}

  // From the end of one frame to that of another, so that there are no parts of frames.
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
    const auto deadline = Clock::now() + kPatience;
    auto before = cpu_of_this_and(children_);
    for (int quiet = 0; quiet < kGlances;) {
      std::this_thread::sleep_for(kGlance);
      const auto now = cpu_of_this_and(children_);
      quiet = now - before < kOfAGlance ? quiet + 1 : 0;
      before = now;
      if (Clock::now() > deadline) throw std::runtime_error("somebody does not come to rest");
    }
  }

 private:
  [[nodiscard]] Totals totals_of(const Contender& contender) const {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return {cpu_of_this_and(children_), Clock::now().time_since_epoch(),
            static_cast<double>(contender.frames()),
            static_cast<double>(usage.ru_minflt + usage.ru_majflt)};
  }

  static void wait_for_frame(const Contender& contender, std::uint64_t count) {
    const auto deadline = Clock::now() + kPatience;
    while (contender.frames() < count) {
      std::this_thread::sleep_for(kLook);
      if (Clock::now() > deadline) throw std::runtime_error("somebody makes no frames");
    }
  }

  const Seconds turn_;
  const std::vector<pid_t> children_ = children_of_this();
};

}  // namespace

void contest(std::vector<Way>& ways, Seconds time, Seconds turn) {
  const Referee referee(turn);
  referee.wait_until_at_rest();
  std::vector<Totals> totals(ways.size());
  const auto turns = std::max<std::size_t>(1, static_cast<std::size_t>(time / turn));
  for (std::size_t done = 0; done < turns; ++done) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const auto next = (i + done) % ways.size();
      referee.give_turn(*ways[next].contender, totals[next]);
    }
  }
  for (std::size_t i = 0; i < ways.size(); ++i)
    ways[i].rounds.push_back(totals[i].figures());
}

double median_of(const Way& way, double Figures::* figure) {
  std::vector<double> values;
  for (const auto& round : way.rounds)
    values.push_back(round.*figure);
  return throughput::median(values);
}

std::vector<double> ratios(const Way& way, const Way& base, double Figures::* figure) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < way.rounds.size(); ++i)
    ratios.push_back(way.rounds[i].*figure / (base.rounds[i].*figure));
  return ratios;
}

}  // namespace submix::chain
