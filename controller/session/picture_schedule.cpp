// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/picture_schedule.hpp"

#include "common/show/macros.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace submix::session {

void PictureSchedule::watch(const std::vector<PictureKey>& keys, std::optional<PictureKey> large) {
  large_ = std::move(large);
  for (auto& [key, entry] : pictures_)
    entry.is_watched = false;
  for (const auto& key : keys | std::views::take(kWatchedMax))
    pictures_[key].is_watched = true;
  std::erase_if(pictures_, [](const auto& item) {
    return !item.second.is_watched && !item.second.is_under_way;
  });
}

void PictureSchedule::follow(const model::ClusterView& view) {
  show_ = view.show;
  nodes_.clear();
  for (const auto& submix : view.submixes) {
    const auto* node = view.find_healthy_node(submix.running_node());
    // A failed submix shows its previous patch.
    const bool has_pictures = submix.state == model::SubmixState::running || !submix.stages.empty();
    if (node != nullptr && has_pictures) nodes_.emplace(submix.name, node->name);
  }
}

std::size_t PictureSchedule::in_flight() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(pictures_, [](const auto& item) { return item.second.is_under_way; }));
}

std::vector<TakePicture> PictureSchedule::take_due(LocalTime now) {
  std::vector<std::pair<const PictureKey, WatchedPicture>*> due;
  for (auto& item : pictures_) {
    if (item.second.is_watched && !item.second.is_under_way && item.second.due <= now)
      due.push_back(&item);
  }
  // The picture that has waited longest comes first, so that each of many gets its turn.
  std::ranges::sort(due, {},
                    [](const auto* item) { return std::pair(item->second.due, item->first); });
  std::vector<TakePicture> taken;
  auto under_way = in_flight();
  for (auto* item : due) {
    if (under_way >= kInFlightMax) break;
    auto& [key, picture] = *item;
    const auto node = nodes_.find(key.submix);
    if (node == nodes_.end()) {
      picture.due = now + kPicturePeriod;
      continue;
    }
    picture.is_under_way = true;
    picture.asked = now;
    ++under_way;
    taken.push_back(
        {key, node->second,
         show_ == nullptr ? key.slot : show::slot_behind(*show_, {key.submix, key.slot}),
         large_ == key});
  }
  return taken;
}

void PictureSchedule::finished(const PictureKey& key, bool was_taken, LocalTime now) {
  const auto found = pictures_.find(key);
  if (found == pictures_.end()) return;
  found->second.is_under_way = false;
  const auto period = large_ == key ? kLargePicturePeriod : kPicturePeriod;
  found->second.due = was_taken ? std::max(now, found->second.asked + period) : now + kPictureRetry;
  if (!found->second.is_watched) pictures_.erase(found);
}

std::optional<LocalTime> PictureSchedule::next_due() const {
  std::optional<LocalTime> next;
  if (in_flight() >= kInFlightMax) return next;
  for (const auto& [key, picture] : pictures_) {
    if (!picture.is_watched || picture.is_under_way) continue;
    if (!next || picture.due < *next) next = picture.due;
  }
  return next;
}

bool PictureSchedule::is_watched(const PictureKey& key) const {
  const auto found = pictures_.find(key);
  return found != pictures_.end() && found->second.is_watched;
}

}  // namespace submix::session
