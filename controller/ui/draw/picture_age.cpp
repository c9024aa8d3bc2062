// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/picture_age.hpp"

#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/picture_textures.hpp"
#include "controller/ui/draw/widgets.hpp"

#include <fmt/format.h>

namespace submix::ui {
namespace {

constexpr std::chrono::seconds kLive{2};

}  // namespace

std::string picture_age_text(std::chrono::nanoseconds age, const session::PictureKey& key,
                             const model::ClusterView& view) {
  if (age <= kLive || view.transport.is_paused) return {};
  auto words = fmt::format("{} old", duration_text(age));
  const auto* submix = view.find_submix(key.submix);
  if (submix != nullptr && submix->state != model::SubmixState::running)
    words += fmt::format("; {}", to_string(submix->state));
  return words;
}

void draw_picture_age(const session::PictureKey& key, ImVec2 corner, ImVec2 size, Panel& panel) {
  const auto since = panel.textures.shown_since(key);
  if (!since) return;
  const auto words = picture_age_text(LocalTime::clock::now() - *since, key, panel.view);
  if (words.empty()) return;
  auto* draw = ImGui::GetWindowDrawList();
  const ImVec2 end(corner.x + size.x, corner.y + size.y);
  const float bottom = ImGui::GetFontSize() + panel.px(6);
  draw->AddRectFilled(corner, end, IM_COL32(0, 0, 0, 110));
  draw->AddRectFilled(ImVec2(corner.x, end.y - bottom), end, IM_COL32(0, 0, 0, 200));
  draw->AddText(ImVec2(corner.x + panel.px(6), end.y - bottom + panel.px(3)), kDarkScheme.warning,
                words.c_str());
}

}  // namespace submix::ui
