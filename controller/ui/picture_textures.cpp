// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/picture_textures.hpp"

#include "common/media/frame.hpp"
#include "common/media/pixels.hpp"

#include <SDL.h>

namespace submix::ui {

PictureTextures::~PictureTextures() {
  keep_only({});
}

ImTextureID PictureTextures::texture_of(const session::PictureKey& key, const session::Picture& picture) {
  if (picture == nullptr || !is_allowed(picture->size)) return {};
  if (picture->rgb24.size() != picture->size.pixels() * 3) return {};
  auto& entry = entries_[key];
  if (entry.picture != picture) upload(entry, picture);
  return reinterpret_cast<ImTextureID>(entry.texture);
}

// As RGBA: the renderers have a fast way for it, and for 24 bits they have none.
void PictureTextures::upload(Entry& entry, const session::Picture& picture) {
  if (entry.texture != nullptr && entry.size != picture->size) {
    SDL_DestroyTexture(entry.texture);
    entry.texture = nullptr;
  }
  if (entry.texture == nullptr) {
    entry.size = picture->size;
    entry.texture = SDL_CreateTexture(renderer_, SDL_PIXELFORMAT_ABGR8888, SDL_TEXTUREACCESS_STREAMING,
                                      picture->size.width, picture->size.height);
    if (entry.texture == nullptr) return;
    SDL_SetTextureBlendMode(entry.texture, SDL_BLENDMODE_NONE);
  }
  const auto* rgb24 = reinterpret_cast<const std::uint8_t*>(picture->rgb24.data());
  rgba_.resize(picture->size.pixels() * media::kBytesPerRgbaPixel);
  media::unpack_rgb24({rgb24, picture->rgb24.size()}, rgba_);
  SDL_UpdateTexture(entry.texture, nullptr, rgba_.data(), picture->size.width * 4);
  entry.picture = picture;
}

void PictureTextures::keep_only(const session::Pictures& pictures) {
  std::erase_if(entries_, [&](const auto& item) {
    if (pictures.contains(item.first)) return false;
    if (item.second.texture != nullptr) SDL_DestroyTexture(item.second.texture);
    return true;
  });
}

}  // namespace submix::ui
