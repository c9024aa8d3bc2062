// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/edit/layers.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace submix::model {

/// Remembers where the faders of muted layers were, to bring the layers back there. A layer is out
/// of the mix while its fader is down, whoever has moved it.
///
/// Layers are named by their streams. A layer without a fader cannot be taken out.
/// Threads  Compatible.
class Muting {
 public:
  using Layers = std::vector<Layer>;

  /// To be called with each new show: forgets layers that are gone, and layers that somebody has
  /// brought back by hand.
  void follow(const Layers& layers);

  /// Whether toggle_mute() or toggle_solo() has taken this layer out, or an undo or redo has.
  [[nodiscard]] bool is_muted(const Layer& layer) const;
  /// Whether all other layers with a fader are out since this one's solo began.
  [[nodiscard]] bool is_solo(const Layers& layers, std::string_view stream) const;

  /// Takes the layer out, or brings it back to where its fader was, also after an undo; to full
  /// level, if that is not known.
  [[nodiscard]] Edit toggle_mute(const Layers& layers, const std::string& stream);
  /// Takes all other layers out and brings this one in. If this layer is solo already: ends its
  /// solo, and all layers are as they were before it. A solo ends the former one.
  [[nodiscard]] Edit toggle_solo(const Layers& layers, const std::string& stream);

 private:
  using Levels = std::map<std::string, double, std::less<>>;
  struct Muted {
    bool is_for_solo = false;   // of another layer
    bool was_seen_out = false;  // the show has the edit
  };

  [[nodiscard]] static double level_then(const Layer& layer, const Levels& wanted);
  void take_out(const Layer& layer, bool is_for_solo, Levels& wanted);
  void bring_back(const Layer& layer, Levels& wanted);
  void end_solo(const Layers& layers, Levels& wanted);

  std::map<std::string, Muted, std::less<>> muted_;  // by stream
  Levels levels_;                // of layers that were taken out, until a hand moves their faders
  std::string solo_;             // empty: none
  bool was_solo_muted_ = false;  // before its solo
};

}  // namespace submix::model
