// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <string>
#include <string_view>

/// Exports from a page to a file: a field for the path, a button, and the outcome.
namespace submix::ui {

/// A path in the home folder with the date and time: "…/submix-trace-20261122-142233.json".
[[nodiscard]] std::string export_path(std::string_view stem, std::string_view ending);

struct ExportOutcome {
  bool is_saving = false;
  std::string_view saved_as;
  std::string_view error;
};
/// True: the button was pressed. `path` holds the typed text.
[[nodiscard]] bool draw_export(std::string& path, const ExportOutcome& outcome, Panel& panel);

}  // namespace submix::ui
