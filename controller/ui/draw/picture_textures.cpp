// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/picture_textures.hpp"

#include "common/media/frame.hpp"
#include "common/media/pixels.hpp"

namespace submix::ui {

PictureTextures::~PictureTextures() {
  keep_only({});
}

ImTextureID PictureTextures::texture_of(const session::PictureKey& key,
                                        const session::Picture& picture) {
  if (picture == nullptr || !is_allowed(picture->size)) return {};
  if (picture->rgb24.size() != picture->size.pixels() * 3) return {};
  auto& entry = entries_[key];
  if (entry.picture != picture) upload(entry, picture);
  return entry.texture;
}

std::optional<LocalTime> PictureTextures::shown_since(const session::PictureKey& key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? std::nullopt : std::optional(found->second.since);
}

// Converts to RGBA: the drawings have a fast path for RGBA, and none for 24-bit pixels.
void PictureTextures::upload(Entry& entry, const session::Picture& picture) {
  if (entry.texture != nullptr && entry.size != picture->size) {
    drawing_.free_picture(entry.texture);
    entry.texture = nullptr;
  }
  if (entry.texture == nullptr) {
    entry.size = picture->size;
    entry.texture = drawing_.make_picture(picture->size);
    if (entry.texture == nullptr) return;
  }
  const auto* rgb24 = reinterpret_cast<const std::uint8_t*>(picture->rgb24.data());
  rgba_.resize(picture->size.pixels() * media::kBytesPerRgbaPixel);
  media::unpack_rgb24({rgb24, picture->rgb24.size()}, rgba_);
  drawing_.set_picture(entry.texture, rgba_);
  entry.picture = picture;
  entry.since = LocalTime::clock::now();
}

void PictureTextures::keep_only(const session::Pictures& pictures) {
  std::erase_if(entries_, [&](const auto& item) {
    if (pictures.contains(item.first)) return false;
    if (item.second.texture != nullptr) drawing_.free_picture(item.second.texture);
    return true;
  });
}

}  // namespace submix::ui
