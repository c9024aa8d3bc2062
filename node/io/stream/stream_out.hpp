// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/stream/stream_edge.hpp"
#include "node/plugin/plugin.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace submix::io {

/// The streams that a stream-out slot feeds.
struct StreamOutput {
  std::vector<std::shared_ptr<StreamEdge>> edges;  ///< empty: no stream begins here
  /// In a pause nobody is late. Empty: the show never pauses. Called by the slot's thread.
  std::function<bool()> is_show_paused;
};

/// The plugin `stream-out`: sends its input over the network and passes it on. Each receiver's edge
/// has its own policy. The plugin waits for the receivers' credits, and so paces its patch. Without
/// a stream it holds nothing up: frames pass at once, or at the show's rate if the patch has no
/// other end.
[[nodiscard]] plugin::Description stream_out_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_stream_out(const plugin::Setup& setup,
                                                                      StreamOutput output);

}  // namespace submix::io
