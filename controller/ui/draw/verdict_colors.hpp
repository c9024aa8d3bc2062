// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <imgui.h>

#include <string_view>

/// Colours for blocked threads and full queues. In a show that keeps its rate, the stages before
/// the stage that waits for the clock are blocked as intended, and get a calm colour. They get the
/// warning colour only if the verdict says that something holds the show back there.
namespace submix::ui {

/// For any part of the path that the verdict names.
[[nodiscard]] ImU32 blocked_color(const model::ClusterView& view);
[[nodiscard]] ImU32 blocked_slot_color(const model::ClusterView& view, std::string_view submix,
                                       std::string_view slot);
[[nodiscard]] ImU32 blocked_stream_color(const model::ClusterView& view, std::string_view stream);

}  // namespace submix::ui
