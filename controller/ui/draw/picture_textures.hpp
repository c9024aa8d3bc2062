// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/session/session_core.hpp"
#include "controller/ui/draw/drawing.hpp"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace submix::ui {

/// The picture of a plugin that came with the window.
struct PluginStillKey {
  std::string plugin;

  friend auto operator<=>(const PluginStillKey&, const PluginStillKey&) = default;
};

/// What a scope makes of the picture that it measures.
enum class ScopeKind { waveform, vectorscope, histogram };

/// A picture of the show, of a file, of an effect, of a plugin, or of a scope.
using PictureId = std::variant<session::PictureKey, model::MediaPictureKey, model::EffectPictureKey,
                               PluginStillKey, ScopeKind>;

/// Previews as textures: one texture for each picture, updated when a newer picture comes.
///
/// Threads  Confined (ui). The drawing outlives this object.
/// Errors   A picture whose bytes do not fit its size has no texture.
class PictureTextures {
 public:
  explicit PictureTextures(Drawing& drawing) : drawing_(drawing) {}
  ~PictureTextures();
  PictureTextures(const PictureTextures&) = delete;
  PictureTextures& operator=(const PictureTextures&) = delete;

  /// Null if the picture is empty.
  [[nodiscard]] ImTextureID texture_of(const PictureId& id, const session::Picture& picture);
  /// Arrival time of the texture's picture. Empty if none was drawn.
  [[nodiscard]] std::optional<LocalTime> shown_since(const PictureId& id) const;
  /// Frees the textures of the pictures that neither these nor the view have. Those of plugins
  /// and scopes stay.
  void keep_only(const session::Pictures& pictures, const model::ClusterView& view);

 private:
  struct ShownPicture {
    session::Picture picture;
    ImTextureID texture = nullptr;
    Size size;
    LocalTime since{};
  };
  void upload(ShownPicture& shown, const session::Picture& picture);

  Drawing& drawing_;
  std::map<PictureId, ShownPicture> shown_;
  std::vector<unsigned char> rgba_;
};

}  // namespace submix::ui
