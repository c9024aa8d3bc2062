// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"

#include <chrono>
#include <optional>
#include <string>

/// Follow-ons: cues that go by themselves, some time after the cue before. Pure.
///
/// A cue that goes writes into the show when the next cue follows (show::Show::following). All
/// controllers see that time. Each may carry the follow-on out: the edit takes the time's place, so
/// the fence of the show's revision lets one of them do so, and only if nobody has changed it.
namespace submix::model {

/// When the next cue is due if a cue with `follow` goes at `now`: half a second later or more.
/// Beats are counted at the tempo of `now`, without the master speed where that is 0.
[[nodiscard]] std::chrono::milliseconds due_after(const show::FollowOn& follow,
                                                  const show::Tempo& tempo,
                                                  std::chrono::nanoseconds now);

/// Whether the follow-on that runs waits while the show is paused. That of a cue which pauses the
/// show does not: its pause would never end.
[[nodiscard]] bool waits_while_paused(const show::Show& show);

/// "16 beats", "4 s".
[[nodiscard]] std::string text_of(const show::FollowOn& follow);

/// How long after its due time a follow-on may still be carried out; a later one is stopped.
inline constexpr std::chrono::seconds kFollowLateMax{3};
/// How long controllers wait for the one that has written the show last.
inline constexpr std::chrono::milliseconds kFollowOthersWait{400};

/// `edit` with `at` in place of the time of its follow-on, if it sets one.
[[nodiscard]] Edit with_following(Edit edit, std::optional<std::chrono::milliseconds> at);

}  // namespace submix::model
