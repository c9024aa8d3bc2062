// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/link/stream_receiver.hpp"
#include "common/show/document.hpp"
#include "node/plugin/plugin.hpp"

#include <chrono>
#include <memory>

namespace submix::io {

/// What a stream-in slot reads.
struct StreamInput {
  std::shared_ptr<link::StreamReceiver> receiver;  ///< null: no stream leads here; the slot waits
  show::InputPolicy policy = show::InputPolicy::wait;
  std::chrono::milliseconds pause_budget{500};  ///< for hold and black: how long to wait for a late frame
};

/// The plugin `stream-in`: the frames of a stream as a source, with the sender's stamps.
///
/// wait: for as long as it takes. hold, black: past the pause budget the input detaches, says so once, and
/// gives its last frame, or black, as often as it is asked, until the stream's next frame is there.
[[nodiscard]] plugin::Description stream_in_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_stream_in(const plugin::Setup& setup,
                                                                     StreamInput input);

}  // namespace submix::io
