// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/engine/credits.hpp"
#include "node/engine/graph.hpp"
#include "node/engine/stage.hpp"
#include "node/engine/stage_maker.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

namespace submix::engine {

/// A stage among the others: its thread, and how it is wired now or will be before the next frame.
struct Place {
  std::shared_ptr<Stage> stage;
  std::jthread thread;
  Wiring wiring;
  PoolNeeds pool;  ///< that the wiring's pool was made for
  bool has_company = false;
};

/// What the frames that wait for delays, and those that are made, take at least.
struct PoolMemory {
  std::size_t bytes = 0;
  std::size_t delayed_bytes = 0;      ///< of these
  std::size_t most_delayed_slot = 0;  ///< by its place in the graph
};
/// For pictures of `size`; `seats_there` has the seats of each slot's present pool, 0 where there is none.
[[nodiscard]] PoolMemory memory_needed(const Graph& graph, Size size,
                                       const std::vector<std::size_t>& seats_there);

/// The stages of a patch, with their threads: goes over from one shape to another before a frame.
///
/// Threads  Compatible: the thread that edits.
class StageSet {
 public:
  StageSet(const PatchOptions& options, const StageContext& context);

  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  /// Null: there is none.
  [[nodiscard]] const Place* find(std::string_view slot) const;

  /// Of the pools that are not there yet.
  [[nodiscard]] PoolMemory memory_needed(const Graph& graph,
                                         const std::vector<std::shared_ptr<Stage>>& kept) const;
  /// The planned slots' stages with pools and queues; nothing that runs knows of them yet.
  [[nodiscard]] std::vector<Place> arrange(std::vector<PlannedSlot> planned,
                                           const Graph& graph) const;
  /// Before frame `position`, which no source may begin until this is done.
  void go_over(std::vector<Place> after, const Graph& graph, std::uint64_t position);
  /// Of those that have none.
  void start_threads();
  /// Lets those that are gone end, waiting at most `patience`. One whose plugin has been at one frame for too
  /// long is hurried; while the show is paused none is late.
  void tend(std::chrono::nanoseconds patience, bool is_paused);
  /// What stop() begins with.
  void ask_to_stop();
  /// Ends and joins all threads.
  void stop();

 private:
  template <typename Act>
  void for_all(Act act) {
    std::for_each(places_.begin(), places_.end(), act);
    std::for_each(retired_.begin(), retired_.end(), act);
  }
  /// The place of the same stage now; null: it is a new one.
  [[nodiscard]] const Place* former(const Place& place) const;
  [[nodiscard]] std::shared_ptr<media::FramePool> pool_for(const PoolNeeds& needs,
                                                           const Place* before) const;
  void connect(std::vector<Place>& after, const Graph& graph) const;
  [[nodiscard]] std::shared_ptr<FrameQueue> queue_for(const GraphEdge& edge,
                                                      const Stage& reader) const;
  void retire(Place place, std::uint64_t position);
  void wait_for_retired(Stage& stage) const;
  [[nodiscard]] bool is_stuck(const Stage& stage) const;

  const PatchOptions& options_;
  const StageContext& context_;
  const std::shared_ptr<media::PixelStore> store_;  // of all pools whose pictures nobody else maps
  std::vector<Place> places_;                       // as in the submix
  std::vector<Place> retired_;  // whose threads may still make their last frames
  LocalTime paused_{};          // when that was seen last
};

}  // namespace submix::engine
