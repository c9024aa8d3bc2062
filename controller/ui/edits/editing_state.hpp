// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/plan/planner.hpp"
#include "controller/ui/edits/plugin_categories.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// What the pages for building a show remember between frames.
namespace submix::ui {

/// The plugin browser: the plugins of the chosen submix's node, with a search field.
struct BrowserState {
  std::string query;
  std::string chosen;        ///< a plugin's id; empty: the first result
  std::string asked_node;    ///< the node whose plugins were requested
  bool is_given_up = false;  ///< asks no node until a person presses the button
  bool wants_focus = false;  ///< the field asks for the keyboard focus
  /// slot whose plugin the next choice replaces; empty: the choice is inserted
  std::string replaced;
  /// The list that `found` was computed from; a new list makes a new search. Holding the list keeps
  /// its address unique.
  std::shared_ptr<const std::vector<cluster::PluginSummary>> list;
  std::string found_query;
  std::set<std::string, std::less<>> found_favourites{};
  std::vector<std::size_t> found;  ///< indices into the list
};

/// The choice of an effect on the page Perform.
struct EffectChoiceState {
  std::string query;
  std::string found_query;           ///< of the last frame; a changed query chooses its best result
  std::optional<Category> category;  ///< empty: all
  bool is_of_favourites = false;     ///< shows those only
  std::string chosen;                ///< a plugin's id; not shown: the first result
  bool wants_keyboard = false;       ///< after a press beside the field: typing goes on there
};

/// An edit that a person is about to make, with the planner's opinion.
struct PlannedEdit {
  model::Edit edit;
  LocalTime at{};
  Result<model::ChangePlan> plan;
};

/// The typed size and rate of the show. Empty until somebody types.
struct FormatDraft {
  int width = 0;
  int height = 0;
  std::string rate;
};

/// The dialog with the settings of the whole show.
struct ShowSettingsState {
  bool is_open = false;
  std::string new_node;  ///< name being typed
};

struct EditingState {
  std::string slot;  ///< the chosen slot of the chosen submix
  /// chosen once the show contains it; so are the next two
  std::optional<show::Port> wanted_slot;
  std::string wanted_submix;
  std::string wanted_stream;
  BrowserState browser;
  EffectChoiceState effects;
  std::set<std::string, std::less<>> favourites{};  ///< plugins' ids; kept with the preferences
  bool is_bay_locked = false;  ///< the patch bay ignores the mouse, so that a slip changes nothing
  std::optional<PlannedEdit> planned;
  std::optional<FormatDraft> format;
  ShowSettingsState settings;
};

}  // namespace submix::ui
