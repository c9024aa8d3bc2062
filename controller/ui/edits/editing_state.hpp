// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/plan/planner.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// What the pages on which a show is built remember between frames.
namespace submix::ui {

/// The plugins of the chosen submix's node, found by typing.
struct BrowserState {
  std::string query;
  std::string chosen;        ///< a plugin's id; empty: the first one found
  std::string asked_node;    ///< for its plugins
  bool is_given_up = false;  ///< nobody is asked until a person says so
  bool wants_focus = false;  ///< the field shall get the keyboard
  std::string replaced;  ///< the slot whose plugin the next choice replaces; empty: it is inserted
  /// Of which `found` is; another one: it is made anew. Kept, so that no other one takes its address.
  std::shared_ptr<const std::vector<cluster::PluginSummary>> list;
  std::string found_query;
  std::vector<std::size_t> found;  ///< places in the list
};

/// An edit that somebody is about to make, and what the planner says to it.
struct PlannedEdit {
  model::Edit edit;
  LocalTime at{};
  Result<model::ChangePlan> plan;
};

/// The show's size and rate while they are typed; empty until somebody begins to.
struct FormatDraft {
  int width = 0;
  int height = 0;
  std::string rate;
};

/// The dialog of what holds for the whole show.
struct ShowSettingsState {
  bool is_open = false;
  std::string new_node;  ///< that is being typed
};

struct EditingState {
  std::string slot;                       ///< the chosen one of the chosen submix
  std::optional<show::Port> wanted_slot;  ///< shall be chosen once the show has it, as the next two
  std::string wanted_submix;
  std::string wanted_stream;
  BrowserState browser;
  bool is_bay_locked = false;  ///< a slip of the mouse changes no stream
  std::optional<PlannedEdit> planned;
  std::optional<FormatDraft> format;
  ShowSettingsState settings;
};

}  // namespace submix::ui
