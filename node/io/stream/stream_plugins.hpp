// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/stream/stream_in.hpp"
#include "node/io/stream/stream_out.hpp"
#include "node/plugin/catalog.hpp"

#include <functional>

namespace submix::io {

/// Finds and opens the stream ends of a slot, by `setup.submix` and `setup.slot`. A receiver must
/// be opened with frames_held = setup.frames_behind + 1. Both functions live as long as the
/// catalog.
struct StreamEnds {
  std::function<Result<StreamInput>(const plugin::Setup&)> open_input;
  std::function<Result<StreamOutput>(const plugin::Setup&)> open_output;
};

/// Adds stream-in and stream-out.
void add_stream_plugins(plugin::Catalog& catalog, StreamEnds ends);

}  // namespace submix::io
