// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/run_command.hpp"

#include "common/base/allocation_count.hpp"
#include "tests/throughput/measurement.hpp"
#include "tests/throughput/progress.hpp"
#include "tests/throughput/random_key.hpp"
#include "tests/throughput/rate_timeline.hpp"
#include "tests/throughput/run_figures.hpp"
#include "tests/throughput/run_json.hpp"
#include "tests/throughput/statistics.hpp"
#include "tests/throughput/testbed.hpp"
#include "tests/throughput/wire_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>

namespace submix::throughput {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kAloneWarmUp{400};
constexpr milliseconds kAloneDuration{1500};

/// The capacity of each link alone, measured with plain TCP; of the varied link at each of its
/// rates.
struct AloneRates {
  std::vector<double> bytes_per_second;
  std::vector<double> varied;

  [[nodiscard]] double sum() const {
    return std::accumulate(bytes_per_second.begin(), bytes_per_second.end(), 0.0);
  }
  [[nodiscard]] double best() const {
    return *std::max_element(bytes_per_second.begin(), bytes_per_second.end());
  }
};

/// Changes a link's rate while a measurement runs, and notes the times.
class RateVariation {
 public:
  RateVariation(const Testbed& testbed, const Variation& variation, const AloneRates& alone)
      : testbed_(testbed),
        variation_(variation),
        alone_(alone),
        timeline_(alone.sum()),
        next_ns_(monotonic_ns() + period_ns()) {}

  [[nodiscard]] Result<void> tick() {
    if (monotonic_ns() < next_ns_) return {};
    next_ns_ += period_ns();
    current_ = (current_ + 1) % variation_.rates.size();
    if (auto set = testbed_.set_rate(variation_.link, variation_.rates[current_]); !set) return set;
    timeline_.change(
        static_cast<double>(monotonic_ns()) / kGiga,
        alone_.sum() - alone_.bytes_per_second[variation_.link] + alone_.varied[current_]);
    return {};
  }
  [[nodiscard]] const RateTimeline& timeline() const { return timeline_; }

 private:
  [[nodiscard]] std::int64_t period_ns() const {
    return std::chrono::nanoseconds(variation_.period).count();
  }

  const Testbed& testbed_;
  const Variation& variation_;
  const AloneRates& alone_;
  RateTimeline timeline_;
  std::size_t current_ = 0;
  std::int64_t next_ns_;
};

/// The rounds of one run. Confined (main).
class Run {
 public:
  Run(Context& context, const RunOptions& options, const Testbed& testbed)
      : context_(context),
        options_(options),
        testbed_(testbed),
        progress_(options.rounds * steps_of_a_round()) {}

  Result<RunResult> all_rounds() {
    RunResult result;
    result.is_shaped = !options_.shape.empty();
    result.counts_allocations = can_count_allocations();
    for (round_ = 1; round_ <= options_.rounds; ++round_) {
      auto figures = one_round();
      SUBMIX_TRY(figures);
      result.rounds.push_back(std::move(*figures));
    }
    result.median = median_of(result.rounds);
    result.complaints = complaints_;
    if (result.is_shaped) {
      const auto bursts =
          static_cast<double>(options_.links * testing::NetworkNamespaces::kBurstBytes);
      result.burst_ms = bursts / static_cast<double>(frame_bytes()) * result.median.wire_ms;
    }
    return result;
  }

 private:
  [[nodiscard]] std::size_t steps_of_a_round() const {
    return options_.links + 1 + (options_.variation ? options_.variation->rates.size() : 0);
  }
  void announce(const std::string& what) {
    progress_.begin_step(fmt::format("round {} of {}, {}", round_, options_.rounds, what));
  }

  Result<RunFigures> one_round() {
    const auto alone = measure_alone();
    SUBMIX_TRY(alone);
    announce(fmt::format("{} {} together", options_.links, options_.links == 1 ? "link" : "links"));
    if (!options_.variation) {
      const auto outcome = measure(testbed_, job(), all_links(testbed_), [this] { return look(); });
      SUBMIX_TRY(outcome);
      return figures_of_round(*outcome, *alone, RateTimeline(line_rate(*alone)));
    }
    RateVariation variation(testbed_, *options_.variation, *alone);
    const auto outcome = measure(testbed_, job(), all_links(testbed_), [&] {
      auto varied = variation.tick();
      return varied ? look() : varied;
    });
    SUBMIX_TRY(outcome);
    SUBMIX_TRY(set_first_rate());
    return figures_of_round(*outcome, *alone, variation.timeline());
  }

