// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/plugin.hpp"

#include <optional>

namespace submix::plugin {

/// An opaque black frame, in place of a picture that is not there. Empty only when asked to stop.
[[nodiscard]] std::optional<media::Frame> black_frame(Work& work);

}  // namespace submix::plugin
