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

/// A stage with its thread and its wiring, now or from the next frame on.
struct WiredStage {
  std::shared_ptr<Stage> stage;
  std::jthread thread;
  Wiring wiring;
  PoolNeeds pool;  ///< the needs for which the wiring's pool was made
  bool has_other_ends = false;
};

/// The least memory that the delayed frames and the frames in work take.
struct PoolMemory {
  std::size_t bytes = 0;
  std::size_t delayed_bytes = 0;      ///< of `bytes`
  std::size_t most_delayed_slot = 0;  ///< index in the graph
};
/// For frames of `size`. `seats_there`: the seats of each slot's present pool; 0: it has none.
[[nodiscard]] PoolMemory memory_needed(const Graph& graph, Size size,
                                       const std::vector<std::size_t>& seats_there);

/// The stages of a patch with their threads. Changes to the next shape before a given frame.
///
/// Threads  Compatible: the thread that edits.
class StageSet {
 public:
  StageSet(const PatchOptions& options, const StageContext& context);

  [[nodiscard]] const std::vector<WiredStage>& stages() const { return stages_; }
  /// Null: no such slot.
  [[nodiscard]] const WiredStage* find(std::string_view slot) const;

  /// Memory for the pools that must be made.
  [[nodiscard]] PoolMemory memory_needed(const Graph& graph,
                                         const std::vector<std::shared_ptr<Stage>>& kept) const;
  /// Makes stages, pools and queues for the planned slots; no running stage knows of them yet.
  [[nodiscard]] std::vector<WiredStage> arrange(std::vector<PlannedSlot> planned,
                                                const Graph& graph) const;
  /// Changes to the new stages before frame `position`, which no source may start until this call
  /// is done.
  void change_to(std::vector<WiredStage> after, const Graph& graph, std::uint64_t position);
  /// Starts a thread for each stage without a thread.
  void start_threads();
  /// Prepares memory that the pools may need next. Ends removed stages, waiting at most `patience`.
  /// A stage whose plugin takes too long for a frame is hurried. In a pause no stage is late.
  void tend(std::chrono::nanoseconds patience, bool is_paused);
  /// The first half of stop().
  void ask_to_stop();
  /// Ends and joins all threads.
  void stop();

 private:
  template <typename Act>
  void for_all(Act act) {
    std::for_each(stages_.begin(), stages_.end(), act);
    std::for_each(retired_.begin(), retired_.end(), act);
  }
  /// The present entry of the same stage; null: a new stage.
  [[nodiscard]] const WiredStage* former(const WiredStage& wired) const;
  [[nodiscard]] std::shared_ptr<media::FramePool> pool_for(const PoolNeeds& needs,
                                                           const WiredStage* before) const;
  void connect(std::vector<WiredStage>& after, const Graph& graph) const;
  [[nodiscard]] std::shared_ptr<FrameQueue> queue_for(const GraphEdge& edge,
                                                      const Stage& reader) const;
  void number_terminal(WiredStage& wired, const WiredStage* before, bool is_terminal,
                       std::uint64_t position) const;
  void retire(WiredStage wired, std::uint64_t position);
  void wait_for_retired(Stage& stage) const;
  [[nodiscard]] bool is_stuck(const Stage& stage) const;

  const PatchOptions& options_;
  const StageContext& context_;
  // of all pools whose pictures no other process maps
  const std::shared_ptr<media::PixelStore> store_;
  std::vector<WiredStage> stages_;   // in the submix's order
  std::vector<WiredStage> retired_;  // their threads may still make their last frames
  LocalTime paused_{};               // the last time at which the show was paused
};

}  // namespace submix::engine
