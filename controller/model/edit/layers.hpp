// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <optional>
#include <string>
#include <vector>

/// Layers of a mix, each change as one edit. A layer is a performer's submix, the stream that leads
/// it to the mix, and its place in the mixer.
///
/// Errors   Why the change is impossible, with the remedy. validate() checks the whole show.
namespace submix::model {

struct NewLayer {
  std::string name{};              ///< of the submix, the stream and the input; empty: "layer-3"
  std::string mix{};               ///< the submix that mixes; empty: find_mix()
  std::string node{};              ///< empty: the node of the show that runs the fewest submixes
  std::string plugin = "pattern";  ///< a source
  show::Parameters parameters{};   ///< of the source
  double level = 0.5;              ///< opacity over the layers below, 0 to 1
};

/// Makes the layer's source a looping clip or a still, by the ending of `file`, a name in its
/// node's media folder. A series of numbered pictures is a clip.
void play_file(NewLayer& layer, std::string file);

/// The slot that makes a layer's picture and is no clip, such as its test pattern. Null: there is
/// none, or the layer mixes pictures.
[[nodiscard]] const show::Slot* source_of(const show::Show& show, const PluginMap& plugins,
                                          const std::string& layer);
/// Plays a file in its place. The layer's effects and its place in the mix stay.
///
/// Errors   The layer has no such slot.
[[nodiscard]] Result<Edit> play_in_source(const show::Show& show, const PluginMap& plugins,
                                          const std::string& layer, const std::string& file);

/// The node of the show that runs the fewest submixes; empty: the show has no node.
[[nodiscard]] std::string node_for_layer(const show::Show& show);

/// How much of a layer the mix shows, as a parameter of its mixer.
struct LayerFader {
  show::Port mixer;
  std::string parameter;
  double value = 0;  ///< 0 to 1

  friend bool operator==(const LayerFader&, const LayerFader&) = default;
};
struct Layer {
  std::string stream;
  std::string submix;                 ///< the performer's
  std::optional<LayerFader> fader{};  ///< empty: its mixer has none for this input
  std::size_t input = 0;              ///< of the "mix" slot that has the fader, from 1 on; 0: none

  friend bool operator==(const Layer&, const Layer&) = default;
};
/// The layers of a mix, the lowest first. A "mix" slot has a fader for each input. A
/// mixer of two inputs has one for the upper input if its only parameter goes from 0 to 1.
[[nodiscard]] std::vector<Layer> layers_of(const show::Show& show, const PluginMap& plugins,
                                           const std::string& mix);
/// The "mix" slot that mixes all of these layers. Empty: none does.
[[nodiscard]] std::optional<show::Port> mixer_of(const std::vector<Layer>& layers);

/// The submix that mixes: the only one that receives streams and sends none, or the only submix.
[[nodiscard]] Result<std::string> find_mix(const show::Show& show);

/// Adds a layer on top of the mix's last mixer. A "mix" slot gets one input more; after another
/// mixer, or without one, a new "mix" slot lays the layer over the picture there. `plugins`: those
/// of the mix's node.
[[nodiscard]] Result<Edit> add_layer(const show::Show& show, const PluginMap& plugins,
                                     const NewLayer& layer);

/// Adds a copy of a layer right above it, on the same node, with the same effects and blend. Its
/// fader is down, so nobody sees it yet, and its recorders are off.
[[nodiscard]] Result<Edit> duplicate_layer(const show::Show& show, const PluginMap& plugins,
                                           const std::string& name);

/// Moves a layer to the place of another one of the same "mix" slot, with its level, blend and
/// side. The layers between move by one. Both are submixes.
[[nodiscard]] Result<Edit> move_layer(const show::Show& show, const PluginMap& plugins,
                                      const std::string& layer, const std::string& to);

/// Deletes a performer's submix with its streams, its inputs, and the filters that only this layer
/// passes. A mixer that would be left with one picture goes, too.
[[nodiscard]] Result<Edit> delete_layer(const show::Show& show, const PluginMap& plugins,
                                        const std::string& name);

}  // namespace submix::model
