// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/moved_submixes.hpp"

#include <algorithm>
#include <utility>

namespace submix::agent {

MovedSubmixes::~MovedSubmixes() {
  end_where([](const Moved&) { return true; });
}

void MovedSubmixes::add(const std::string& name, std::shared_ptr<engine::Patch> patch) {
  end(name);
  const MutexLock lock(mutex_);
  moved_.push_back({name, std::move(patch), environment_.clock.now()});
}

std::shared_ptr<engine::Patch> MovedSubmixes::take_back(std::string_view name,
                                                        const engine::Format& format) {
  const MutexLock lock(mutex_);
  const auto found = std::ranges::find(moved_, name, &Moved::name);
  if (found == moved_.end() || found->patch->format() != format) return nullptr;
  auto patch = std::move(found->patch);
  moved_.erase(found);
  return patch;
}

void MovedSubmixes::end(std::string_view name) {
  end_where([&](const Moved& moved) { return moved.name == name; });
}

void MovedSubmixes::end_all_but(const std::set<std::string>& wanted) {
  end_where([&](const Moved& moved) { return !wanted.contains(moved.name); });
}

void MovedSubmixes::tend(const HasTakenOver& has_taken_over) {
  for (const auto& moved : all())
    moved.patch->tend();
  if (!has_taken_over) return;
  end_where([&](const Moved& moved) {
    if (!has_taken_over(moved.name)) return false;
    environment_.events.report(Severity::note, moved.name, "its new node has taken over");
    return true;
  });
}

bool MovedSubmixes::are_in_haste() const {
  const auto now = environment_.clock.now();
  return std::ranges::any_of(all(), [&](const Moved& moved) { return now - moved.since < kHaste; });
}

std::vector<cluster::SubmixReport> MovedSubmixes::reports(const engine::Format& format) const {
  std::vector<cluster::SubmixReport> reports;
  for (const auto& [name, patch] : patches(format)) {
    reports.push_back({.name = name,
                       .state = cluster::SubmixState::running,
                       .awaits_first_frame = !patch->has_made_frames()});
  }
  return reports;
}

std::map<std::string, std::shared_ptr<engine::Patch>> MovedSubmixes::patches(
    const engine::Format& format) const {
  std::map<std::string, std::shared_ptr<engine::Patch>> patches;
  for (const auto& moved : all()) {
    if (moved.patch->format() == format) patches.emplace(moved.name, moved.patch);
  }
  return patches;
}

void MovedSubmixes::end_where(const IsOver& is_over) {
  for (const auto& moved : all()) {
    if (!is_over(moved)) continue;
    moved.patch->stop();
    const MutexLock lock(mutex_);
    std::erase_if(moved_, [&](const Moved& each) { return each.patch == moved.patch; });
  }
}

std::vector<MovedSubmixes::Moved> MovedSubmixes::all() const {
  const MutexLock lock(mutex_);
  return moved_;
}

}  // namespace submix::agent
