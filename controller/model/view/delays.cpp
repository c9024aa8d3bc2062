// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/delays.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace submix::model {
namespace {

/// Walks from an output along its streams to the performers.
class DelaySearch {
 public:
  DelaySearch(const ClusterView& view, std::string output)
      : view_(view), output_(std::move(output)) {}

  std::vector<PerformerDelay> run() {
    walk(output_, {});
    return std::move(found_);
  }

 private:
  void walk(const std::string& name, telemetry::LatencyReading behind) {
    const auto* submix = view_.find_submix(name);
    const bool is_measured = submix != nullptr && submix->delay.p50.count() > 0;
    if (!is_measured || std::ranges::find(way_, name) != way_.end()) return;
    behind = sum(behind, submix->delay);

    way_.push_back(name);
    bool has_streams = false;
    for (const auto& stream : view_.streams) {
      if (stream.to.submix != name) continue;
      has_streams = true;
      if (stream.sender.latency.p50.count() > 0)
        walk(stream.from.submix, sum(behind, stream.sender.latency));
    }
    way_.pop_back();
    if (!has_streams) note(name, behind);
  }

  void note(const std::string& performer, const telemetry::LatencyReading& delay) {
    auto known = std::ranges::find(found_, performer, &PerformerDelay::performer);
    if (known == found_.end())
      known = found_.insert(known, {.performer = performer, .output = output_});
    known->p50 = std::max(known->p50, delay.p50);
    known->p99 = std::max(known->p99, delay.p99);
  }

  static telemetry::LatencyReading sum(const telemetry::LatencyReading& a,
                                       const telemetry::LatencyReading& b) {
    return {a.p50 + b.p50, a.p99 + b.p99, a.max + b.max};
  }

  const ClusterView& view_;
  const std::string output_;
  std::vector<std::string> way_;
  std::vector<PerformerDelay> found_;
};

}  // namespace

std::vector<PerformerDelay> find_delays(const ClusterView& view) {
  std::vector<PerformerDelay> delays;
  for (const auto& submix : view.submixes) {
    if (!submix.is_final) continue;
    auto found = DelaySearch(view, submix.name).run();
    std::ranges::move(found, std::back_inserter(delays));
  }
  return delays;
}

}  // namespace submix::model
