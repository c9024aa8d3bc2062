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
#include "node/engine/show_count.hpp"
#include "node/engine/sound_source.hpp"
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

/// How a patch runs.
struct PatchOptions {
  Size size{1280, 720};
  FrameRate rate{30, 1};
  show::Tempo tempo = {};        ///< initial tempo
  std::uint64_t epoch = 1;       ///< of the frames its sources make; greater at each start
  bool is_free_running = false;  ///< as fast as possible: `rate` only counts time stamps
  bool is_rendering = false;     ///< the patch makes a film: no plugin is given up for being slow
  /// frames on each edge: a ready frame and a spare against jitter
  std::size_t queue_capacity = 2;
  std::size_t tap_readers = 2;  ///< frames of one slot that picture() and latest_frame() may lend
  /// cores that its slots share
  std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
};

/// The format of all frames of a patch, fixed for its life.
struct Format {
  Size size;
  FrameRate rate;

  friend bool operator==(const Format&, const Format&) = default;
};

/// The services a patch uses; all of them outlive the patch.
struct PatchEnvironment {
  const plugin::Catalog& catalog;
  EventSink& events;
  const Clock& clock;
  const Transport& transport;
  telemetry::Trace* trace = nullptr;  ///< receives what the slots do; null: no trace
  /// bytes that new pools may take; empty: no limit
  std::function<std::size_t()> memory_free = {};
  /// Empty: there is no cluster, and the show's time begins with the patch's first frame. A
  /// free-running patch does not use it.
  ShowTime show_time = {};
  const SoundSource* sound = nullptr;  ///< what oscillators of sound follow; null: silence
};

/// A running submix: a plugin and a thread for each slot, bounded queues between them.
///
/// Each frame of a source reaches each slot behind it, in order, exactly once. A slot that no other
/// slot reads is terminal. Terminal slots keep the show's rate and obey the transport. A stream-out
/// that waits for its receivers follows their credits instead; a patch with no other ends runs at
/// their pace.
///
/// Threads  start(), edit(), tend(), ask_to_stop(), stop(): Compatible. All others: any thread, at
///          any time.
/// Cost     After start(): no allocation, no page fault, no lock held for longer than a pointer
///          exchange.
/// Errors   build(), edit(): all faults, each on its own line. A running patch reports events.
class Patch {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Patch>> build(const show::Submix& submix,
                                                            const PatchOptions& options,
                                                            const PatchEnvironment& environment);
  Patch(const Patch&) = delete;
  Patch& operator=(const Patch&) = delete;
  ~Patch();  ///< stops

  /// Starts every slot's thread. Called once.
  void start();
  /// Changes the patch while frames flow. New parts are built first; then every slot changes before
  /// the same frame, which no source has started. No frame is lost, and no frame waits for the
  /// edit. A slot of the same name and plugin keeps its thread, plugin and state, unless `renewed`
  /// names it; its parameters become the stated ones. A given tempo holds from the same frame on.
  /// On an error nothing has changed.
  [[nodiscard]] Result<void> edit(const show::Submix& submix,
                                  const std::set<std::string>& renewed = {},
                                  const std::optional<show::Tempo>& tempo = {});
  /// Ends slots that an edit has removed. Such a slot first makes its last frames. If its plugin
  /// hangs for a fifth of a second, pauses not counted, the plugin gets no more frames: its inputs
  /// or its last picture replace the frames it owes. To be called now and then.
  void tend();
  /// The first half of stop(); does not wait, so that several patches can end side by side. Only
  /// stop() or the destructor may follow.
  void ask_to_stop();
  /// Ends and joins all threads; frames in flight are lost. Bounded by the plugins' 100 ms.
  void stop();

  /// Sets parameters, oscillators, fades and tempo. Values are checked and clamped now. Each slot
  /// takes stated values before its next frame: the newest value wins, and the values of a slot
  /// hold from the same frame on. Oscillators and tempo hold in all slots from the first frame that
  /// no source has started; announced changes of pace (show::announce()) hold from their own time.
  /// Correct parts are applied even if others fail.
  ///
  /// Errors   All faults, each on its own line.
  [[nodiscard]] Result<void> tune(const std::vector<show::SlotChange>& changes,
                                  const std::optional<show::Tempo>& tempo);
  [[nodiscard]] Result<void> tune(const show::SlotChange& change);
  [[nodiscard]] Result<void> set_parameter(std::string_view slot, std::string_view name,
                                           const show::ParameterValue& value);
  /// A bypassed slot passes its first input on; a bypassed source gives black.
  [[nodiscard]] Result<void> set_bypassed(std::string_view slot, bool is_bypassed);

  /// The newest picture of `slot` (empty: the last slot), also in a pause. At most `width_max`
  /// pixels wide (0: full size). Empty before the slot's first frame.
  [[nodiscard]] Result<std::optional<TapPicture>> picture(std::string_view slot,
                                                          int width_max) const;
  /// The newest frame of `slot` itself. Up to `tap_readers` such frames may be held without slowing
  /// the show.
  [[nodiscard]] Result<media::Frame> latest_frame(std::string_view slot) const;

  [[nodiscard]] Format format() const;
  /// The submix as the last build(), edit() or tune() has left it.
  [[nodiscard]] show::Submix shape() const;
  /// True once a frame has passed all slots.
  [[nodiscard]] bool has_made_frames() const;
  [[nodiscard]] telemetry::SubmixReading telemetry() const;

 private:
  struct Running;
  explicit Patch(std::unique_ptr<Running> running);

  std::unique_ptr<Running> running_;
};

}  // namespace submix::engine
