// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/link/stream_receiver.hpp"
#include "node/io/stream/stream_policy.hpp"
#include "node/plugin/plugin.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace submix::io {

/// The pause state of the show, as in engine::Transport.
struct ShowPause {
  bool is_paused = false;
  std::uint64_t pauses = 0;  ///< pauses so far; tells one pause from the next
  std::uint64_t steps = 0;   ///< steps requested within this pause
};

/// The input of a stream-in slot.
struct StreamInput {
  /// Null: no stream leads here, so the slot is black.
  std::shared_ptr<link::StreamReceiver> receiver;
  std::shared_ptr<const StreamPolicy> policy = std::make_shared<const StreamPolicy>();
  /// Empty: the show never pauses. Called by the slot's thread.
  std::function<ShowPause()> show_pause = {};
};

/// The plugin `stream-in`: shows the frames of a stream as a source, with the sender's stamps.
///
/// Policies `wait` and `latest` wait without limit. Policies `hold`, `black` and `standby` detach
/// once one long wait or many short ones exceed the pause budget (PauseBudget). An event reports it
/// once, and the stream's reading states it. A detached input gives each frame that has arrived,
/// and its last frame otherwise. When no frame has come for as long as the budget, it gives black
/// or the stand-by picture. Both have the epoch plugin::kStandInEpoch.
///
/// When the show removes the stream, the input stops waiting. Until its slot ends, it takes the
/// frames that have arrived and otherwise shows its last picture.
///
/// Without a stream the slot is black. A slot added to a running patch is black until its stream's
/// first frame, with any policy: a new layer never holds the show up.
///
/// In a pause every input waits without limit, and the wait is no debt. A step in a pause waits for
/// the budget at most and then repeats the last frame, unless the input is detached.
[[nodiscard]] plugin::Description stream_in_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_stream_in(const plugin::Setup& setup,
                                                                     StreamInput input);

}  // namespace submix::io
