// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/plugin.hpp"

#include <optional>

namespace submix::plugin {

/// An opaque black frame, shown in place of a missing picture. Empty only when asked to stop.
[[nodiscard]] std::optional<media::Frame> black_frame(Work& work);

}  // namespace submix::plugin
