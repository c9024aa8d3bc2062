// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/frei0r/frei0r_repairs.hpp"
#include "node/plugin/plugin.hpp"

#include "common/base/mutex.hpp"
#include "common/base/result.hpp"

#include <frei0r.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::plugin {

/// A parameter as frei0r counts it.
struct Frei0rParameter {
  std::string name;
  int type = F0R_PARAM_DOUBLE;
};

/// A frei0r library in this process. It is loaded once, initialised once and never unloaded:
/// facebl0r's libraries do not survive an unload. Immutable, except `alone`.
struct Frei0rLibrary {
  /// The library of `file`; the same object at each call. Synchronized.
  [[nodiscard]] static Result<const Frei0rLibrary*> load(const std::filesystem::path& file);

  decltype(&f0r_construct) construct = nullptr;
  decltype(&f0r_destruct) destruct = nullptr;
  decltype(&f0r_set_param_value) set_value = nullptr;
  decltype(&f0r_get_param_value) get_value = nullptr;
  decltype(&f0r_update) update = nullptr;    ///< of sources and filters
  decltype(&f0r_update2) update2 = nullptr;  ///< of mixers

  Description description;
  int color_model = F0R_COLOR_MODEL_RGBA8888;
  std::vector<Frei0rParameter> parameters;  ///< all, by frei0r's index
  std::optional<Frei0rRepair> repair;
  bool clears_output = true;  ///< true: the plugin leaves pixels out, or nobody knows
  /// Held to make, set and end an instance, and to draw with a plugin that runs alone.
  mutable Mutex alone;
};

/// Makes an instance that runs in this process.
[[nodiscard]] Result<std::unique_ptr<Plugin>> make_frei0r_plugin(const Frei0rLibrary& library,
                                                                 const Setup& setup);

}  // namespace submix::plugin
