// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/session/desk.hpp"

#include <imgui.h>

#include <map>
#include <vector>

struct SDL_Renderer;
struct SDL_Texture;

namespace submix::ui {

/// Previews as textures: one for each picture, changed when a new picture has come.
///
/// Threads  Confined (ui). The renderer outlives it.
/// Errors   A picture whose bytes do not fit its size has no texture.
class PictureTextures {
 public:
  explicit PictureTextures(SDL_Renderer* renderer) : renderer_(renderer) {}
  ~PictureTextures();
  PictureTextures(const PictureTextures&) = delete;
  PictureTextures& operator=(const PictureTextures&) = delete;

  /// Null where there is no picture.
  [[nodiscard]] ImTextureID texture_of(const session::PictureKey& key, const session::Picture& picture);
  /// Frees the textures of pictures that are no longer there.
  void keep_only(const session::Pictures& pictures);

 private:
  struct Entry {
    session::Picture picture;
    SDL_Texture* texture = nullptr;
    Size size;
  };
  void upload(Entry& entry, const session::Picture& picture);

  SDL_Renderer* renderer_;
  std::map<session::PictureKey, Entry> entries_;
  std::vector<unsigned char> rgba_;
};

}  // namespace submix::ui
