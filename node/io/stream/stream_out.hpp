// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/stream/stream_edge.hpp"
#include "node/plugin/plugin.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace submix::io {

/// What a stream-out slot feeds.
struct StreamOutput {
  std::vector<std::shared_ptr<StreamEdge>> edges;  ///< none: no stream begins here
  std::function<bool()>
      is_show_paused;  ///< then nobody is late; empty: it never is. Called by the slot's thread
};

/// The plugin `stream-out`: sends its input over the network and passes it on, to each receiver by its edge's
/// policy. It waits for the credits of those that hold it back, and so paces its patch. Without a stream it
/// holds nobody up: frames pass at once, or by the show's rate where the patch has no other end.
[[nodiscard]] plugin::Description stream_out_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_stream_out(const plugin::Setup& setup,
                                                                      StreamOutput output);

}  // namespace submix::io
