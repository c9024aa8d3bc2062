// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/instance.hpp"
#include "node/plugin/plugin.hpp"

#include <memory>

namespace submix::io {

/// The plugin `network`: a live picture from an address that FFmpeg can open, such as srt:// or
/// rtsp://. The plugin runs in a confined process (node/decode), the only one that touches the
/// network.
[[nodiscard]] plugin::Description network_description();

/// Errors   The address is invalid. An empty address is allowed: new slots have it.
[[nodiscard]] Result<void> check_network(const plugin::Setup& setup);

/// The plugin instance of the confined process. Each frame shows the newest picture that is due.
/// Connects at its first frame, because spare processes have instances, too. report() tells why
/// there is no picture; the description names its counts.
[[nodiscard]] std::unique_ptr<plugin::Instance> make_network_instance(const plugin::Setup& setup);

}  // namespace submix::io
