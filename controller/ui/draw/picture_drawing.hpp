// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

struct PicturePlace {
  ImVec2 corner;
  ImVec2 size;
};
/// Where a picture of a size is drawn in a rectangle: as large as it goes, whole and in the middle.
[[nodiscard]] PicturePlace picture_place(Size picture, ImVec2 corner, ImVec2 size);

/// Draws the newest picture of `key`, whole and in the middle of a black ground, in coordinates of
/// the screen. Asks for newer ones as long as it is called in each frame.
void draw_picture(const session::PictureKey& key, ImVec2 corner, ImVec2 size, Panel& panel);
/// The same for a picture that is held on purpose: it tells no age.
void draw_held_picture(const session::PictureKey& key, ImVec2 corner, ImVec2 size, Panel& panel);

/// The same for a moment of a file, which is there at once or comes soon. A file that cannot be
/// read shows a cross.
void draw_media_picture(const model::MediaPictureKey& key, ImVec2 corner, ImVec2 size,
                        Panel& panel);
/// The same for the moment that a person points at: it is wanted first. Until it is there, the
/// file's usual picture shows.
void draw_media_moment(const model::MediaPictureKey& key, ImVec2 corner, ImVec2 size, Panel& panel);
/// The same for an effect on the newest picture of a slot. Until that is there, the plugin's still
/// shows, and a cross over the still if the node made no picture.
void draw_effect_picture(const model::EffectPictureKey& key, ImVec2 corner, ImVec2 size,
                         Panel& panel);
/// The picture of a plugin that came with the window. False: there is none, and nothing is drawn.
bool draw_plugin_still(const std::string& plugin, ImVec2 corner, ImVec2 size, Panel& panel);
/// What is known of an effect's picture. Null: nothing yet.
[[nodiscard]] const model::EffectPicture* find_effect_picture(const model::EffectPictureKey& key,
                                                              const Panel& panel);
/// What is known of a moment of a file. Null: nothing yet.
[[nodiscard]] const model::MediaPicture* find_media_picture(const model::MediaPictureKey& key,
                                                            const Panel& panel);

}  // namespace submix::ui
