// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/run_command.hpp"

#include "common/wire/seal.hpp"
#include "tests/throughput/allocation_count.hpp"
#include "tests/throughput/measurement.hpp"
#include "tests/throughput/progress.hpp"
#include "tests/throughput/rate_timeline.hpp"
#include "tests/throughput/run_json.hpp"
#include "tests/throughput/testbed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>

namespace submix::throughput {
namespace {

using std::chrono::milliseconds;

constexpr double kMega = 1e6;
constexpr double kGiga = 1e9;
constexpr double kMilli = 1e3;
constexpr milliseconds kAloneWarmUp{400};
constexpr milliseconds kAloneDuration{1500};

/// What each link carries alone; of the varied one at each of its rates.
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

/// Changes a link's rate while a measurement runs, and keeps when.
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
    timeline_.change(static_cast<double>(monotonic_ns()) / kGiga,
                     alone_.sum() - alone_.bytes_per_second[variation_.link] + alone_.varied[current_]);
    return {};
  }
  [[nodiscard]] const RateTimeline& timeline() const { return timeline_; }

 private:
  [[nodiscard]] std::int64_t period_ns() const { return std::chrono::nanoseconds(variation_.period).count(); }

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
        progress_(options.rounds * steps_of_a_round()) {
    if (!testbed.is_loopback()) {
      const auto first = wire::random_nonce();
      const auto second = wire::random_nonce();
      std::copy(first.begin(), first.end(), key_.begin());
      std::copy(second.begin(), second.end(), key_.begin() + first.size());
    }
  }

  Result<RunResult> all_rounds() {
    RunResult result;
    result.is_shaped = !options_.shape.empty();
    result.counts_allocations = can_count_allocations();
    for (round_ = 1; round_ <= options_.rounds; ++round_) {
      auto figures = one_round();
      if (!figures) return tl::unexpected(figures.error());
      result.rounds.push_back(std::move(*figures));
    }
    result.median = median_of(result.rounds);
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
    if (!alone) return tl::unexpected(alone.error());
    announce(fmt::format("{} {} together", options_.links, options_.links == 1 ? "link" : "links"));
    auto timeline = RateTimeline(line_rate(*alone));
    if (!options_.variation) {
      const auto outcome = measure(testbed_, job(), all_links(testbed_), [this] { return look(); });
      if (!outcome) return tl::unexpected(outcome.error());
      return figures_of(*outcome, *alone, timeline);
    }
    RateVariation variation(testbed_, *options_.variation, *alone);
    const auto outcome = measure(testbed_, job(), all_links(testbed_), [&] {
      auto varied = variation.tick();
      return varied ? look() : varied;
    });
    if (!outcome) return tl::unexpected(outcome.error());
    if (auto reset = set_first_rate(); !reset) return tl::unexpected(reset.error());
    return figures_of(*outcome, *alone, variation.timeline());
  }

  Result<AloneRates> measure_alone() {
    AloneRates alone;
    if (auto reset = set_first_rate(); !reset) return tl::unexpected(reset.error());
    for (std::size_t link = 0; link < options_.links; ++link) {
      announce(fmt::format("link {} alone", link));
      const auto rate = rate_alone(link);
      if (!rate) return tl::unexpected(rate.error());
      alone.bytes_per_second.push_back(*rate);
    }
    if (!options_.variation) return alone;
    for (const auto limit : options_.variation->rates) {
      const auto link = options_.variation->link;
      announce(fmt::format("link {} alone at {}", link, to_text(limit)));
      if (auto set = testbed_.set_rate(link, limit); !set) return tl::unexpected(set.error());
      const auto rate = rate_alone(link);
      if (!rate) return tl::unexpected(rate.error());
      alone.varied.push_back(*rate);
    }
    if (auto reset = set_first_rate(); !reset) return tl::unexpected(reset.error());
    alone.bytes_per_second[options_.variation->link] = alone.varied.front();
    return alone;
  }

  Result<double> rate_alone(std::size_t link) {
    Job plain;
    plain.transport = Transport::plain;
    plain.size = options_.size;
    plain.warm_up = kAloneWarmUp;
    plain.duration = kAloneDuration;
    const auto outcome = measure(testbed_, plain, {link}, [this] { return look(); });
    if (!outcome) return fail("link {} alone: {}", link, outcome.error().message);
    const auto window = read_window(outcome->ledger, options_.size);
    if (!window) return tl::unexpected(window.error());
    return window->bytes_per_second;
  }

  Result<void> set_first_rate() {
    if (!options_.variation) return {};
    return testbed_.set_rate(options_.variation->link, options_.variation->rates.front());
  }

  // Links on one machine without limits are not lines: together they carry what one does.
  [[nodiscard]] double line_rate(const AloneRates& alone) const {
    return options_.shape.empty() ? alone.best() : alone.sum();
  }

