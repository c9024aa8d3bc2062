// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/plugin/plugin.hpp"

#include <memory>

namespace submix::io {

/// The plugin `send`: sends its frames as H.264 to a network address, for a streaming service or
/// another program, and passes them on.
///
/// Shape    Live: a frame that the far end does not take in time is counted, not sent. The show
///          never waits.
/// Cost     One encoder, on a thread of its own.
/// Errors   Creation fails if the address is invalid, or without an encoder. While nothing is sent,
///          trouble() says why.
[[nodiscard]] plugin::Description send_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_send(const plugin::Setup& setup);
/// Whether make_send() would succeed. Sends nothing.
[[nodiscard]] Result<void> check_send(const plugin::Setup& setup);

}  // namespace submix::io
