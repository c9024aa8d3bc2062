// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/edit/new_show.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace submix::ui {

struct Panel;

enum class FileDialog { none, open, save, begin };

/// What the window remembers of show files between frames.
struct ShowFilesState {
  FileDialog dialog = FileDialog::none;
  bool has_focus = false;                ///< its field has been given the keyboard
  std::string folder;                    ///< that is listed
  std::string name;                      ///< typed or chosen in it
  std::string replaced;                  ///< what the next press of Save writes whatever is there
  std::string warning;                   ///< why it has to be pressed again
  std::string saved_path;                ///< of the save that is under way, or was last
  std::uint64_t tickets = 0;             ///< given to saves
  std::optional<std::uint64_t> awaited;  ///< the ticket of the save that is under way
  model::NewShow begun;                  ///< as far as it is stated
  std::vector<std::string> recent;       ///< paths, newest first
};

inline constexpr std::size_t kRecentMax = 10;

/// Puts the open file in front of the recent ones.
void remember_file(const std::string& path, std::vector<std::string>& recent);

/// The show's name in the top bar; pressed, the menu of files.
void draw_show_menu(Panel& panel);
/// The dialog that is open, over the page.
void draw_file_dialog(Panel& panel);
/// What begins a show where there is none: new, open, recent ones.
void draw_show_beginnings(Panel& panel);

void open_dialog(FileDialog dialog, Panel& panel);
void save_show(Panel& panel);  ///< where it stands; asks where it stands nowhere

}  // namespace submix::ui
