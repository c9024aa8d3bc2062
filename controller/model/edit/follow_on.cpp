// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/follow_on.hpp"

#include "controller/model/edit/performing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace submix::model {
namespace {

double seconds_of(const show::FollowOn& follow, const show::Tempo& tempo) {
  if (follow.unit == show::FollowUnit::seconds) return follow.after;
  const double speed = tempo.master_speed > 0 ? tempo.master_speed : 1.0;
  return follow.after * 60.0 / (tempo.beats_per_minute * speed);
}

}  // namespace

std::chrono::milliseconds due_after(const show::FollowOn& follow, const show::Tempo& tempo,
                                    std::chrono::nanoseconds now) {
  const double seconds = std::max(seconds_of(follow, tempo), show::kFollowMin);
  const std::chrono::milliseconds wait(std::llround(seconds * 1000.0));
  return std::chrono::floor<std::chrono::milliseconds>(now) + wait;
}

bool waits_while_paused(const show::Show& show) {
  const auto* next = next_cue(show);
  if (!show.following || next == nullptr) return false;
  const auto& gone = next == show.cues.data() ? show.cues.back() : *(next - 1);
  return !gone.is_paused.value_or(false);
}

std::string text_of(const show::FollowOn& follow) {
  if (follow.unit == show::FollowUnit::seconds) return fmt::format("{:.4g} s", follow.after);
  return fmt::format("{:.4g} {}", follow.after, follow.after == 1.0 ? "beat" : "beats");
}

Edit with_following(Edit edit, std::optional<std::chrono::milliseconds> at) {
  if (auto* following = std::get_if<SetFollowing>(&edit)) following->at = at;
  if (auto* group = std::get_if<EditGroup>(&edit)) {
    for (auto& part : group->edits)
      part = with_following(std::move(part), at);
  }
  return edit;
}

}  // namespace submix::model
