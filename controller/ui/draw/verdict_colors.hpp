// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <imgui.h>

#include <string_view>

/// How to paint what is blocked or full. In a show that keeps its rate the stages before the one that waits
/// for the time are blocked, as they should be: that is calm to look at. A warning only where the verdict
/// says that something holds the show back there.
namespace submix::ui {

/// Anywhere on the way that the verdict is about.
[[nodiscard]] ImU32 blocked_color(const model::ClusterView& view);
[[nodiscard]] ImU32 blocked_slot_color(const model::ClusterView& view, std::string_view submix,
                                       std::string_view slot);
[[nodiscard]] ImU32 blocked_stream_color(const model::ClusterView& view, std::string_view stream);

}  // namespace submix::ui
