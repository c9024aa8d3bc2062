// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/submix_table.hpp"

#include "common/show/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::agent {

engine::Format format_of_show(const show::Show& show) {
  return {show.size, show.rate};
}

std::string format_of(const engine::Patch& patch) {
  const auto& [size, rate] = patch.format();
  return fmt::format("{}x{} and {} fps", size.width, size.height, show::to_string(rate));
}

bool has_trouble(const engine::Patch& patch) {
  const auto stages = patch.telemetry().stages;
  return std::ranges::any_of(stages, [](const auto& stage) { return !stage.trouble.empty(); });
}

std::optional<LocalSubmix> SubmixTable::take(const std::string& name) {
  const MutexLock lock(mutex_);
  const auto found = submixes_.find(name);
  if (found == submixes_.end()) return std::nullopt;

  auto taken = std::optional(std::move(found->second));
  submixes_.erase(found);
  return taken;
}

SubmixTable::ByName SubmixTable::all() const {
  const MutexLock lock(mutex_);
  return submixes_;
}

std::vector<std::string> SubmixTable::names_in(LocalSubmix::State state) const {
  const MutexLock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, submix] : submixes_) {
    if (submix.state() == state) names.push_back(name);
  }
  return names;
}

std::vector<std::string> SubmixTable::names_with_error() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, submix] : submixes_) {
    if (submix.is_wanted_here() && !submix.error().empty()) names.push_back(name);
  }
  return names;
}

std::optional<LocalSubmix> SubmixTable::find(std::string_view name) const {
  const MutexLock lock(mutex_);
  const auto found = submixes_.find(name);
  return found == submixes_.end() ? std::nullopt : std::optional(found->second);
}

std::shared_ptr<engine::Patch> SubmixTable::patch_of(std::string_view name) const {
  const MutexLock lock(mutex_);
  const auto found = submixes_.find(name);
  return found == submixes_.end() ? nullptr : found->second.wanted_patch();
}

std::shared_ptr<engine::Patch> SubmixTable::patch_of(std::string_view name,
                                                     const engine::Format& format) const {
  auto patch = patch_of(name);
  const bool is_right = patch != nullptr && patch->format() == format;
  return is_right ? patch : nullptr;
}

std::shared_ptr<engine::Patch> SubmixTable::patch_to_show(std::string_view name) const {
  const MutexLock lock(mutex_);
  const auto found = submixes_.find(name);
  if (found == submixes_.end()) return nullptr;

  const auto& submix = found->second;
  const bool is_shown_away = submix.state() == LocalSubmix::State::moving_out &&
                             submix.patch()->format() == format_of_show(wanted_);
  return is_shown_away ? submix.patch() : submix.wanted_patch();
}

SubmixTable::Patches SubmixTable::patches_moving_out() const {
  const MutexLock lock(mutex_);
  Patches patches;
  for (const auto& [name, submix] : submixes_) {
    if (submix.state() != LocalSubmix::State::moving_out) continue;
    if (submix.patch()->format() == format_of_show(wanted_))
      patches.emplace_back(name, submix.patch());
  }
  return patches;
}

void SubmixTable::set_wanted(const show::Show& share) {
  const MutexLock lock(mutex_);
  wanted_ = share;
}

show::Show SubmixTable::wanted() const {
  const MutexLock lock(mutex_);
  return wanted_;
}

// A successor that waits to be started for the first time is not reported.
std::vector<cluster::SubmixReport> SubmixTable::reports() const {
  std::vector<cluster::SubmixReport> reports;
  for (const auto& [name, submix] : all()) {
    const auto& patch = submix.patch();
    if (!submix.is_wanted_here() || (patch == nullptr && submix.error().empty())) continue;

    auto& report = reports.emplace_back(cluster::SubmixReport{
        .name = name, .state = cluster::SubmixState::running, .error = submix.error()});
    report.awaits_first_frame = patch == nullptr || !patch->has_made_frames();
    report.has_trouble = patch != nullptr && has_trouble(*patch);
    if (submix.error().empty() || submix.is_followed()) continue;

    report.state = cluster::SubmixState::failed;
    if (patch) report.error += fmt::format("; what ran before goes on, at {}", format_of(*patch));
  }
  return reports;
}

std::vector<cluster::SubmixReport> SubmixTable::reports_of_moving_out() const {
  std::vector<cluster::SubmixReport> reports;
  for (const auto& [name, patch] : patches_moving_out()) {
    reports.push_back({.name = name,
                       .state = cluster::SubmixState::running,
                       .awaits_first_frame = !patch->has_made_frames()});
  }
  return reports;
}

std::vector<telemetry::SubmixReading> SubmixTable::readings() const {
  std::vector<telemetry::SubmixReading> readings;
  for (const auto& [name, submix] : all()) {
    if (const auto patch = submix.wanted_patch()) readings.push_back(patch->telemetry());
  }
  for (const auto& [name, patch] : patches_moving_out())
    readings.push_back(patch->telemetry());
  return readings;
}

void SubmixTable::remember_good(std::vector<show::Submix> submixes) {
  const MutexLock lock(mutex_);
  for (auto& submix : submixes)
    good_.insert_or_assign(submix.name, std::move(submix));
}

std::vector<show::Submix> SubmixTable::good() const {
  const MutexLock lock(mutex_);
  std::vector<show::Submix> good;
  for (const auto& [name, submix] : good_)
    good.push_back(submix);
  return good;
}

std::optional<show::Submix> SubmixTable::find_good(std::string_view name) const {
  const MutexLock lock(mutex_);
  const auto found = good_.find(name);
  return found == good_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace submix::agent
