// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/picture_drawing.hpp"

#include "controller/ui/draw/picture_age.hpp"
#include "controller/ui/draw/picture_textures.hpp"
#include "controller/ui/draw/plugin_stills.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace submix::ui {
namespace {

// The corner of something of `size` in the middle of a rectangle, on whole pixels.
ImVec2 corner_in_middle(ImVec2 corner, ImVec2 room, ImVec2 size) {
  return {std::round(corner.x + (room.x - size.x) / 2),
          std::round(corner.y + (room.y - size.y) / 2)};
}

void draw_ground(ImVec2 corner, ImVec2 size) {
  ImGui::GetWindowDrawList()->AddRectFilled(corner, ImVec2(corner.x + size.x, corner.y + size.y),
                                            IM_COL32(0, 0, 0, 255));
}

// The ground is black in any theme.
void draw_words(const char* words, ImVec2 corner, ImVec2 size) {
  const auto from = corner_in_middle(corner, size, ImGui::CalcTextSize(words));
  ImGui::GetWindowDrawList()->AddText(from, kDarkScheme.dim, words);
}

// Over a picture.
void draw_cross(ImVec2 corner, ImVec2 size) {
  constexpr ImU32 kShade = IM_COL32(0, 0, 0, 150);
  ImGui::GetWindowDrawList()->AddRectFilled(corner, ImVec2(corner.x + size.x, corner.y + size.y),
                                            kShade);
  draw_words("×", corner, size);
}

// As large as it goes, whole and in the middle. Returns its place.
PicturePlace draw_whole(ImTextureID texture, Size picture, ImVec2 corner, ImVec2 size) {
  const auto place = picture_place(picture, corner, size);
  ImGui::GetWindowDrawList()->AddImage(
      texture, place.corner, ImVec2(place.corner.x + place.size.x, place.corner.y + place.size.y));
  return place;
}

// Empty: there is no picture yet.
std::optional<PicturePlace> draw_newest(const session::PictureKey& key, ImVec2 corner, ImVec2 size,
                                        Panel& panel) {
  draw_ground(corner, size);
  panel.watched.push_back(key);
  const auto found = panel.pictures.find(key);
  const auto picture = found == panel.pictures.end() ? nullptr : found->second;
  const auto texture = panel.textures.texture_of(key, picture);
  if (texture != ImTextureID{}) return draw_whole(texture, picture->size, corner, size);
  draw_words("no picture yet", corner, size);
  return std::nullopt;
}

// Null: it has not come yet.
template <typename Key, typename Found>
void draw_known(const Key& key, const Found* found, ImVec2 corner, ImVec2 size, Panel& panel) {
  draw_ground(corner, size);
  if (found == nullptr) return draw_words("…", corner, size);
  const auto texture = panel.textures.texture_of(key, found->picture);
  if (texture == ImTextureID{}) return draw_words("×", corner, size);
  draw_whole(texture, found->picture->size, corner, size);
}

}  // namespace

PicturePlace picture_place(Size picture, ImVec2 corner, ImVec2 size) {
  const auto width = static_cast<float>(picture.width);
  const auto height = static_cast<float>(picture.height);
  const float zoom = std::min(size.x / width, size.y / height);
  const ImVec2 shown(std::round(width * zoom), std::round(height * zoom));
  return {corner_in_middle(corner, size, shown), shown};
}

void draw_picture(const session::PictureKey& key, ImVec2 corner, ImVec2 size, Panel& panel) {
  if (const auto shown = draw_newest(key, corner, size, panel))
    draw_picture_age(key, shown->corner, shown->size, panel);
}

void draw_held_picture(const session::PictureKey& key, ImVec2 corner, ImVec2 size, Panel& panel) {
  static_cast<void>(draw_newest(key, corner, size, panel));
}

const model::MediaPicture* find_media_picture(const model::MediaPictureKey& key,
                                              const Panel& panel) {
  const auto* pictures = panel.view.media_pictures.get();
  if (pictures == nullptr) return nullptr;
  const auto found = pictures->find(key);
  return found == pictures->end() ? nullptr : found->second.get();
}

void draw_media_picture(const model::MediaPictureKey& key, ImVec2 corner, ImVec2 size,
                        Panel& panel) {
  panel.watched_media.push_back(key);
  draw_known(key, find_media_picture(key, panel), corner, size, panel);
}

void draw_media_moment(const model::MediaPictureKey& key, ImVec2 corner, ImVec2 size,
                       Panel& panel) {
  panel.watched_media.insert(panel.watched_media.begin(), key);
  auto shown = key;
  if (find_media_picture(key, panel) == nullptr) shown.step = model::MediaPictureKey::kUsualStep;
  draw_known(shown, find_media_picture(shown, panel), corner, size, panel);
}

const model::EffectPicture* find_effect_picture(const model::EffectPictureKey& key,
                                                const Panel& panel) {
  const auto* pictures = panel.view.effect_pictures.get();
  if (pictures == nullptr) return nullptr;
  const auto found = pictures->find(key);
  return found == pictures->end() ? nullptr : found->second.get();
}

void draw_effect_picture(const model::EffectPictureKey& key, ImVec2 corner, ImVec2 size,
                         Panel& panel) {
  panel.watched_effects.push_back(key);
  const auto* known = find_effect_picture(key, panel);
  const bool has_live = known != nullptr && known->picture != nullptr;
  if (has_live || !draw_plugin_still(key.plugin, corner, size, panel))
    return draw_known(key, known, corner, size, panel);
  if (known != nullptr) draw_cross(corner, size);
}

bool draw_plugin_still(const std::string& plugin, ImVec2 corner, ImVec2 size, Panel& panel) {
  const auto still = panel.state.plugin_stills->find(plugin);
  const auto texture = panel.textures.texture_of(PluginStillKey{plugin}, still);
  if (texture == ImTextureID{}) return false;
  draw_ground(corner, size);
  draw_whole(texture, still->size, corner, size);
  return true;
}

}  // namespace submix::ui
