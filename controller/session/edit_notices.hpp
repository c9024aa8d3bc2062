// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/view/macro_plugins.hpp"
#include "controller/session/actions.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace submix::session {

/// Notices about edits, for people. A moving fader causes the same notice sixty times a second;
/// this class lets one through, and the next after kPause.
///
/// Threads  Compatible.
class EditNotices {
 public:
  static constexpr std::chrono::seconds kPause{10};

  /// `text`, or empty within kPause of another notice about `about`.
  [[nodiscard]] std::optional<std::string> once(const std::string& about, std::string text,
                                                LocalTime now);
  /// Notices about values that were left out. A reason begins with its place, "left.clip.in: …";
  /// the rest may change with each movement.
  [[nodiscard]] std::vector<std::string> left_out(const std::vector<std::string>& values,
                                                  LocalTime now);
  [[nodiscard]] std::optional<std::string> refused(const EditShow& action, const Error& error,
                                                   LocalTime now);
  /// A notice that a value was accepted unchecked, as no node has described its plugin. Null
  /// `show`: there is none.
  [[nodiscard]] std::optional<std::string> undescribed(const model::Edit& edit,
                                                       const show::Show* show,
                                                       const model::PluginMap* plugins,
                                                       LocalTime now);

 private:
  std::map<std::string, LocalTime> told_;  // by once()'s `about`
};

}  // namespace submix::session
