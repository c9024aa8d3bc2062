// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/edit/new_show.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/session/actions.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::ui {

struct Panel;

enum class FileDialog { none, open, save, begin };

/// The answers to the question about missing files, chosen so far.
struct MissingFilesState {
  std::string path;  ///< of the show that the question is about; empty: no question
  std::vector<session::ChosenMedia> choices;  ///< one for each missing file, in their order
  std::string typed;                          ///< in the search of a file
};

/// What the window remembers of show files between frames.
struct ShowFilesState {
  FileDialog dialog = FileDialog::none;
  bool has_focus = false;                ///< the field has got the keyboard focus
  std::string folder;                    ///< the listed folder
  std::string name;                      ///< of a file, typed or chosen
  std::string replaced;                  ///< the file that the next Save overwrites
  std::string warning;                   ///< why Save needs a second press
  std::string saved_path;                ///< path of the save in progress, or of the last save
  std::uint64_t tickets = 0;             ///< number of saves so far
  std::optional<std::uint64_t> awaited;  ///< ticket of the save in progress
  model::NewShow begun;                  ///< the new show, filled in so far
  std::vector<std::string> recent;       ///< paths, newest first
  MissingFilesState missing;
};

inline constexpr std::size_t kRecentMax = 10;

/// Puts the open file first in the list of recent files.
void remember_file(const std::string& path, std::vector<std::string>& recent);

/// Draws the open dialog over the page.
void draw_file_dialog(Panel& panel);
/// The ways to begin without a show: new, open, recent files.
void draw_show_beginnings(Panel& panel);

void open_dialog(FileDialog dialog, Panel& panel);
/// The healthy nodes for the dialog of a new show, in the order of the present show. Nodes on `pc`
/// (this_pc()) come last, because the last node mixes.
[[nodiscard]] std::vector<std::string> nodes_for_new_show(const model::ClusterView& view,
                                                          const model::NodeView& pc);
void save_show(Panel& panel);  ///< to its present file; asks for a path if it has none

}  // namespace submix::ui
