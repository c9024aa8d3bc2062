// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/picture_textures.hpp"

#include "common/media/frame.hpp"
#include "common/media/pixels.hpp"

namespace submix::ui {

PictureTextures::~PictureTextures() {
  keep_only({}, {});
}

ImTextureID PictureTextures::texture_of(const PictureId& id, const session::Picture& picture) {
  if (picture == nullptr || !is_allowed(picture->size)) return {};
  if (picture->rgb24.size() != picture->size.pixels() * 3) return {};
  auto& shown = shown_[id];
  if (shown.picture != picture) upload(shown, picture);
  return shown.texture;
}

std::optional<LocalTime> PictureTextures::shown_since(const PictureId& id) const {
  const auto found = shown_.find(id);
  return found == shown_.end() ? std::nullopt : std::optional(found->second.since);
}

// Converts to RGBA: the drawings have a fast path for RGBA, and none for 24-bit pixels.
void PictureTextures::upload(ShownPicture& shown, const session::Picture& picture) {
  if (shown.texture != nullptr && shown.size != picture->size) {
    drawing_.free_picture(shown.texture);
    shown.texture = nullptr;
  }
  if (shown.texture == nullptr) {
    shown.size = picture->size;
    shown.texture = drawing_.make_picture(picture->size);
    if (shown.texture == nullptr) return;
  }
  const auto* rgb24 = reinterpret_cast<const std::uint8_t*>(picture->rgb24.data());
  rgba_.resize(picture->size.pixels() * media::kBytesPerRgbaPixel);
  media::unpack_rgb24({rgb24, picture->rgb24.size()}, rgba_);
  drawing_.set_picture(shown.texture, rgba_);
  shown.picture = picture;
  shown.since = LocalTime::clock::now();
}

void PictureTextures::keep_only(const session::Pictures& pictures, const model::ClusterView& view) {
  const auto is_kept = [&](const PictureId& id) {
    if (const auto* key = std::get_if<session::PictureKey>(&id)) return pictures.contains(*key);
    if (const auto* key = std::get_if<model::MediaPictureKey>(&id))
      return view.media_pictures != nullptr && view.media_pictures->contains(*key);
    if (std::holds_alternative<PluginStillKey>(id) || std::holds_alternative<ScopeKind>(id))
      return true;
    return view.effect_pictures != nullptr &&
           view.effect_pictures->contains(std::get<model::EffectPictureKey>(id));
  };
  std::erase_if(shown_, [&](const auto& item) {
    if (is_kept(item.first)) return false;
    if (item.second.texture != nullptr) drawing_.free_picture(item.second.texture);
    return true;
  });
}

}  // namespace submix::ui
