// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/edit/clip_deck.hpp"
#include "controller/model/edit/full_screen.hpp"
#include "controller/model/edit/layers.hpp"
#include "controller/model/edit/muting.hpp"
#include "controller/model/edit/performing.hpp"
#include "controller/model/edit/tap_tempo.hpp"

#include <imgui.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::ui {

/// The layers of the performed mix, as derived from `show` and `plugins`.
struct MixLayers {
  std::shared_ptr<const show::Show> show;
  std::shared_ptr<const model::PluginMap> plugins;
  std::string submix;                   ///< empty: the show has none
  std::vector<model::Layer> layers;     ///< the lowest first
  std::optional<show::Port> mixer;      ///< the "mix" slot of all layers; empty: there is none
  model::RunningState running_mixer{};  ///< with the mixer's plugin only
};

/// A drag in a clip's bar: the held part of the bar, and the state at the begin of the drag.
struct ClipSeek {
  enum class Held { position, in, out };
  Held held = Held::position;
  std::size_t clip = 1;  ///< of the bank
  double offset = 0;     ///< the clip's parameter, in seconds
  double position = 0;   ///< in the clip, in seconds
  double time = 0;       ///< of the window's clock, in seconds
};

/// A drag of a layer in the picture: the values of its "transform" at the begin.
struct TransformDrag {
  double x = 0;  ///< in widths of the frame
  double y = 0;
  double scale = 1;
  double rotation = 0;  ///< degrees
  ImVec2 mouse;
};

/// The changes of the next cue, as last computed (model::cue_preview).
struct NextCueLines {
  std::shared_ptr<const show::Show> show;
  LocalTime at{};
  std::vector<std::string> lines;
};

/// A file of the chosen clip that does not play, perhaps because it is missing.
struct DoubtedFile {
  std::string file;  ///< "PC/name"; empty: the clip plays
  LocalTime since{};
  bool is_asked = false;  ///< whether the PC has it
};

/// A layer that this window has added and the show does not contain yet.
struct AwaitedLayer {
  LocalTime since{};
  std::vector<std::string> before;  ///< streams of the layers before
};

/// A cue, a preset or a layer that is being renamed.
struct Renaming {
  enum class Kind { cue, preset, layer };
  Kind kind = Kind::cue;
  std::string name;  ///< its present name
  std::string typed;
  bool has_focus = false;  ///< the field has got the keyboard
};

/// What edits of performers remember between frames.
struct PerformState {
  model::TapTempo taps;
  std::string knob;        ///< turned by keys; an unknown name means the first knob
  std::string preset;      ///< applied by a key; an unknown name means the first preset
  std::string wheel_knob;  ///< the knob that the mouse wheel or a key has turned last
  LocalTime wheel_at{};    ///< when it was turned
  NextCueLines next_cue;
  std::string next_in_view;  ///< the next cue to which the list was scrolled last
  std::optional<Renaming> renaming;
  std::shared_ptr<const show::Show> known_show;  ///< of which the names are used
  MixLayers mix;
  model::Muting muting;                       ///< of the mix's layers
  std::optional<AwaitedLayer> awaited_layer;  ///< chosen when it comes
  std::string layer_to_show;                  ///< scrolled into view; empty: none
  model::FullScreenSwitch full_screen;
  float layers_top = 0;            ///< in the window, in pixels; 0: the page has none
  float layers_width = 0;          ///< of all layers in the last frame, in pixels
  bool is_layer_shown = false;     ///< beside the picture: the chosen layer, or knobs and presets
  bool are_effects_shown = false;  ///< in a low column: the effects of the layer, or its clip
  std::string_view small_view;     ///< what a small window shows of the page; empty: the picture
  ClipSeek seek;
  TransformDrag transform;
  DoubtedFile doubted;
  std::map<std::string, double> speed_before_pause;   ///< of clips, by slot
  model::TakeTime take = model::TakeTime::next_beat;  ///< of clips and cue points
  int crossfade_beats = 4;  ///< how long a crossfade takes by itself; 0: a cut
};

}  // namespace submix::ui
