// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/draining_senders.hpp"

#include "node/agent/link_wish.hpp"

#include <algorithm>
#include <utility>

namespace submix::agent {

void DrainingSenders::add(const show::Stream& stream, std::string destination,
                          std::shared_ptr<io::StreamEdge> edge) {
  edge->sender().expect_successor();
  senders_.push_back(
      {.stream = stream, .destination = std::move(destination), .edge = std::move(edge)});
}

void DrainingSenders::follow(const show::Show& show, std::string_view node) {
  for (auto& draining : senders_) {
    const auto& former = draining.stream;
    const auto* next = show.find_stream(former.name);
    if (next == nullptr || next->from != former.from || next->to != former.to) continue;
    const auto* submix = show.find_submix(former.from.submix);
    if (submix == nullptr || submix->node != node) continue;
    if (wish_of(*next) != wish_of(draining.stream))
      draining.edge->sender().set_links(wish_of(*next));
    draining.edge->set_policy(next->policy, next->pause_budget);
    draining.stream = *next;
  }
}

std::vector<show::Stream> DrainingSenders::tend(LocalTime now, bool is_paused) {
  std::vector<show::Stream> stuck;
  for (auto& draining : senders_) {
    if (is_newly_stuck(draining, now, is_paused)) stuck.push_back(draining.stream);
  }
  std::erase_if(senders_, [&](Sender& draining) {
    if (!is_done(draining, now, is_paused)) return false;
    ended_[draining.stream.name].add(draining.edge->telemetry().epochs.back());
    return true;
  });
  return stuck;
}

bool DrainingSenders::is_newly_stuck(Sender& draining, LocalTime now, bool is_paused) {
  if (draining.is_reported || draining.edge.use_count() == 1) return false;
  if (!draining.release_by || is_paused) draining.release_by = now + kEditPatience;
  return draining.is_reported = now >= *draining.release_by;
}

bool DrainingSenders::is_done(Sender& draining, LocalTime now, bool is_paused) {
  if (draining.edge.use_count() > 1) return false;  // the patch still uses it
  if (!draining.ends_by || is_paused) draining.ends_by = now + kPatience;
  const auto reading = draining.edge->telemetry();
  return reading.frames_queued == 0 || draining.edge->sender().is_superseded() ||
         now >= *draining.ends_by;
}

void DrainingSenders::forget_all_but(const std::vector<show::Stream>& streams) {
  std::erase_if(ended_, [&](const auto& entry) {
    return std::none_of(streams.begin(), streams.end(),
                        [&](const show::Stream& stream) { return stream.name == entry.first; });
  });
}

bool DrainingSenders::is_any_to_end() const {
  return std::any_of(senders_.begin(), senders_.end(), [](const Sender& draining) {
    return !draining.is_reported || draining.edge.use_count() == 1;
  });
}

bool DrainingSenders::has(std::string_view stream) const {
  return std::any_of(senders_.begin(), senders_.end(),
                     [&](const Sender& draining) { return draining.stream.name == stream; });
}

bool DrainingSenders::has_predecessor_of(const link::StreamSender& next) const {
  return std::any_of(senders_.begin(), senders_.end(), [&](const Sender& draining) {
    const auto& sender = draining.edge->sender();
    return sender.stream() == next.stream() && sender.size() == next.size() &&
           sender.rate() == next.rate();
  });
}

bool DrainingSenders::is_any_of(std::string_view submix,
                                const std::function<bool(const Sender&)>& is_so) const {
  return std::ranges::any_of(senders_, [&](const Sender& draining) {
    return draining.stream.from.submix == submix && is_so(draining);
  });
}

std::vector<telemetry::StreamReading> DrainingSenders::readings() const {
  std::vector<telemetry::StreamReading> readings;
  for (const auto& draining : senders_)
    readings.push_back(draining.edge->telemetry());
  return readings;
}

std::vector<telemetry::EpochReading> DrainingSenders::ended(const std::string& stream) const {
  const auto found = ended_.find(stream);
  return found == ended_.end() ? std::vector<telemetry::EpochReading>() : found->second.kept();
}

}  // namespace submix::agent
