// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/running_submixes.hpp"

#include "common/show/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::agent {

std::string format_of(const engine::Patch& patch) {
  const auto& [size, rate] = patch.format();
  return fmt::format("{}x{} and {} fps", size.width, size.height, show::to_string(rate));
}

bool has_trouble(const engine::Patch& patch) {
  const auto stages = patch.telemetry().stages;
  return std::ranges::any_of(stages, [](const auto& stage) { return !stage.trouble.empty(); });
}

std::shared_ptr<engine::Patch> RunningSubmixes::exchange(const std::string& name,
                                                         std::shared_ptr<engine::Patch> patch) {
  const MutexLock lock(mutex_);
  auto& entry = entries_[name];
  entry.error.clear();
  return std::exchange(entry.patch, std::move(patch));
}

void RunningSubmixes::forget(const std::string& name) {
  const MutexLock lock(mutex_);
  entries_.erase(name);
}

bool RunningSubmixes::fail_for(const std::string& name, const std::string& error,
                               bool is_followed) {
  const MutexLock lock(mutex_);
  auto& entry = entries_[name];
  entry.is_followed = is_followed;
  return std::exchange(entry.error, error) != error;
}

void RunningSubmixes::clear_error(const std::string& name) {
  const MutexLock lock(mutex_);
  entries_[name].error.clear();
}

void RunningSubmixes::set_wanted(const show::Show& share) {
  const MutexLock lock(mutex_);
  wanted_ = share;
}

show::Show RunningSubmixes::wanted() const {
  const MutexLock lock(mutex_);
  return wanted_;
}

RunningSubmixes::Entry RunningSubmixes::find(std::string_view name) const {
  const MutexLock lock(mutex_);
  const auto found = entries_.find(name);
  return found == entries_.end() ? Entry() : found->second;
}

std::shared_ptr<engine::Patch> RunningSubmixes::patch_of(std::string_view name) const {
  const MutexLock lock(mutex_);
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : found->second.patch;
}

RunningSubmixes::Patches RunningSubmixes::patches() const {
  const MutexLock lock(mutex_);
  Patches patches;
  for (const auto& [name, entry] : entries_)
    patches.emplace(name, entry.patch);
  return patches;
}

std::vector<cluster::SubmixReport> RunningSubmixes::reports() const {
  std::vector<cluster::SubmixReport> reports;
  for (const auto& [name, entry] : entries()) {
    auto& report = reports.emplace_back(cluster::SubmixReport{
        .name = name, .state = cluster::SubmixState::running, .error = entry.error});
    report.awaits_first_frame = entry.patch == nullptr || !entry.patch->has_made_frames();
    report.has_trouble = entry.patch != nullptr && has_trouble(*entry.patch);
    if (entry.error.empty() || entry.is_followed) continue;
    report.state = cluster::SubmixState::failed;
    if (entry.patch)
      report.error += fmt::format("; what ran before goes on, at {}", format_of(*entry.patch));
  }
  return reports;
}

RunningSubmixes::Entries RunningSubmixes::entries() const {
  const MutexLock lock(mutex_);
  return entries_;
}

void RunningSubmixes::remember_good(std::vector<show::Submix> submixes) {
  const MutexLock lock(mutex_);
  for (auto& submix : submixes)
    good_.insert_or_assign(submix.name, std::move(submix));
}

std::vector<show::Submix> RunningSubmixes::good() const {
  const MutexLock lock(mutex_);
  std::vector<show::Submix> good;
  for (const auto& [name, submix] : good_)
    good.push_back(submix);
  return good;
}

std::optional<show::Submix> RunningSubmixes::find_good(std::string_view name) const {
  const MutexLock lock(mutex_);
  const auto found = good_.find(name);
  return found == good_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace submix::agent
