// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/instance.hpp"
#include "node/plugin/plugin.hpp"

#include <memory>

namespace submix::io {

/// The plugin `network`: a live picture from an address that FFmpeg can open, such as srt:// or
/// rtsp://. The slot's plugin runs in a confined process (node/decode); only what stands there
/// touches the network.
[[nodiscard]] plugin::Description network_description();

/// Errors   The address cannot be one. An empty address is none: a new slot has it.
[[nodiscard]] Result<void> check_network(const plugin::Setup& setup);

/// The instance of the confined process. Each picture is the newest one that is due. Connects with
/// its first picture, since a spare process has an instance, too. report() tells why there is no
/// picture; its counts are named in the description.
[[nodiscard]] std::unique_ptr<plugin::Instance> make_network_instance(const plugin::Setup& setup);

}  // namespace submix::io
