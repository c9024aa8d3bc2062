// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/verdict_colors.hpp"

#include "controller/model/verdict/bottleneck.hpp"
#include "controller/ui/draw/color_scheme.hpp"

#include <algorithm>

namespace submix::ui {
namespace {

bool is_held_back(const model::ClusterView& view) {
  if (view.bottleneck == nullptr) return false;
  return view.bottleneck->is_slow() || view.bottleneck->kind == model::Bottleneck::Kind::standstill;
}

template <typename Matches>
ImU32 color_where(const model::ClusterView& view, Matches matches) {
  const bool is_limiting =
      is_held_back(view) && std::ranges::any_of(view.bottleneck->steps, matches);
  return is_limiting ? color::kWarning : color::kHeld;
}

}  // namespace

ImU32 blocked_color(const model::ClusterView& view) {
  return is_held_back(view) ? color::kWarning : color::kHeld;
}

ImU32 blocked_slot_color(const model::ClusterView& view, std::string_view submix,
                         std::string_view slot) {
  return color_where(view,
                     [&](const auto& step) { return step.submix == submix && step.slot == slot; });
}

ImU32 blocked_stream_color(const model::ClusterView& view, std::string_view stream) {
  return color_where(view, [&](const auto& step) { return step.stream == stream; });
}

}  // namespace submix::ui
