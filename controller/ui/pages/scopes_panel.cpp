// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/scopes_panel.hpp"

#include "controller/ui/draw/frame_text.hpp"
#include "controller/ui/draw/picture_drawing.hpp"
#include "controller/ui/draw/picture_textures.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/pages/picture_choice.hpp"
#include "controller/ui/plots/scope.hpp"

#include <algorithm>
#include <memory>

namespace submix::ui {
namespace {

// On black, in any theme.
constexpr ImU32 kLine = IM_COL32(255, 255, 255, 48);

session::Picture keep(media::Rgb24Image image) {
  auto kept = std::make_shared<cluster::Snapshot>();
  kept->size = image.size;
  kept->rgb24.assign(image.pixels.begin(), image.pixels.end());
  return kept;
}

// Draws the scopes anew where the picture is another one.
void follow(const session::Picture& picture, ScopesState& state) {
  if (state.source == picture) return;
  state.source = picture;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(picture->rgb24.data());
  const media::ScopeInput input{picture->size, {bytes, picture->rgb24.size()}};
  const auto histogram = media::histogram_of(input);
  state.drawn = {keep(draw_waveform(input)), keep(draw_vectorscope(input)),
                 keep(draw_histogram(histogram))};
  state.black = histogram.black;
  state.white = histogram.white;
}

// Of black, white, and three steps between them.
void draw_steps(ImVec2 corner, ImVec2 size) {
  for (int step = 0; step <= 4; ++step) {
    const float y = corner.y + size.y * static_cast<float>(step) / 4;
    ImGui::GetWindowDrawList()->AddLine({corner.x, y}, {corner.x + size.x, y}, kLine);
  }
}

void draw_color_targets(ImVec2 corner, ImVec2 size, const Panel& panel) {
  auto* draw = ImGui::GetWindowDrawList();
  const ImVec2 middle(corner.x + size.x / 2, corner.y + size.y / 2);
  draw->AddLine({corner.x, middle.y}, {corner.x + size.x, middle.y}, kLine);
  draw->AddLine({middle.x, corner.y}, {middle.x, corner.y + size.y}, kLine);
  const float half = panel.px(5);
  for (const auto& [name, rgb] : media::kColorTargets) {
    const auto [x, y] = media::place_in_vectorscope(rgb);
    const ImVec2 at(corner.x + x * size.x, corner.y + y * size.y);
    draw->AddRect({at.x - half, at.y - half}, {at.x + half, at.y + half}, kDarkScheme.dim);
    draw->AddText({at.x + half + panel.px(2), at.y - half}, kDarkScheme.dim, name.data(),
                  name.data() + name.size());
  }
}

PicturePlace draw_scope(ScopeKind kind, ImVec2 size, bool is_stretched, Panel& panel) {
  const auto corner = ImGui::GetCursorScreenPos();
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, IM_COL32(0, 0, 0, 255));
  const auto& drawn = panel.state.scopes->drawn[static_cast<std::size_t>(kind)];
  const auto place =
      is_stretched ? PicturePlace{corner, size} : picture_place(drawn->size, corner, size);
  const auto texture = panel.textures.texture_of(kind, drawn);
  if (texture != ImTextureID{})
    draw->AddImage(texture, place.corner,
                   {place.corner.x + place.size.x, place.corner.y + place.size.y});
  ImGui::Dummy(size);
  return place;
}

void draw_scopes(Panel& panel) {
  const auto& state = *panel.state.scopes;
  const auto room = ImGui::GetContentRegionAvail();
  const float label = ImGui::GetTextLineHeightWithSpacing();
  const float height = room.y - 3 * (label + ImGui::GetStyle().ItemSpacing.y);
  const ImVec2 low(room.x, std::max(panel.px(40), height * 0.26F));
  const ImVec2 high(room.x, std::max(panel.px(60), height * 0.48F));
  text("Waveform: brightness over the width", color::kDim);
  const auto waveform = draw_scope(ScopeKind::waveform, low, true, panel);
  draw_steps(waveform.corner, waveform.size);
  text("Vectorscope: hue and saturation", color::kDim);
  const auto vectorscope = draw_scope(ScopeKind::vectorscope, high, false, panel);
  draw_color_targets(vectorscope.corner, vectorscope.size, panel);
  text_cut(FrameText("Histogram: {:.1f} % black, {:.1f} % clipped", state.black * 100,
                     state.white * 100),
           room.x, color::kDim);
  draw_scope(ScopeKind::histogram, low, true, panel);
}

}  // namespace

void draw_scopes_panel(Panel& panel) {
  if (begin_panel("Scopes", panel.fonts) && panel.view.show != nullptr) {
    draw_picture_choice_in_title(panel);
    const auto& key = panel.state.picture;
    panel.watched.push_back(key);
    const auto found = panel.pictures.find(key);
    if (found == panel.pictures.end() || found->second == nullptr || found->second->rgb24.empty()) {
      text("No picture yet.", color::kDim);
    } else {
      follow(found->second, *panel.state.scopes);
      draw_scopes(panel);
    }
  }
  end_panel();
}

}  // namespace submix::ui
