// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/played_clips.hpp"

namespace submix::io {

std::shared_ptr<PlayedSlot> PlayedClips::join(const std::string& slot) {
  const MutexLock lock(mutex_);
  std::erase_if(slots_, [](const auto& other) { return other.second.expired(); });
  auto& place = slots_[slot];
  auto joined = place.lock();
  if (joined) return joined;
  joined = std::make_shared<PlayedSlot>();
  place = joined;
  return joined;
}

std::shared_ptr<const PlayedSlot> PlayedClips::find(const std::string& slot) const {
  const MutexLock lock(mutex_);
  const auto found = slots_.find(slot);
  return found == slots_.end() ? nullptr : found->second.lock();
}

std::vector<std::string> PlayedClips::slots() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, slot] : slots_) {
    if (!slot.expired()) names.push_back(name);
  }
  return names;
}

}  // namespace submix::io
