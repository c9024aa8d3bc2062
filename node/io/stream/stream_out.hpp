// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/link/stream_sender.hpp"
#include "node/plugin/plugin.hpp"

#include <memory>

namespace submix::io {

/// The plugin `stream-out`: sends its input over the network and passes it on. It waits for the receiver's
/// credit, and so paces its patch. `sender` null: no stream begins here; the slot waits until there is one.
[[nodiscard]] plugin::Description stream_out_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_stream_out(
    const plugin::Setup& setup, std::shared_ptr<link::StreamSender> sender);

}  // namespace submix::io
