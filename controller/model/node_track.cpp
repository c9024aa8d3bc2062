// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/node_track.hpp"

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

constexpr std::size_t kReadingsMax = 32;        // a second's worth at three times the agreed pace
constexpr std::size_t kHistoriesMax = 512;      // links of one node; beyond it they go without a plot
constexpr std::chrono::seconds kRateWindow{1};  // long enough for steady figures, short enough to follow

}  // namespace

void NodeTrack::accept(cluster::NodeReport report, LocalTime now) {
  report_ = std::move(report);
  last_sign_ = now;
}

void NodeTrack::accept(telemetry::NodeReading reading, LocalTime now) {
  begin_life(reading.instance);
  if (!readings_.empty() && reading.sequence <= readings_.back().sequence) return;
  // Time that stands still or runs backwards within one life: nothing older is comparable.
  if (!readings_.empty() && reading.uptime <= readings_.back().uptime) readings_.clear();
  readings_.push_back(std::move(reading));
  const double window = std::chrono::duration<double>(kRateWindow).count();
  while (readings_.size() > kReadingsMax ||
         (readings_.size() > 2 && ReadingPair{&readings_[1], &readings_.back()}.seconds() >= window)) {
    readings_.pop_front();
  }
  last_sign_ = last_reading_ = now;
}

void NodeTrack::begin_life(const std::string& instance) {
  if (instance == instance_) return;
  if (!instance_.empty()) ++restarts_;
  instance_ = instance;
  readings_.clear();
}

void NodeTrack::sample(LocalTime now) {
  if (readings_.empty()) return;
  const bool is_fresh = last_reading_ && now - *last_reading_ < kSilentAfter;
  const auto pair = readings();
  std::map<LinkKey, History> kept;  // a link that is not in the newest reading loses its history
  for (const auto& stream : pair.after->streams) {
    for (const auto& link : stream_end_view(pair, stream).links) {
      if (kept.size() == kHistoriesMax) break;
      LinkKey key{stream.stream, stream.is_sender, link.index};
      auto held = histories_.extract(key);
      History history = held.empty() ? History() : std::move(held.mapped());
      history.push(is_fresh ? static_cast<float>(link.mb_per_second) : 0.0F);
      kept.insert_or_assign(std::move(key), std::move(history));
    }
  }
  histories_ = std::move(kept);
}

std::chrono::milliseconds NodeTrack::silence(LocalTime now, LocalTime listening_since) const {
  const auto since = std::max(last_sign_.value_or(listening_since), listening_since);
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::max(now - since, LocalTime::duration(0)));
}

Health NodeTrack::health(LocalTime now, LocalTime listening_since) const {
  if (!last_sign_) return Health::absent;
  const auto silent_for = silence(now, listening_since);
  if (silent_for >= kGoneAfter) return Health::gone;
  if (silent_for >= kSilentAfter) return Health::silent;
  return last_reading_ ? Health::healthy : Health::starting;
}

NodeView NodeTrack::view() const {
  NodeView view;
  view.restarts = restarts_;
  if (report_) {
    view.host = report_->host;
    view.version = report_->version;
    view.instance = report_->instance;
    view.show_revision = report_->show_revision;
    view.cores = report_->cores;
    view.interfaces = report_->interfaces;
    view.endpoints = report_->endpoints;
  }
  if (!readings_.empty()) {
    const auto& latest = readings_.back();
    view.instance = latest.instance;
    view.cpu_cores = cpu_cores(readings());
    view.memory_bytes = latest.memory_bytes;
    view.page_faults = latest.page_faults;
    view.page_faults_per_second = page_faults_per_second(readings());
    view.allocations = latest.allocations;
    view.allocations_per_second = allocations_per_second(readings());
    view.uptime = latest.uptime;
    view.is_paused = latest.is_paused;
  }
  return view;
}

const cluster::SubmixReport* NodeTrack::find_submix(std::string_view name) const {
  if (!report_) return nullptr;
  const auto found = std::ranges::find(report_->submixes, name, &cluster::SubmixReport::name);
  return found == report_->submixes.end() ? nullptr : &*found;
}

ReadingPair NodeTrack::readings() const {
  if (readings_.empty()) return {};
  return {readings_.size() > 1 ? &readings_.front() : nullptr, &readings_.back()};
}

std::vector<float> NodeTrack::history(const telemetry::StreamReading& stream, std::uint32_t link) const {
  const auto found = histories_.find(LinkKey{stream.stream, stream.is_sender, link});
  return found == histories_.end() ? std::vector<float>() : found->second.samples();
}

}  // namespace submix::model
