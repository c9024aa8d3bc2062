// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/draining_senders.hpp"

#include "node/agent/link_setup.hpp"

#include <algorithm>
#include <utility>

namespace submix::agent {
namespace {

using DrainState = DrainingSenders::State;

std::chrono::seconds time_of(DrainState state) {
  return state == DrainState::in_use ? DrainingSenders::kEditPatience : DrainingSenders::kPatience;
}

DrainingSenders::Progress progress_of(const DrainingSenders::Sender& sender, LocalTime now) {
  DrainingSenders::Progress progress{.is_released = sender.is_released(),
                                     .is_overdue = now >= *sender.deadline};
  if (sender.state == DrainState::draining) {
    progress.is_delivered =
        sender.edge->telemetry().frames_queued == 0 || sender.edge->sender().is_superseded();
  }
  return progress;
}

}  // namespace

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
    if (link_setup_of(*next) != link_setup_of(draining.stream))
      draining.edge->sender().set_links(link_setup_of(*next));
    draining.edge->set_policy(next->policy, next->pause_budget);
    draining.stream = *next;
  }
}

DrainingSenders::State DrainingSenders::next(DrainState state, const Progress& progress) {
  switch (state) {
    case DrainState::in_use:
      if (progress.is_released) return DrainState::draining;
      return progress.is_overdue ? DrainState::stuck : DrainState::in_use;
    case DrainState::stuck:
      return progress.is_released ? DrainState::draining : DrainState::stuck;
    case DrainState::draining:
      return progress.is_delivered || progress.is_overdue ? DrainState::ended
                                                          : DrainState::draining;
    case DrainState::ended:
      return DrainState::ended;
  }
  return state;
}

bool DrainingSenders::advance(Sender& sender, LocalTime now, bool is_paused) {
  if (!sender.deadline || is_paused) sender.deadline = now + time_of(sender.state);
  const auto entered = next(sender.state, progress_of(sender, now));
  if (entered == sender.state) return false;

  sender.state = entered;
  sender.deadline.reset();
  return true;
}

std::vector<show::Stream> DrainingSenders::tend(LocalTime now, bool is_paused) {
  std::vector<show::Stream> stuck;
  for (auto& sender : senders_) {
    // A released sender may end in the same call.
    while (advance(sender, now, is_paused)) {
      if (sender.state == DrainState::stuck) stuck.push_back(sender.stream);
    }
  }

  std::erase_if(senders_, [this](const Sender& sender) {
    if (sender.state != DrainState::ended) return false;
    ended_[sender.stream.name].add(sender.edge->telemetry().epochs.back());
    return true;
  });
  return stuck;
}

void DrainingSenders::forget_all_but(const std::vector<show::Stream>& streams) {
  std::erase_if(ended_, [&](const auto& entry) {
    return std::none_of(streams.begin(), streams.end(),
                        [&](const show::Stream& stream) { return stream.name == entry.first; });
  });
}

bool DrainingSenders::is_any_to_end() const {
  return std::any_of(senders_.begin(), senders_.end(), [](const Sender& draining) {
    return draining.state != DrainState::stuck || draining.is_released();
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
