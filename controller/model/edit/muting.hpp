// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/edit/layers.hpp"

#include <functional>
#include <map>
#include <set>
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

  /// Whether toggle_mute() or toggle_solo() has taken this layer out, and it still is.
  [[nodiscard]] bool is_muted(const Layer& layer) const;
  /// Whether some other layer is still out for this one's solo.
  [[nodiscard]] bool is_solo(const Layers& layers, std::string_view stream) const;

  /// Takes the layer out, or brings it back to where its fader was: fully, if nobody knows.
  [[nodiscard]] Edit toggle_mute(const Layers& layers, const std::string& stream);
  /// Takes all other layers out and brings this one in, or ends its solo: the layers that it has
  /// taken out come back. A solo ends the former one.
  [[nodiscard]] Edit toggle_solo(const Layers& layers, const std::string& stream);

 private:
  using Levels = std::map<std::string, double, std::less<>>;

  [[nodiscard]] static double level_then(const Layer& layer, const Levels& wanted);
  void take_out(const Layer& layer, Levels& wanted);
  void bring_back(const Layer& layer, Levels& wanted);
  void end_solo(const Layers& layers, Levels& wanted);

  Levels before_;                                // of the layers taken out
  std::string solo_;                             // empty: none
  std::set<std::string, std::less<>> for_solo_;  // taken out for the solo
};

}  // namespace submix::model
