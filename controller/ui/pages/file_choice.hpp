// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <optional>
#include <string>
#include <vector>

namespace submix::ui {

/// A file of a PC.
struct ChosenFile {
  std::string node;  ///< empty: any
  std::string file;
  bool is_own = false;  ///< a path on this computer
};

/// What a layer can show.
struct ChosenSource {
  ChosenFile file;
  std::string plugin;  ///< a title, a test picture or a generator; empty: the file
};

/// Several nodes of one PC may share its media folder. Its files are listed once: below the node
/// `wanted`, else below the first one by name.
[[nodiscard]] bool is_listed_elsewhere(const std::string& node, const std::string& wanted,
                                       const model::ClusterView& view);

/// Asks the PCs for their files. To be called when the choice opens.
void ask_for_media(Panel& panel);
/// Inside a popup: a field for `typed` that takes the keyboard, and the PCs' files whose names
/// contain it; those of `node` come first. Returns the file that was chosen, or dropped on the popup,
/// and then empties `typed`.
[[nodiscard]] std::optional<ChosenFile> draw_file_choice(std::string& typed,
                                                         const std::string& node, Panel& panel);

/// The same with the sources that need no file, in one list. Nothing typed: titles and test
/// pictures before the files, generators behind. Typed: sources whose name begins so come first.
[[nodiscard]] std::optional<ChosenSource> draw_source_choice(std::string& typed, Panel& panel);

/// Plays a file in a clip of the PC `node`. A file that is elsewhere is copied there first.
void play_in_clip(const ChosenFile& file, const show::Port& clip, const std::string& node,
                  Panel& panel);
/// Plays a file in the place of a layer's source (model::source_of()), in the same way.
void play_in_source(const ChosenFile& file, const std::string& layer, const std::string& node,
                    Panel& panel);
/// Adds a file to the bank of a clip of the PC `node`, in the same way.
void add_to_bank(const ChosenFile& file, const show::Port& clip, const std::string& node,
                 Panel& panel);
/// Chooses the next new layer when it runs: a person who adds a layer goes on with its clip, its words
/// or its effects.
void await_new_layer(Panel& panel);
/// Plays a file in a new layer, and awaits it. A file that only this computer has goes to the PC with
/// the fewest submixes.
void play_in_new_layer(const ChosenFile& file, const std::string& mix, Panel& panel);

/// Lets the effect Colour of `submix` apply a LUT of this computer, which is copied to its PC
/// first. A submix without Colour gets one.
void apply_own_lut(const std::string& file, const std::string& submix, Panel& panel);

/// What is dragged from the list, beside the mouse: the list itself closes meanwhile.
void draw_dragged_file(Panel& panel);
/// Inside a popup: the next file that was dropped on it. A LUT is none.
[[nodiscard]] std::optional<ChosenFile> take_file_dropped_on_list(Panel& panel);
/// The files that were dropped on the last widget, from another program or from the list. They are
/// taken.
[[nodiscard]] std::vector<ChosenFile> files_dropped_here(Panel& panel);
/// Plays the dropped files that no widget has taken, each in a new layer of the mix. A LUT goes to
/// the chosen layer or mix.
void take_dropped_files(Panel& panel);

}  // namespace submix::ui
