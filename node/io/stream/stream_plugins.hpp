// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/stream/stream_in.hpp"
#include "node/io/stream/stream_out.hpp"
#include "node/plugin/catalog.hpp"

#include <functional>
#include <memory>

namespace submix::io {

/// Finds and opens a slot's end of a stream, by `setup.submix` and `setup.slot`. A receiver is best opened
/// with frames_held = setup.frames_behind + 1. Both live for as long as the catalog.
struct StreamEnds {
  std::function<Result<StreamInput>(const plugin::Setup&)> open_input;
  std::function<Result<std::shared_ptr<link::StreamSender>>(const plugin::Setup&)> open_output;
};

/// Adds stream-in and stream-out.
void add_stream_plugins(plugin::Catalog& catalog, StreamEnds ends);

}  // namespace submix::io
