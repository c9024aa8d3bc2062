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

/// Free seats of each pool that always have memory: the next to be needed.
constexpr std::size_t kSpareSeats = 2;

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
std::vector<bool> time_keepers(const Graph& graph, const std::vector<WiredStage>& stages) {
  const auto rank_of = [&](std::size_t i) {
    if (!graph.slots[i].is_terminal()) return 0;
    if (!graph.slots[i].readers.empty()) return 1;
    return stages[i].stage->traits().is_connected ? 3 : 2;
  };
  int greatest = 1;
  for (std::size_t i = 0; i < stages.size(); ++i)
    greatest = std::max(greatest, rank_of(i));

  std::vector<bool> keepers(stages.size());
  for (std::size_t i = 0; i < stages.size(); ++i)
    keepers[i] = rank_of(i) == greatest;
  return keepers;
}

std::shared_ptr<media::PixelStore> make_store(Size size, media::Backing backing) {
  return std::make_shared<media::PixelStore>(size.pixels() * media::kBytesPerRgbaPixel, backing);
}

}  // namespace

StageSet::StageSet(const PatchOptions& options, const StageContext& context)
    : options_(options), context_(context), store_(make_store(options.size, media::Backing::own)) {}

const WiredStage* StageSet::find(std::string_view slot) const {
  const auto found = std::find_if(stages_.begin(), stages_.end(), [&](const WiredStage& wired) {
    return wired.stage->slot() == slot;
  });
  return found == stages_.end() ? nullptr : &*found;
}

const WiredStage* StageSet::former(const WiredStage& wired) const {
  const auto* before = find(wired.stage->slot());
  return before != nullptr && before->stage == wired.stage ? before : nullptr;
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

std::vector<WiredStage> StageSet::arrange(std::vector<PlannedSlot> planned,
                                          const Graph& graph) const {
  std::vector<WiredStage> after(planned.size());
  for (std::size_t i = 0; i < planned.size(); ++i) {
    auto& wired = after[i];
    const bool is_kept = planned[i].kept != nullptr;
    wired.stage =
        is_kept ? planned[i].kept : std::make_shared<Stage>(std::move(planned[i].parts), context_);
    const auto* before = find(wired.stage->slot());
    wired.pool = planned[i].pool;
    wired.has_other_ends = has_other_ends(graph, i);
    wired.wiring.pool = pool_for(wired.pool, former(wired));
    if (is_kept && wired.wiring.pool == before->wiring.pool) wired.pool = before->pool;
  }
  connect(after, graph);
  return after;
}

std::shared_ptr<media::FramePool> StageSet::pool_for(const PoolNeeds& needs,
                                                     const WiredStage* before) const {
  if (needs.seats == 0) return nullptr;
  if (before != nullptr && before->pool.seats >= needs.seats &&
      before->pool.backing == needs.backing)
    return before->wiring.pool;
  auto store =
      needs.backing == media::Backing::own ? store_ : make_store(options_.size, needs.backing);
  return std::make_shared<media::FramePool>(options_.size, needs.seats, needs.seats_at_once,
                                            std::move(store));
}

// An edge between the same two stages keeps its queue, since frames may be in it.
void StageSet::connect(std::vector<WiredStage>& after, const Graph& graph) const {
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

void StageSet::change_to(std::vector<WiredStage> after, const Graph& graph,
                         std::uint64_t position) {
  const auto keepers = time_keepers(graph, after);
  for (std::size_t i = 0; i < after.size(); ++i) {
    auto& wired = after[i];
    const auto found = std::ranges::find(stages_, wired.stage, &WiredStage::stage);
    auto* before = found == stages_.end() ? nullptr : &*found;

    number_terminal(wired, before, graph.slots[i].is_terminal(), position);
    wired.wiring.keeps_time = keepers[i];
    if (before != nullptr) {
      wired.stage->control().rewire(position, wired.wiring);
      wired.thread = std::move(before->thread);
      before->stage = nullptr;
    } else {
      wired.stage->begin_at(position, wired.wiring);
    }
  }
  for (auto& before : stages_) {
    if (before.stage) retire(std::move(before), position);
  }
  for (const auto& wired : after) {
    if (!wired.thread.joinable()) wait_for_retired(*wired.stage);
  }
  stages_ = std::move(after);
}

// A stage that stays terminal keeps its number.
void StageSet::number_terminal(WiredStage& wired, const WiredStage* before, bool is_terminal,
                               std::uint64_t position) const {
  const auto former = before != nullptr ? before->wiring.terminal : std::nullopt;
  if (!is_terminal) {
    if (former) context_.credits.end_terminal(*former, position);
    return;
  }

  wired.wiring.terminal = former;
  if (!former)
    wired.wiring.terminal = context_.credits.add_terminal(
        position, [stage = wired.stage.get()] { return stage->demand(); });
}

// Two stages of one slot, or of one stream's end, would deliver frames out of order.
void StageSet::wait_for_retired(Stage& stage) const {
  for (const auto& [other, thread, wiring, pool, has_other_ends] : retired_) {
    if (other->slot() == stage.slot() || (is_stream_end(*other) && is_stream_end(stage)))
      stage.wait_for(other);
  }
}

void StageSet::retire(WiredStage wired, std::uint64_t position) {
  if (wired.wiring.terminal) context_.credits.end_terminal(*wired.wiring.terminal, position);
  wired.stage->control().retire(position);
  if (wired.thread.joinable()) retired_.push_back(std::move(wired));
}

void StageSet::start_threads() {
  for (auto& wired : stages_) {
    if (wired.thread.joinable()) continue;
    wired.thread = start_thread(
        context_.submix + "." + wired.stage->slot(),
        [stage = wired.stage](const std::stop_token& stop) { stage->run(stop); }, Urgency::stage);
  }
}

void StageSet::tend(std::chrono::nanoseconds patience, bool is_paused) {
  if (is_paused) paused_ = context_.clock.now();
  const auto deadline = context_.clock.now() + (is_paused ? std::chrono::nanoseconds(0) : patience);
  for (const auto& wired : stages_) {
    if (wired.wiring.pool)
      wired.wiring.pool->touch_spare(std::min(kSpareSeats, wired.pool.seats_at_once));
  }
  std::erase_if(retired_, [&](WiredStage& wired) {
    const bool is_over = wired.stage->control().wait_until_over(deadline);
    if (!is_over && !is_paused && is_stuck(*wired.stage)) wired.thread.request_stop();
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
  for_all([](WiredStage& wired) { wired.thread.request_stop(); });
  for_all([](WiredStage& wired) { wired.stage->close(); });
}

void StageSet::stop() {
  ask_to_stop();
  for_all([](WiredStage& wired) {
    if (wired.thread.joinable()) wired.thread.join();
  });
}

}  // namespace submix::engine
