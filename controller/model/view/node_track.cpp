// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/node_track.hpp"

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

constexpr std::size_t kReadingsMax = 32;    // a second's readings at three times the agreed rate
constexpr std::size_t kHistoriesMax = 512;  // links of one node; more links have no plot

constexpr double kFramesCounted = 10;  // then one frame more or less is a tenth
constexpr double kWindowMaxSeconds = 10;

}  // namespace

std::chrono::milliseconds rate_window(FrameRate rate) {
  const double seconds =
      std::clamp(kFramesCounted / rate.frames_per_second(), 1.0, kWindowMaxSeconds);
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

void NodeTrack::accept(cluster::NodeReport report, LocalTime at, bool is_kept) {
  report_ = std::move(report);
  last_sign_ = std::max(at, last_sign_.value_or(at));
  if (!is_kept) last_heard_ = at;
}

bool NodeTrack::accept(telemetry::NodeReading reading, LocalTime now) {
  begin_life(reading.instance);
  if (!readings_.empty() && reading.sequence <= readings_.back().sequence) return false;
  // If the node's time stands still or runs backwards within one process, no older reading is
  // comparable.
  if (!readings_.empty() && reading.uptime <= readings_.back().uptime) readings_.clear();
  count(reading, now);
  readings_.push_back(std::move(reading));
  const double window = std::chrono::duration<double>(rate_window_).count();
  while (
      static_cast<double>(readings_.size()) > static_cast<double>(kReadingsMax) * window ||
      (readings_.size() > 2 && ReadingPair{&readings_[1], &readings_.back()}.seconds() >= window)) {
    readings_.pop_front();
  }
  last_sign_ = last_reading_ = last_heard_ = now;
  return true;
}

void NodeTrack::begin_life(const std::string& instance) {
  if (instance == instance_) return;
  if (!instance_.empty()) ++restarts_;
  instance_ = instance;
  readings_.clear();
  counts_.clear();
}

void NodeTrack::count(const telemetry::NodeReading& reading, LocalTime now) {
  std::map<CountKey, FrameCount> counts;
  const auto add = [&](CountKey key, std::uint64_t frames) {
    const auto before = counts_.find(key);
    const bool stands = before != counts_.end() && before->second.frames == frames;
    counts.insert_or_assign(std::move(key), stands ? before->second : FrameCount{frames, now});
  };
  for (const auto& submix : reading.submixes) {
    add({submix.name, {}}, submix.frames);
    for (const auto& stage : submix.stages)
      add({submix.name, stage.slot}, stage.frames);
  }
  counts_ = std::move(counts);
}

std::chrono::milliseconds NodeTrack::still_for(const CountKey& key, LocalTime now) const {
  const auto found = counts_.find(key);
  if (found == counts_.end()) return std::chrono::milliseconds(0);
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::max(now - found->second.since, LocalTime::duration(0)));
}

void NodeTrack::add_stillness(SubmixView& submix, LocalTime now) const {
  submix.still_for = still_for({submix.name, {}}, now);
  for (auto& stage : submix.stages)
    stage.still_for = still_for({submix.name, stage.slot}, now);
}

// The running end represents the stream.
bool NodeTrack::has_former(const telemetry::NodeReading& node,
                           const telemetry::StreamReading& stream) {
  return !stream.is_former && std::ranges::any_of(node.streams, [&](const auto& other) {
    return other.is_former && other.stream == stream.stream && other.is_sender == stream.is_sender;
  });
}

void NodeTrack::sample(LocalTime now) {
  if (readings_.empty()) return;
  const bool is_fresh = last_reading_ && now - *last_reading_ < kSilentAfter;
  const auto pair = readings();
  std::map<LinkKey, History> kept;  // a link that is not in the newest reading loses its history
  for (const auto& stream : pair.after->streams) {
    if (has_former(*pair.after, stream)) continue;
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
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::max(now - since, LocalTime::duration(0)));
}

std::chrono::milliseconds NodeTrack::whole_silence(LocalTime now, LocalTime listening_since) const {
  const auto heard = silence(now, listening_since);
  if (!lived_at_ || was_heard_since(listening_since)) return heard;
  return std::max(heard, std::chrono::duration_cast<std::chrono::milliseconds>(now - *lived_at_));
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
    view.machine = report_->local_endpoint.machine;
    view.version = report_->version;
    view.instance = report_->instance;
    view.show_revision = report_->show_revision;
    view.cores = report_->cores;
    view.interfaces = report_->interfaces;
    view.endpoints = report_->endpoints;
    view.displays = report_->displays;
    view.capture_devices = report_->capture_devices;
    view.sound_devices = report_->sound_devices;
    view.loopback_devices = report_->loopback_devices;
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
    view.realtime_loss = latest.realtime.reason;
    view.sound = latest.sound;
    view.measured_seconds = readings().seconds();
    view.is_paused = latest.is_paused;
    view.core_shares = core_shares(readings());
    view.machine_memory_bytes = latest.machine.memory_bytes;
    view.machine_memory_available_bytes =
        std::min(latest.machine.memory_available_bytes, latest.machine.memory_bytes);
  }
  if (report_) view.cards = card_views(readings(), report_->interfaces);
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

ReadingPair NodeTrack::newest_step() const {
  if (readings_.size() < 2) return {};
  return {&readings_[readings_.size() - 2], &readings_.back()};
}

std::vector<float> NodeTrack::history(const std::string& stream, bool is_sender,
                                      std::uint32_t link) const {
  const auto found = histories_.find(LinkKey{stream, is_sender, link});
  return found == histories_.end() ? std::vector<float>() : found->second.samples();
}

}  // namespace submix::model
