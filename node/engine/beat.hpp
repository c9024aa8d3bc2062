// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/show/tempo.hpp"
#include "node/plugin/plugin.hpp"

namespace submix::engine {

/// The beat at frame `frame` of the show, and the pace there. Pure.
[[nodiscard]] plugin::Beat beat_of(const show::Tempo& tempo, FrameRate rate, FrameIndex frame);

}  // namespace submix::engine
