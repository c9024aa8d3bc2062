// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "controller/session/session_core.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace submix::ui {

/// Pictures of plugins that were made once (tests/ui/plugin_pictures.py): they tell what a plugin
/// looks like while no node shows it on a picture of the show.
///
/// Shape    `plugins.txt` has a plugin's id in each line. `plugins.jpg` has their pictures in the
///          same order, in rows of kColumns.
/// Threads  Immutable.
class PluginStills {
 public:
  static constexpr Size kSize{160, 90};  ///< of each picture
  static constexpr int kColumns = 12;

  PluginStills() = default;
  /// Cost     Decodes all of them: some 15 ms.
  /// Errors   A file cannot be read, or the picture does not have the size that the ids ask for.
  [[nodiscard]] static Result<PluginStills> read(const std::filesystem::path& folder);

  /// Null: there is none of this plugin.
  [[nodiscard]] session::Picture find(std::string_view plugin) const;

 private:
  std::map<std::string, session::Picture, std::less<>> pictures_;
};

/// Of the installed window, or of the source tree.
[[nodiscard]] std::filesystem::path plugin_stills_folder();

}  // namespace submix::ui
