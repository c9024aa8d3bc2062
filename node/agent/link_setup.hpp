// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/stream_sender.hpp"
#include "common/show/document.hpp"

#include <cstddef>

namespace submix::agent {

/// The links that a show requests for a stream.
[[nodiscard]] inline link::LinkSetup link_setup_of(const show::Stream& stream) {
  link::LinkSetup setup{static_cast<std::size_t>(stream.link_count), {}, stream.is_local_allowed};
  for (const auto& route : stream.routes)
    setup.routes.push_back({route.from, route.to});
  return setup;
}

}  // namespace submix::agent
