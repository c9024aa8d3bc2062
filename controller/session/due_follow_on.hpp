// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/model/edit/performing.hpp"

#include <chrono>
#include <optional>

namespace submix::session {

/// The moment at which a controller looks for a follow-on.
struct FollowOnNow {
  std::chrono::nanoseconds show_time{0};
  bool is_own = false;           ///< this controller was the last to write the show
  bool keeps_structure = false;  ///< a person performs
};

/// The cue that follows by itself now. Empty: none, or not yet. Null `plugins`: none is described.
/// Pure.
///
/// Every controller sees the time at which the next cue follows. The last writer of the show acts
/// first. The other controllers act later, in case that writer is gone.
///
/// Errors   Why the cue does not follow by itself, for people.
[[nodiscard]] std::optional<Result<model::CueStep>> due_follow_on(const show::Show& show,
                                                                  const model::PluginMap* plugins,
                                                                  const FollowOnNow& now);

}  // namespace submix::session
