// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/link/stream_receiver.hpp"
#include "node/io/stream/stream_policy.hpp"
#include "node/plugin/plugin.hpp"

#include <memory>

namespace submix::io {

/// What a stream-in slot reads.
struct StreamInput {
  std::shared_ptr<link::StreamReceiver> receiver;  ///< null: no stream leads here; the slot waits
  std::shared_ptr<const StreamPolicy> policy = std::make_shared<const StreamPolicy>();
};

/// The plugin `stream-in`: the frames of a stream as a source, with the sender's stamps.
///
/// wait, latest: for as long as it takes. hold, black: past the pause budget the input detaches, says so
/// once, and gives its last frame, or black, as often as it is asked, until the stream's next frame is there.
[[nodiscard]] plugin::Description stream_in_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_stream_in(const plugin::Setup& setup,
                                                                     StreamInput input);

}  // namespace submix::io
