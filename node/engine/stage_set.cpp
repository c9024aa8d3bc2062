// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/stage_set.hpp"

#include "common/base/thread.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace submix::engine {

const Place* StageSet::find(std::string_view slot) const {
  const auto found = std::find_if(places_.begin(), places_.end(),
                                  [&](const Place& place) { return place.stage->slot() == slot; });
  return found == places_.end() ? nullptr : &*found;
}

const Place* StageSet::former(const Place& place) const {
  const auto* before = find(place.stage->slot());
  return before != nullptr && before->stage == place.stage ? before : nullptr;
}

// ---- what will be
// ------------------------------------------------------------------------------------------------

std::vector<Place> StageSet::arrange(std::vector<PlannedSlot> planned, const Graph& graph) const {
  std::vector<Place> after(planned.size());
  for (std::size_t i = 0; i < planned.size(); ++i) {
    auto& place = after[i];
    const bool is_kept = planned[i].kept != nullptr;
    place.stage = is_kept ? planned[i].kept : std::make_shared<Stage>(std::move(planned[i].parts), context_);
    const auto* before = find(place.stage->slot());
    if (!is_kept && before != nullptr) place.stage->replace(before->stage);
    place.pool = planned[i].pool;
    place.has_company = has_company(graph, i);
    place.wiring.pool = pool_for(place.pool, former(place));
    if (is_kept && place.wiring.pool == before->wiring.pool) place.pool = before->pool;
  }
  connect(after, graph);
  return after;
}

std::shared_ptr<media::FramePool> StageSet::pool_for(const PoolNeeds& needs, const Place* before) const {
  if (needs.seats == 0) return nullptr;
  if (before != nullptr && before->pool.seats >= needs.seats && before->pool.backing == needs.backing)
    return before->wiring.pool;
  return std::make_shared<media::FramePool>(options_.size, needs.seats, needs.backing);
}

// An edge between the same two stages keeps its queue: frames may be in it.
void StageSet::connect(std::vector<Place>& after, const Graph& graph) const {
  for (std::size_t reader = 0; reader < after.size(); ++reader) {
    const auto& inputs = graph.slots[reader].inputs;
    const auto* before = former(after[reader]);
    for (std::size_t input = 0; input < inputs.size(); ++input) {
      auto& source = after[inputs[input]];
      const bool is_same = before != nullptr && former(source) != nullptr &&
                           input < before->wiring.inputs.size() &&
                           before->wiring.inputs[input].from == source.stage->slot();
      auto queue = is_same ? before->wiring.inputs[input].queue
                           : std::make_shared<FrameQueue>(options_.queue_capacity);
      source.wiring.readers.push_back(queue);
      after[reader].wiring.inputs.push_back({source.stage->slot(), std::move(queue)});
    }
  }
}

// ---- going over
// ------------------------------------------------------------------------------------------------

void StageSet::go_over(std::vector<Place> after, const Graph& graph, std::uint64_t position) {
  for (std::size_t i = 0; i < after.size(); ++i) {
    auto& place = after[i];
    const auto before = std::find_if(places_.begin(), places_.end(),
                                     [&](const Place& each) { return each.stage == place.stage; });
    const bool is_kept = before != places_.end();
    const auto terminal = is_kept ? before->wiring.terminal : std::nullopt;
    if (graph.slots[i].is_terminal()) {
      place.wiring.terminal = terminal ? *terminal : context_.credits.add_terminal(position);
    } else if (terminal) {
      context_.credits.end_terminal(*terminal, position);
    }
    if (is_kept) {
      place.stage->rewire(position, place.wiring);
      place.thread = std::move(before->thread);
      before->stage = nullptr;
    } else {
      place.stage->begin_at(position, place.wiring);
    }
  }
  for (auto& before : places_) {
    if (before.stage) retire(std::move(before), position);
  }
  places_ = std::move(after);
}

void StageSet::retire(Place place, std::uint64_t position) {
  if (place.wiring.terminal) context_.credits.end_terminal(*place.wiring.terminal, position);
  place.stage->retire(position);
  retired_.push_back(std::move(place));
}

void StageSet::start_threads() {
  for (auto& place : places_) {
    if (place.thread.joinable()) continue;
    place.thread = start_thread(
        context_.submix + "." + place.stage->slot(),
        [stage = place.stage](const std::stop_token& stop) { stage->run(stop); }, Urgency::stage);
  }
}

void StageSet::tend(std::chrono::nanoseconds patience, bool may_hurry) {
  const auto deadline = context_.clock.now() + patience;
  std::erase_if(retired_, [&](Place& place) {
    const bool is_over = place.stage->wait_until_over(deadline);
    if (!is_over && may_hurry) place.thread.request_stop();
    return is_over;
  });
}

void StageSet::stop() {
  const auto for_all = [this](auto act) {
    std::for_each(places_.begin(), places_.end(), act);
    std::for_each(retired_.begin(), retired_.end(), act);
  };
  for_all([](Place& place) { place.thread.request_stop(); });
  for_all([](Place& place) { place.stage->close(); });
  for_all([](Place& place) {
    if (place.thread.joinable()) place.thread.join();
  });
}

}  // namespace submix::engine
