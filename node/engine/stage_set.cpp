// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/stage_set.hpp"

#include "common/base/thread.hpp"
#include "node/plugin/drawing_surface.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace submix::engine {
namespace {

/// How long the plugin of a removed slot may take for a frame, or two frames of the show if they
/// are longer.
constexpr std::chrono::milliseconds kLastFrame(200);

bool is_stream_end(const Stage& stage) {
  const auto& plugin = stage.description().id;
  return plugin == show::kStreamInPlugin || plugin == show::kStreamOutPlugin;
}

/// True: a plugin in a separate process sees this slot's frames.
bool is_shown(const Graph& graph, std::size_t slot) {
  return graph.slots[slot].is_hosted ||
         std::ranges::any_of(graph.slots[slot].readers, [&](const auto& reader) {
           return graph.slots[reader.slot].is_hosted;
         });
}

/// The terminal slots that keep the patch's time. These are the ends without readers that show
/// their frames to somebody; if none exist, the other ends without readers; if none exist, ends
/// with delayed readers only.
std::vector<bool> time_keepers(const Graph& graph, const std::vector<Place>& places) {
  const auto rank_of = [&](std::size_t i) {
    if (!graph.slots[i].is_terminal()) return 0;
    if (!graph.slots[i].readers.empty()) return 1;
    return places[i].stage->traits().is_connected ? 3 : 2;
  };
  int greatest = 1;
  for (std::size_t i = 0; i < places.size(); ++i)
    greatest = std::max(greatest, rank_of(i));

  std::vector<bool> keepers(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    keepers[i] = rank_of(i) == greatest;
  return keepers;
}

}  // namespace

StageSet::StageSet(const PatchOptions& options, const StageContext& context)
    : options_(options),
      context_(context),
      store_(
          std::make_shared<media::PixelStore>(options.size.pixels() * media::kBytesPerRgbaPixel)) {}

const Place* StageSet::find(std::string_view slot) const {
  const auto found = std::find_if(places_.begin(), places_.end(),
                                  [&](const Place& place) { return place.stage->slot() == slot; });
  return found == places_.end() ? nullptr : &*found;
}

const Place* StageSet::former(const Place& place) const {
  const auto* before = find(place.stage->slot());
  return before != nullptr && before->stage == place.stage ? before : nullptr;
}

// Planning the next shape.

PoolMemory memory_needed(const Graph& graph, Size size,
                         const std::vector<std::size_t>& seats_there) {
  PoolMemory needed;
  std::size_t most = 0;
  for (std::size_t i = 0; i < graph.slots.size(); ++i) {
    if (graph.slots[i].plugin->kind == plugin::Kind::output) continue;
    const auto delayed = frames_delayed(graph, i);
    const auto seats = graph.slots[i].workers + delayed;
    if (seats_there[i] >= seats) continue;
    const auto seat_bytes = media::FramePool::seat_bytes(
        size, is_shown(graph, i) ? media::Backing::shared : media::Backing::own);
    needed.bytes += seats * seat_bytes;
    needed.delayed_bytes += delayed * seat_bytes;
    for (const auto& reader : graph.slots[i].readers) {
      if (reader.delay > most) needed.most_delayed_slot = i;
      most = std::max(most, reader.delay);
    }
  }
  return needed;
}

PoolMemory StageSet::memory_needed(const Graph& graph,
                                   const std::vector<std::shared_ptr<Stage>>& kept) const {
  std::vector<std::size_t> seats(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto* before = kept[i] ? find(kept[i]->slot()) : nullptr;
    if (before != nullptr) seats[i] = before->pool.seats;
  }
  return engine::memory_needed(graph, options_.size, seats);
}

std::vector<Place> StageSet::arrange(std::vector<PlannedSlot> planned, const Graph& graph) const {
  std::vector<Place> after(planned.size());
  for (std::size_t i = 0; i < planned.size(); ++i) {
    auto& place = after[i];
    const bool is_kept = planned[i].kept != nullptr;
    place.stage =
        is_kept ? planned[i].kept : std::make_shared<Stage>(std::move(planned[i].parts), context_);
    const auto* before = find(place.stage->slot());
    place.pool = planned[i].pool;
    place.has_company = has_company(graph, i);
    place.wiring.pool = pool_for(place.pool, former(place));
    if (is_kept && place.wiring.pool == before->wiring.pool) place.pool = before->pool;
  }
  connect(after, graph);
  return after;
}

std::shared_ptr<media::FramePool> StageSet::pool_for(const PoolNeeds& needs,
                                                     const Place* before) const {
  if (needs.seats == 0) return nullptr;
  if (before != nullptr && before->pool.seats >= needs.seats &&
      before->pool.backing == needs.backing)
    return before->wiring.pool;
  if (needs.backing == media::Backing::own)
    return std::make_shared<media::FramePool>(options_.size, needs.seats, store_);
  return std::make_shared<media::FramePool>(options_.size, needs.seats, needs.backing);
}

// An edge between the same two stages keeps its queue, since frames may be in it.
void StageSet::connect(std::vector<Place>& after, const Graph& graph) const {
  for (std::size_t reader = 0; reader < after.size(); ++reader) {
    const auto& inputs = graph.slots[reader].inputs;
    const auto* before = former(after[reader]);
    for (std::size_t input = 0; input < inputs.size(); ++input) {
      const auto& edge = inputs[input];
      auto& source = after[edge.slot];
      const bool is_same = before != nullptr && former(source) != nullptr &&
                           input < before->wiring.inputs.size() &&
                           before->wiring.inputs[input].from == source.stage->slot() &&
                           before->wiring.inputs[input].delay == edge.delay;
      auto queue = is_same ? before->wiring.inputs[input].queue : nullptr;
      // The frames in a delayed queue belong to the picture. An undelayed queue may be replaced by
      // a wider queue.
      if (!queue || (edge.delay == 0 && queue->capacity() < options_.queue_capacity + edge.slack))
        queue = queue_for(edge, *after[reader].stage);
      source.wiring.readers.push_back(queue);
      after[reader].wiring.inputs.push_back({source.stage->slot(), std::move(queue), edge.delay});
    }
  }
}

std::shared_ptr<FrameQueue> StageSet::queue_for(const GraphEdge& edge, const Stage& reader) const {
  auto queue = std::make_shared<FrameQueue>(options_.queue_capacity + edge.slack + edge.delay);
  if (edge.delay == 0) return queue;
  const auto backing = reader.traits().shows_inputs ? media::Backing::shared : media::Backing::own;
  media::FramePool pool(options_.size, 1, backing);
  auto black = *pool.try_acquire();
  black.stamp().epoch = context_.epoch;
  plugin::DrawingSurface(black.rgba(), options_.size)
      .fill({0, 0, options_.size.width, options_.size.height}, {0, 0, 0, 255});
  const auto frame = std::move(black).publish();
  for (std::size_t i = 0; i < edge.delay; ++i)
    static_cast<void>(queue->try_push(media::Frame(frame)));  // the queue has room
  return queue;
}

// Changing to the next shape.

void StageSet::go_over(std::vector<Place> after, const Graph& graph, std::uint64_t position) {
  const auto keepers = time_keepers(graph, after);
  for (std::size_t i = 0; i < after.size(); ++i) {
    auto& place = after[i];
    const auto before = std::find_if(places_.begin(), places_.end(),
                                     [&](const Place& each) { return each.stage == place.stage; });
    const bool is_kept = before != places_.end();
    const auto terminal = is_kept ? before->wiring.terminal : std::nullopt;
    if (graph.slots[i].is_terminal()) {
      place.wiring.terminal = terminal;
      if (!terminal) place.wiring.terminal = context_.credits.add_terminal(position);
      place.wiring.keeps_time = keepers[i];
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
  for (const auto& place : after) {
    if (!place.thread.joinable()) wait_for_retired(*place.stage);
  }
  places_ = std::move(after);
}

// A slot, and maybe a stream, belongs to a single stage at a time: otherwise frames would get out
// of order.
void StageSet::wait_for_retired(Stage& stage) const {
  for (const auto& [other, thread, wiring, pool, has_company] : retired_) {
    if (other->slot() == stage.slot() || (is_stream_end(*other) && is_stream_end(stage)))
      stage.wait_for(other);
  }
}

void StageSet::retire(Place place, std::uint64_t position) {
  if (place.wiring.terminal) context_.credits.end_terminal(*place.wiring.terminal, position);
  place.stage->retire(position);
  if (place.thread.joinable()) retired_.push_back(std::move(place));
}

void StageSet::start_threads() {
  for (auto& place : places_) {
    if (place.thread.joinable()) continue;
    place.thread = start_thread(
        context_.submix + "." + place.stage->slot(),
        [stage = place.stage](const std::stop_token& stop) { stage->run(stop); }, Urgency::stage);
  }
}

void StageSet::tend(std::chrono::nanoseconds patience, bool is_paused) {
  if (is_paused) paused_ = context_.clock.now();
  const auto deadline = context_.clock.now() + (is_paused ? std::chrono::nanoseconds(0) : patience);
  std::erase_if(retired_, [&](Place& place) {
    const bool is_over = place.stage->wait_until_over(deadline);
    if (!is_over && !is_paused && is_stuck(*place.stage)) place.thread.request_stop();
    return is_over;
  });
}

bool StageSet::is_stuck(const Stage& stage) const {
  const auto since = stage.in_plugin_since();
  const auto limit =
      std::max<std::chrono::nanoseconds>(kLastFrame, context_.rate.time_of(FrameIndex{2}));
  return since && context_.clock.now() - std::max(*since, paused_) >= limit;
}

void StageSet::ask_to_stop() {
  for_all([](Place& place) { place.thread.request_stop(); });
  for_all([](Place& place) { place.stage->close(); });
}

void StageSet::stop() {
  ask_to_stop();
  for_all([](Place& place) {
    if (place.thread.joinable()) place.thread.join();
  });
}

}  // namespace submix::engine
