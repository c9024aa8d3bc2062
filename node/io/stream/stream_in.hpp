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

/// What the show's transport says, as engine::Transport has it.
struct ShowPause {
  bool is_paused = false;
  std::uint64_t pauses = 0;  ///< so far; tells one pause from the next
  std::uint64_t steps = 0;   ///< asked for within this pause
};

/// What a stream-in slot reads.
struct StreamInput {
  std::shared_ptr<link::StreamReceiver>
      receiver;  ///< null: no stream leads here, so the slot is black
  std::shared_ptr<const StreamPolicy> policy = std::make_shared<const StreamPolicy>();
  std::function<ShowPause()> show_pause =
      {};  ///< empty: it never pauses. Called by the slot's thread
};

/// The plugin `stream-in`: the frames of a stream as a source, with the sender's stamps.
///
/// wait, latest: for as long as it takes. hold, black, standby: past the pause budget, by one long wait or by
/// many short ones (PauseBudget), the input detaches and says so once, as an event and in the stream's
/// reading. Then it gives each frame that is there, and else its last one, or, when none has come for as long
/// as the budget, black or the stand-by picture. Black and stand-by pictures are of plugin::kStandInEpoch.
///
/// Without a stream it is black. Where it has come while its patch ran, it is black, too, until the first
/// frame of its stream has come, whatever its policy: a new layer holds up no show.
///
/// In a pause all wait for as long as it takes, and none owes anything for it. A step in a pause waits for
/// the budget at most, unless the input is detached, and then has the last frame again.
[[nodiscard]] plugin::Description stream_in_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_stream_in(const plugin::Setup& setup,
                                                                     StreamInput input);

}  // namespace submix::io
