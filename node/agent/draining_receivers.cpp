// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/draining_receivers.hpp"

#include <algorithm>

namespace submix::agent {
namespace {

bool has_format(const link::StreamReceiver& end, const show::Show& show) {
  return end.size() == show.size && end.rate() == show.rate;
}

// A receiver whose stream the show has no more, or elsewhere, must not wait: its performer may have
// stopped already. Its submix may also fail to follow the change, and would stand still for ever.
void follow_show(const DrainingReceivers::Receiver& receiver, const show::Show& show) {
  const auto* stream = show.find_stream(receiver.stream);
  const bool is_removed = stream == nullptr || stream->to != receiver.to;
  if (const auto end = receiver.end.lock()) end->set_removed(is_removed);
  if (const auto policy = receiver.policy.lock(); policy != nullptr && !is_removed)
    policy->set(stream->policy, stream->pause_budget);
}

}  // namespace

void DrainingReceivers::follow(const show::Show& show) const {
  for (const auto& receiver : receivers_)
    follow_show(receiver, show);
}

std::shared_ptr<link::StreamReceiver> DrainingReceivers::reuse(std::string_view stream,
                                                               const show::Show& show) {
  for (auto receiver = receivers_.begin(); receiver != receivers_.end(); ++receiver) {
    auto end = receiver->end.lock();
    if (end == nullptr || end->stream() != stream || !has_format(*end, show)) continue;
    receivers_.erase(receiver);
    end->set_removed(false);
    return end;
  }
  return nullptr;
}

std::vector<telemetry::StreamReading> DrainingReceivers::readings(const show::Show& show,
                                                                  std::string_view node) const {
  std::vector<telemetry::StreamReading> readings;
  for (const auto& receiver : receivers_) {
    const auto end = receiver.end.lock();
    if (end == nullptr) continue;

    // A submix that has moved runs on until its new node takes over.
    const auto* submix = show.find_submix(receiver.to.submix);
    const bool has_moved = submix == nullptr || submix->node != node;
    if (has_moved || !has_format(*end, show)) readings.push_back(end->telemetry());
  }
  return readings;
}

void DrainingReceivers::forget_gone() {
  std::erase_if(receivers_, [](const Receiver& receiver) { return receiver.end.expired(); });
}

}  // namespace submix::agent