  Result<AloneRates> measure_alone() {
    AloneRates alone;
    SUBMIX_TRY(set_first_rate());
    for (std::size_t link = 0; link < options_.links; ++link) {
      announce(fmt::format("link {} alone", link));
      const auto rate = rate_alone(link);
      SUBMIX_TRY(rate);
      alone.bytes_per_second.push_back(*rate);
    }
    if (!options_.variation) return alone;
    for (const auto limit : options_.variation->rates) {
      const auto link = options_.variation->link;
      announce(fmt::format("link {} alone at {}", link, to_text(limit)));
      SUBMIX_TRY(testbed_.set_rate(link, limit));
      const auto rate = rate_alone(link);
      SUBMIX_TRY(rate);
      alone.varied.push_back(*rate);
    }
    SUBMIX_TRY(set_first_rate());
    alone.bytes_per_second[options_.variation->link] = alone.varied.front();
    return alone;
  }

  Result<double> rate_alone(std::size_t link) {
    Job plain;
    plain.transport = Transport::plain;
    plain.size = options_.size;
    plain.warm_up = std::min(options_.warm_up, kAloneWarmUp);
    plain.duration =
        options_.frames > 0 ? kAloneDuration : std::min(options_.duration, kAloneDuration);
    const auto outcome = measure(testbed_, plain, {link}, [this] { return look(); });
    if (!outcome) return fail("link {} alone: {}", link, outcome.error().message);
    const auto window = read_window(outcome->ledger, wire_bytes(options_.size));
    SUBMIX_TRY(window);
    return window->bytes_per_second;
  }

  Result<void> set_first_rate() {
    if (!options_.variation) return {};
    return testbed_.set_rate(options_.variation->link, options_.variation->rates.front());
  }

  // Links on one machine without limits share its speed: together they carry as much as one.
  [[nodiscard]] double line_rate(const AloneRates& alone) const {
    return options_.shape.empty() ? alone.best() : alone.sum();
  }

  // The least time that the links' delays add to a frame's time on the wire.
  [[nodiscard]] double delays_cost(const AloneRates& alone) const {
    if (options_.delays.empty()) return 0;
    std::vector<LinkCapacity> capacities;
    for (std::size_t link = 0; link < options_.links; ++link) {
      capacities.push_back({alone.bytes_per_second[link],
                            std::chrono::duration<double>(options_.delays[link]).count()});
    }
    const auto bytes = static_cast<double>(frame_bytes());
    return least_seconds(capacities, bytes) - bytes / alone.sum();
  }

  /// Of a stream, on the wire.
  [[nodiscard]] std::size_t frame_bytes() const { return wire_bytes(options_.size, options_.wire); }

  [[nodiscard]] Job job() const {
    Job job;
    job.size = options_.size;
    job.pixel = options_.pixel;
    job.wire = options_.wire;
    job.rate = options_.rate;
    job.streams = options_.streams;
    job.credits = options_.credits;
    job.warm_up = options_.warm_up;
    job.frames = options_.frames;
    job.duration = options_.duration;
    job.congestion = options_.congestion;
    job.checksum = options_.checksum;
    job.is_encrypted = options_.is_encrypted;
    job.is_realtime = options_.is_realtime;
    job.has_key = !testbed_.is_loopback();
    job.key = key_;
    return job;
  }

  Result<RunFigures> figures_of_round(const Outcome& outcome, const AloneRates& alone,
                                      const RateTimeline& timeline) {
    auto figures = figures_of(outcome, frame_bytes());
    if (!figures) return figures;
    if (complaints_.empty()) complaints_ = outcome.sent.complaints;
    relate_to_line(*figures, outcome, frame_bytes(), timeline, delays_cost(alone));
    for (const double rate : alone.bytes_per_second)
      figures->links_alone_mb_s.push_back(rate / kMega);
    return figures;
  }

  Result<void> look() {
    progress_.tick();
    return context_.go_on();
  }

  Context& context_;
  const RunOptions& options_;
  const Testbed& testbed_;
  Progress progress_;
  const wire::Key key_ = random_key();
  std::size_t round_ = 1;
  std::string complaints_;  // the first ones
};

}  // namespace

Result<RunResult> measure_run(Context& context, const RunOptions& options) {
  if (!options.has_namespaces) {
    const auto testbed = Testbed::loopback(options.links);
    return Run(context, options, testbed).all_rounds();
  }
  const auto testbed = Testbed::namespaces(options.links, options.shape, options.delays);
  SUBMIX_TRY(testbed);
  return Run(context, options, *testbed).all_rounds();
}

int run_run(Context& context, const RunOptions& options) {
  const auto result = measure_run(context, options);
  if (!result) return failed(context, result.error());
  fmt::print("{}{}", context.is_json ? to_json(options, *result) : to_text(*result),
             context.is_json ? "\n" : "");
  return result->median.faults.is_none() ? kOk : kFailed;
}

}  // namespace submix::throughput
