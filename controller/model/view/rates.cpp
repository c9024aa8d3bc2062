// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/rates.hpp"

#include "controller/model/view/find_where.hpp"
#include "controller/model/view/oscillation.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

namespace submix::model {
namespace {

using Duration = std::chrono::nanoseconds;

constexpr double kStillSeconds = 0.5;  // far longer than a message takes

// Converted before any subtraction: a peer may send any 64-bit number, and integers would overflow.
double seconds_of(Duration duration) {
  return static_cast<double>(duration.count()) * 1e-9;
}

const telemetry::SubmixReading* find_submix(const telemetry::NodeReading* node,
                                            std::string_view name) {
  if (node == nullptr) return nullptr;
  return find_where(node->submixes, [&](const auto& submix) { return submix.name == name; });
}

const telemetry::StageReading* find_stage(const telemetry::SubmixReading* submix,
                                          const telemetry::StageReading& like) {
  if (submix == nullptr) return nullptr;
  return find_where(submix->stages, [&](const auto& stage) {
    return stage.slot == like.slot && stage.plugin == like.plugin;
  });
}

const telemetry::StreamReading* find_stream(const telemetry::NodeReading* node,
                                            const telemetry::StreamReading& like) {
  if (node == nullptr) return nullptr;
  return find_where(node->streams, [&](const auto& stream) {
    return stream.stream == like.stream && stream.is_sender == like.is_sender &&
           stream.epoch == like.epoch;
  });
}

const telemetry::LinkReading* find_link(const telemetry::StreamReading* stream,
                                        const telemetry::LinkReading& like) {
  if (stream == nullptr) return nullptr;
  return find_where(stream->links, [&](const auto& link) { return link.index == like.index; });
}

// Shares of the measured time, so that the three add up to 1 whatever the node's clock did.
std::array<double, 3> shares_of(std::array<double, 3> rates) {
  const double sum = rates[0] + rates[1] + rates[2];
  if (sum <= 0) return {};
  for (auto& share : rates)
    share /= sum;
  return rates;
}

StageView stage_view(const telemetry::StageReading* before, const telemetry::StageReading& after,
                     double seconds) {
  StageView view{.slot = after.slot,
                 .plugin = after.plugin,
                 .frames = after.frames,
                 .fps = 0,
                 .shares = {},
                 .queues = after.queues,
                 .counters = after.counters,
                 .trouble = after.trouble,
                 .helpers = after.helpers,
                 .frame_time = after.frame_time,
                 .frames_passed_by = after.frames_passed_by};
  if (before == nullptr) return view;
  view.fps = rate(before->frames, after.frames, seconds);
  const auto shares = shares_of({rate(before->working, after.working, seconds),
                                 rate(before->starved, after.starved, seconds),
                                 rate(before->blocked, after.blocked, seconds)});
  view.shares = {shares[0], shares[1], shares[2]};
  const auto delay_us = [](const auto& each) {
    return telemetry::counter_of(each.counters, "run_delay_us");
  };
  view.run_delay = rate(delay_us(*before), delay_us(after), seconds) / 1e6;
  return view;
}

LinkView link_view(const telemetry::LinkReading* before, const telemetry::LinkReading& after,
                   double seconds) {
  LinkView view;
  view.index = after.index;
  view.state = after.state;
  view.local = after.local;
  view.remote = after.remote;
  view.error = after.error;
  view.warning = after.warning;
  view.bytes = after.bytes;
  view.queue_bytes = after.queue_bytes;
  view.queue_limit_bytes = after.queue_limit_bytes;
  view.reconnects = after.reconnects;
  view.capacity_mb_per_second = static_cast<double>(after.capacity_bytes_per_second) / 1e6;
  view.greatest_mb_per_second = static_cast<double>(after.greatest_bytes_per_second) / 1e6;
  view.limit_mb_per_second = static_cast<double>(after.limit_bytes_per_second) / 1e6;
  view.stripes_damaged = after.stripes_damaged;
  view.protection = after.protection;
  view.round_trip = std::max(after.round_trip, Duration(0));
  view.segments_retransmitted = after.segments_retransmitted;
  view.bytes_retransmitted = after.bytes_retransmitted;
  if (before == nullptr) return view;
  view.retransmits_per_second =
      rate(before->segments_retransmitted, after.segments_retransmitted, seconds);
  view.mb_per_second = rate(before->bytes, after.bytes, seconds) / 1e6;
  const auto shares = shares_of({rate(before->sending, after.sending, seconds),
                                 rate(before->blocked, after.blocked, seconds),
                                 rate(before->idle, after.idle, seconds)});
  view.shares = {shares[0], shares[1], shares[2]};
  return view;
}

// The distribution of the stream's stripes over its links.
void add_link_shares(std::vector<LinkView>& links) {
  double sum = 0;
  for (const auto& link : links)
    sum += link.mb_per_second;
  if (sum <= 0) return;
  for (auto& link : links)
    link.share = link.mb_per_second / sum;
}

const telemetry::CardReading* find_card(const telemetry::NodeReading* node, std::string_view name) {
  if (node == nullptr) return nullptr;
  return find_where(node->machine.cards, [&](const auto& card) { return card.name == name; });
}

void add_rates(const ReadingPair& pair, CardView& card) {
  const auto* before = find_card(pair.before, card.name);
  const auto* after = find_card(pair.after, card.name);
  if (before == nullptr || after == nullptr) return;
  const double seconds = pair.seconds();
  card.received_mb_per_second = rate(before->bytes_received, after->bytes_received, seconds) / 1e6;
  card.sent_mb_per_second = rate(before->bytes_sent, after->bytes_sent, seconds) / 1e6;
}

}  // namespace

double ReadingPair::seconds() const {
  if (before == nullptr || after == nullptr) return 0;
  return std::max(0.0, seconds_of(after->uptime) - seconds_of(before->uptime));
}

double rate(std::uint64_t before, std::uint64_t after, double seconds) {
  if (after <= before || seconds <= 0) return 0;
  return static_cast<double>(after - before) / seconds;
}

double rate(Duration before, Duration after, double seconds) {
  if (after <= before || seconds <= 0) return 0;
  return (seconds_of(after) - seconds_of(before)) / seconds;
}

double cpu_cores(const ReadingPair& pair) {
  return pair.before == nullptr ? 0 : rate(pair.before->cpu, pair.after->cpu, pair.seconds());
}

double page_faults_per_second(const ReadingPair& pair) {
  return pair.before == nullptr
             ? 0.0
             : rate(pair.before->page_faults, pair.after->page_faults, pair.seconds());
}

double allocations_per_second(const ReadingPair& pair) {
  return pair.before == nullptr
             ? 0.0
             : rate(pair.before->allocations, pair.after->allocations, pair.seconds());
}

std::vector<double> core_shares(const ReadingPair& pair) {
  const double seconds = pair.seconds();
  if (seconds <= 0) return {};
  const auto& before = pair.before->machine.cores_busy;
  const auto& after = pair.after->machine.cores_busy;
  std::vector<double> shares;
  shares.reserve(std::min(before.size(), after.size()));
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
    shares.push_back(std::min(1.0, rate(before[i], after[i], seconds)));
  return shares;
}

std::vector<CardView> card_views(const ReadingPair& pair,
                                 const std::vector<NetworkInterface>& interfaces) {
  std::vector<CardView> cards;
  for (const auto& each : interfaces) {
    if (each.name.empty()) continue;
    auto found = std::ranges::find(cards, each.name, &CardView::name);
    if (found == cards.end()) {
      cards.push_back({.name = each.name,
                       .addresses = {},
                       .mtu_bytes = std::max(0, each.mtu_bytes),
                       .speed_mbit = std::max(0, each.speed_mbit),
                       .speed_max_mbit = std::max(0, each.speed_max_mbit),
                       .is_up = each.is_up});
      found = std::prev(cards.end());
      add_rates(pair, *found);
    }
    found->addresses.push_back(each.address);
  }
  return cards;
}

void measure(const ReadingPair& pair, SubmixView& submix) {
  const auto* after = find_submix(pair.after, submix.name);
  if (after == nullptr) return;
  const auto* before = find_submix(pair.before, submix.name);
  const double seconds = pair.seconds();
  submix.frames = after->frames;
  submix.late_frames = after->late_frames;
  submix.missed_frames = after->missed_frames;
  submix.jitter = after->jitter;
  submix.delay = after->delay;
  submix.show_count = after->show_count;
  submix.pools = after->pools;
  if (before != nullptr) submix.fps = rate(before->frames, after->frames, seconds);
  submix.stages.reserve(after->stages.size());
  for (const auto& stage : after->stages) {
    const auto* stage_before = find_stage(before, stage);
    auto& view = submix.stages.emplace_back(stage_view(stage_before, stage, seconds));
    // A slot that came within the measured time has no rate of its own yet. With 0 it would seem to
    // stand still, and its submix with it.
    if (before != nullptr && stage_before == nullptr) view.fps = submix.fps;
  }
}

StreamEndView stream_end_view(const ReadingPair& pair, const telemetry::StreamReading& stream) {
  StreamEndView view;
  view.node = pair.after->node;
  view.size = stream.size;
  view.rate = stream.rate;
  view.epoch = stream.epoch;
  view.frames = stream.frames;
  view.frames_produced = stream.frames_produced;
  view.frames_dropped = stream.frames_dropped;
  view.frames_duplicated = stream.frames_duplicated;
  view.frames_skipped = stream.frames_skipped;
  view.detached = stream.detached;
  view.frames_copied = stream.frames_copied;
  view.frames_queued = stream.frames_queued;
  view.frames_unsent = stream.frames_unsent;
  view.frames_left_over = stream.frames_left_over;
  view.frames_forgotten = stream.frames_forgotten;
  view.epochs = stream.epochs;
  view.credits = stream.credits;
  view.latency = stream.latency;
  view.round_trip = stream.round_trip;
  view.clock_offset = stream.clock_offset;
  const double seconds = pair.seconds();
  const auto* before = find_stream(pair.before, stream);
  if (before != nullptr) {
    view.fps = rate(before->frames, stream.frames, seconds);
    view.blocked_share = std::min(1.0, rate(before->blocked, stream.blocked, seconds));
    if (!before->epochs.empty()) view.earlier = before->epochs.back();
    view.is_still = seconds >= kStillSeconds && before->frames == stream.frames &&
                    before->frames_produced == stream.frames_produced &&
                    before->epochs == stream.epochs;
  }
  view.links.reserve(stream.links.size());
  for (const auto& link : stream.links) {
    view.links.push_back(link_view(find_link(before, link), link, seconds));
  }
  add_link_shares(view.links);
  return view;
}

}  // namespace submix::model
