// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/show/diff.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/readings.hpp"
#include "common/telemetry/trace.hpp"
#include "node/engine/tap.hpp"
#include "node/engine/transport.hpp"
#include "node/plugin/catalog.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace submix::engine {

/// How a patch shall run.
struct PatchOptions {
  Size size{1280, 720};
  FrameRate rate{30, 1};
  show::Tempo tempo = {};  ///< of its oscillators, at first: their time begins with its first frame
  std::uint64_t epoch = 1;         ///< of the frames its sources make; greater at each start
  bool is_free_running = false;    ///< as fast as it goes: `rate` then only counts time stamps
  std::size_t queue_capacity = 2;  ///< frames on each edge: one to go on with, one against jitter
  std::size_t tap_readers = 2;     ///< frames that latest_frame() may have out at once
  std::size_t cores = std::max(1U, std::thread::hardware_concurrency());  ///< that its slots share
};

/// What all frames of a patch have in common; another one needs another patch.
struct Format {
  Size size;
  FrameRate rate;

  friend bool operator==(const Format&, const Format&) = default;
};

/// What a patch lives in; all of it outlives the patch.
struct PatchEnvironment {
  const plugin::Catalog& catalog;
  EventSink& events;
  const Clock& clock;
  const Transport& transport;
  telemetry::Trace* trace = nullptr;  ///< what its slots do is written there; null: nowhere
  std::function<std::size_t()> memory_free =
      {};  ///< in bytes, that new pools may take; empty: no limit
};

/// A submix that runs: one plugin and one thread for each slot, bounded queues between them.
///
/// Every frame of a source reaches every slot behind it, in order, exactly once. Slots that no other slot
/// reads are terminal. They are paced by the rate and obey the transport, but for a stream-out that a
/// receiver holds back: a patch that ends in such ones only is paced by their credits.
///
/// Threads  start(), edit(), tend(), ask_to_stop(), stop(): Compatible. All else: any thread, at any time.
/// Cost     After start(): no allocation, no page fault, no lock held for longer than a pointer exchange.
/// Errors   build(), edit(): all that is wrong, one a line. A running patch reports events.
class Patch {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Patch>> build(const show::Submix& submix,
                                                            const PatchOptions& options,
                                                            const PatchEnvironment& environment);
  Patch(const Patch&) = delete;
  Patch& operator=(const Patch&) = delete;
  ~Patch();  ///< stops

  /// Starts every slot's thread. Once.
  void start();
  /// Goes over to other slots while frames flow. All that is new is built first; then every slot goes over
  /// before the same frame, which none has begun: none is lost, none waits for the edit. A slot of the same
  /// name and plugin keeps its thread, plugin and state, unless `renewed` names it; its parameters become
  /// those stated. A tempo, where one is given, holds from that frame on. On an error nothing has changed.
  [[nodiscard]] Result<void> edit(const show::Submix& submix,
                                  const std::set<std::string>& renewed = {},
                                  const std::optional<show::Tempo>& tempo = {});
  /// Slots that an edit has taken out make their last frames first. One that has not after a fifth of a
  /// second, pauses aside, gets no frame any more: its inputs, or its last picture, stand for those. Call it
  /// now and then.
  void tend();
  /// What stop() begins with, without waiting: several end side by side. Nothing else may be done with it
  /// then.
  void ask_to_stop();
  /// Ends and joins all threads; frames in flight are gone. Bounded by the plugins' 100 ms.
  void stop();

  /// Checked and clamped now. Stated values are taken over by each slot's thread before its next frame, the
  /// latest one wins, and those of one slot hold from the same frame on. Oscillators and the tempo hold from
  /// the same frame on in all slots: the first that no source has begun. There, what moved goes on from where
  /// it is, and a one-shot may begin. All that is right is done. Errors: all that is wrong, one a line.
  [[nodiscard]] Result<void> tune(const std::vector<show::SlotChange>& changes,
                                  const std::optional<show::Tempo>& tempo);
  [[nodiscard]] Result<void> tune(const show::SlotChange& change);
  [[nodiscard]] Result<void> set_parameter(std::string_view slot, std::string_view name,
                                           const show::ParameterValue& value);
  /// A bypassed slot passes its first input on; a bypassed source gives black.
  [[nodiscard]] Result<void> set_bypassed(std::string_view slot, bool is_bypassed);

  /// What `slot` (empty: the last slot) made last, also while paused, at most `width_max` wide (0: as it is);
  /// empty before its first.
  [[nodiscard]] Result<std::optional<TapPicture>> picture(std::string_view slot,
                                                          int width_max) const;
  /// The same, itself: at most `tap_readers` may be out at once without slowing the show.
  [[nodiscard]] Result<media::Frame> latest_frame(std::string_view slot) const;

  [[nodiscard]] Format format() const;
  /// What it is now, as the last build(), edit() or tune() has made it.
  [[nodiscard]] show::Submix shape() const;
  /// Whether a frame has passed all slots.
  [[nodiscard]] bool has_made_frames() const;
  [[nodiscard]] telemetry::SubmixReading telemetry() const;

 private:
  struct Running;
  explicit Patch(std::unique_ptr<Running> running);

  std::unique_ptr<Running> running_;
};

}  // namespace submix::engine
