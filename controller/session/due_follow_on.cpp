// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/due_follow_on.hpp"

#include "controller/model/edit/follow_on.hpp"

namespace submix::session {

// The edits of all controllers start from the due time, not from their own clocks, so they are
// equal: where two act at once, the fence lets one in, and the other finds its edit done.
std::optional<Result<model::CueStep>> due_follow_on(const show::Show& show,
                                                    const model::PluginMap* plugins,
                                                    const FollowOnNow& now) {
  if (!show.following) return std::nullopt;
  const auto due = *show.following;
  const auto late = now.show_time - due;
  const auto patience = now.is_own ? std::chrono::milliseconds(0) : model::kFollowOthersWait;
  if (late < patience) return std::nullopt;
  if (late > model::kFollowLateMax) return fail("it is overdue; GO performs it");

  model::RunningState running{.time = due, .plugins = {}};
  if (plugins != nullptr) running.plugins = model::with_macros(*plugins, show);
  auto step = model::go(show, running);
  if (step && now.keeps_structure && model::is_structural(step->edit))
    return fail(
        "it changes what runs where, and a person performs; in the edit mode GO performs it");
  return step;
}

}  // namespace submix::session
