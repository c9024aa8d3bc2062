// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/leaving_senders.hpp"

#include "node/agent/link_wish.hpp"

#include <algorithm>
#include <utility>

namespace submix::agent {

void LeavingSenders::add(const show::Stream& stream, std::string destination,
                         std::shared_ptr<io::StreamEdge> edge) {
  edge->sender().expect_successor();
  leaving_.push_back(
      {.stream = stream, .destination = std::move(destination), .edge = std::move(edge)});
}

void LeavingSenders::follow(const show::Show& show, std::string_view node) {
  for (auto& leaving : leaving_) {
    const auto& former = leaving.stream;
    const auto* next = show.find_stream(former.name);
    if (next == nullptr || next->from != former.from || next->to != former.to) continue;
    const auto* submix = show.find_submix(former.from.submix);
    if (submix == nullptr || submix->node != node) continue;
    if (wish_of(*next) != wish_of(leaving.stream)) leaving.edge->sender().set_links(wish_of(*next));
    leaving.edge->set_policy(next->policy, next->pause_budget);
    leaving.stream = *next;
  }
}

std::vector<show::Stream> LeavingSenders::tend(LocalTime now, bool is_paused) {
  std::vector<show::Stream> stuck;
  for (auto& leaving : leaving_) {
    if (is_to_be_told(leaving, now, is_paused)) stuck.push_back(leaving.stream);
  }
  std::erase_if(leaving_, [&](Leaving& leaving) {
    if (!is_done(leaving, now, is_paused)) return false;
    ended_[leaving.stream.name].add(leaving.edge->telemetry().epochs.back());
    return true;
  });
  return stuck;
}

bool LeavingSenders::is_to_be_told(Leaving& leaving, LocalTime now, bool is_paused) {
  if (leaving.is_told || leaving.edge.use_count() == 1) return false;
  if (!leaving.to_leave_by || is_paused) leaving.to_leave_by = now + kEditPatience;
  return leaving.is_told = now >= *leaving.to_leave_by;
}

bool LeavingSenders::is_done(Leaving& leaving, LocalTime now, bool is_paused) {
  if (leaving.edge.use_count() > 1) return false;  // the patch still uses it
  if (!leaving.ends_by || is_paused) leaving.ends_by = now + kPatience;
  const auto reading = leaving.edge->telemetry();
  return reading.frames_queued == 0 || leaving.edge->sender().is_superseded() ||
         now >= *leaving.ends_by;
}

void LeavingSenders::forget_all_but(const std::vector<show::Stream>& streams) {
  std::erase_if(ended_, [&](const auto& entry) {
    return std::none_of(streams.begin(), streams.end(),
                        [&](const show::Stream& stream) { return stream.name == entry.first; });
  });
}

bool LeavingSenders::is_any_to_end() const {
  return std::any_of(leaving_.begin(), leaving_.end(), [](const Leaving& leaving) {
    return !leaving.is_told || leaving.edge.use_count() == 1;
  });
}

bool LeavingSenders::has(std::string_view stream) const {
  return std::any_of(leaving_.begin(), leaving_.end(),
                     [&](const Leaving& leaving) { return leaving.stream.name == stream; });
}

bool LeavingSenders::has_predecessor_of(const link::StreamSender& next) const {
  return std::any_of(leaving_.begin(), leaving_.end(), [&](const Leaving& leaving) {
    const auto& sender = leaving.edge->sender();
    return sender.stream() == next.stream() && sender.size() == next.size() &&
           sender.rate() == next.rate();
  });
}

bool LeavingSenders::is_any_of(std::string_view submix,
                               const std::function<bool(const Leaving&)>& is_so) const {
  return std::ranges::any_of(leaving_, [&](const Leaving& leaving) {
    return leaving.stream.from.submix == submix && is_so(leaving);
  });
}

std::vector<telemetry::StreamReading> LeavingSenders::readings() const {
  std::vector<telemetry::StreamReading> readings;
  for (const auto& leaving : leaving_)
    readings.push_back(leaving.edge->telemetry());
  return readings;
}

std::vector<telemetry::EpochReading> LeavingSenders::ended(const std::string& stream) const {
  const auto found = ended_.find(stream);
  return found == ended_.end() ? std::vector<telemetry::EpochReading>() : found->second.kept();
}

}  // namespace submix::agent
