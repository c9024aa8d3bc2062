// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/cluster_view.hpp"
#include "controller/session/actions.hpp"
#include "controller/ui/picture_textures.hpp"
#include "controller/ui/theme.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// The window's panels: each a function from a view to what people want, in a file of its own.
namespace submix::ui {

/// What the window remembers between frames.
struct PanelState {
  std::string selected_submix;  ///< whose patch is shown
  session::PictureKey picture;  ///< the large preview
  bool is_help_open = false;
  float scale = 1;
  std::uint64_t gesture = 0;                 ///< counts drags of sliders, so that each is one undo step
  std::map<std::string, std::string> texts;  ///< what is being typed, by widget
};

/// What a panel gets: all it needs, for one frame.
///
/// Threads  Confined (ui).
struct Panel {
  const model::ClusterView& view;
  const session::Pictures& pictures;
  const Fonts& fonts;
  PanelState& state;
  PictureTextures& textures;
  std::vector<session::Action>& actions;

  [[nodiscard]] float px(float unscaled) const { return unscaled * state.scale; }
};

void draw_top_bar(Panel& panel);
void draw_nodes_panel(Panel& panel);
void draw_submixes_panel(Panel& panel);
void draw_links_panel(Panel& panel);
void draw_queues_panel(Panel& panel);
void draw_patch_panel(Panel& panel);
void draw_preview_panel(Panel& panel);
void draw_events_panel(Panel& panel);
/// Instead of all panels while there is no node: what to do in the next minute.
void draw_empty_page(Panel& panel);
/// Over everything else: notices of the last seconds, and the list of keys.
void draw_notices(Panel& panel);
void draw_help(Panel& panel);

/// How high each would like to be, for the layout to share out the room.
[[nodiscard]] float nodes_height(const Panel& panel);
[[nodiscard]] float links_height(const Panel& panel);
[[nodiscard]] float preview_height(const Panel& panel, float width);

/// What is dragged from the list of submixes to a node: the submix's name.
inline constexpr const char* kSubmixPayload = "submix";

}  // namespace submix::ui