  [[nodiscard]] Job job() const {
    Job job;
    job.size = options_.size;
    job.rate = options_.rate;
    job.streams = options_.streams;
    job.credits = options_.credits;
    job.warm_up = options_.warm_up;
    job.frames = options_.frames;
    job.duration = options_.duration;
    job.has_key = !testbed_.is_loopback();
    job.key = key_;
    return job;
  }

  Result<RunFigures> figures_of(const Outcome& outcome, const AloneRates& alone,
                                const RateTimeline& timeline) {
    const auto window = read_window(outcome.ledger, options_.size);
    if (!window || !outcome.received.is_measured) return nothing_measured(outcome, window);
    RunFigures figures;
    figures.goodput_mb_s = window->bytes_per_second / kMega;
    figures.frames_per_second = window->frames_per_second;
    figures.line_share = window->bytes_per_second / line_rate(alone);
    for (const double rate : alone.bytes_per_second)
      figures.links_alone_mb_s.push_back(rate / kMega);
    fill_in_parts(figures, outcome.sent);
    fill_in_latency(figures, *window, timeline);
    fill_in_cost(figures, outcome);
    figures.wire_ms = static_cast<double>(wire_bytes(options_.size)) / line_rate(alone) * kMilli;
    figures.faults = outcome.received.faults;
    return figures;
  }

  static Result<RunFigures> nothing_measured(const Outcome& outcome, const Result<WindowFigures>& window) {
    const auto& faults = outcome.received.faults;
    return fail("{}: {} frames lost, {} duplicated, {} reordered, {} torn",
                window ? "the receiver has measured nothing" : window.error().message, faults.lost,
                faults.duplicated, faults.reordered, faults.torn);
  }

  static void fill_in_parts(RunFigures& figures, const SideReport& sent) {
    double bytes = 0;
    for (const auto& link : sent.links)
      bytes += static_cast<double>(link.bytes);
    for (const auto& link : sent.links)
      figures.link_parts.push_back(bytes > 0 ? static_cast<double>(link.bytes) / bytes : 0);
  }

  void fill_in_latency(RunFigures& figures, const WindowFigures& window, const RateTimeline& timeline) const {
    const auto bytes = static_cast<double>(wire_bytes(options_.size));
    std::vector<double> milliseconds_each;
    std::vector<double> over_wire;
    for (std::size_t i = 0; i < window.latencies_s.size(); ++i) {
      milliseconds_each.push_back(window.latencies_s[i] * kMilli);
      over_wire.push_back(window.latencies_s[i] / timeline.wire_seconds(window.offered_s[i], bytes));
    }
    figures.latency_ms = distribution(std::move(milliseconds_each));
    figures.latency_over_wire = distribution(std::move(over_wire));
  }

  void fill_in_cost(RunFigures& figures, const Outcome& outcome) const {
    const auto bytes = static_cast<double>(wire_bytes(options_.size));
    const auto seconds_per_gb = [&](std::chrono::nanoseconds used, const SideReport& side) {
      return std::chrono::duration<double>(used).count() /
             (static_cast<double>(side.frames_measured) * bytes / kGiga);
    };
    const auto per_frame = [](std::uint64_t count, const SideReport& side) {
      return static_cast<double>(count) / static_cast<double>(side.frames_measured);
    };
    const auto& sent = outcome.sent;
    const auto& received = outcome.received;
    figures.cpu_s_per_gb_send = seconds_per_gb(sent.used.cpu, sent);
    figures.cpu_s_per_gb_receive = seconds_per_gb(received.used.cpu, received);
    figures.cpu_s_per_gb_machine = seconds_per_gb(received.used.machine_busy, received);
    figures.allocations_per_frame_send = per_frame(sent.used.allocations, sent);
    figures.faults_per_frame_send = per_frame(sent.used.page_faults, sent);
    figures.allocations_per_frame =
        figures.allocations_per_frame_send + per_frame(received.used.allocations, received);
    figures.faults_per_frame = figures.faults_per_frame_send + per_frame(received.used.page_faults, received);
  }

  Result<void> look() {
    progress_.tick();
    return context_.go_on();
  }

  Context& context_;
  const RunOptions& options_;
  const Testbed& testbed_;
  Progress progress_;
  std::array<std::uint8_t, 32> key_{};
  std::size_t round_ = 1;
};

}  // namespace

Result<RunResult> measure_run(Context& context, const RunOptions& options) {
  if (!options.has_namespaces) {
    const auto testbed = Testbed::loopback(options.links);
    return Run(context, options, testbed).all_rounds();
  }
  const auto testbed = Testbed::namespaces(options.links, options.shape);
  if (!testbed) return tl::unexpected(testbed.error());
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
