// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/edit/layers.hpp"
#include "controller/model/edit/muting.hpp"

#include <memory>
#include <string>
#include <vector>

namespace submix::ui {

/// The mix that is performed, of the show and the plugins that it was made of.
struct MixLayers {
  std::shared_ptr<const show::Show> show;
  std::shared_ptr<const model::PluginMap> plugins;
  std::string submix;  ///< empty: the show has none
  std::vector<model::Layer> layers;
};

/// What edits of performers remember between frames.
struct PerformState {
  std::vector<LocalTime> taps;  ///< of the tempo, oldest first
  std::string knob;             ///< turned by keys; an unknown name means the first knob
  std::string preset;           ///< applied by a key; an unknown name means the first preset
  std::string wheel_knob;       ///< the knob that the mouse wheel or a key has turned last
  LocalTime wheel_at{};         ///< when it was turned
  MixLayers mix;
  model::Muting muting;  ///< of the mix's layers
};

}  // namespace submix::ui
