// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/submixes.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace submix::agent {
namespace {

/// Slots whose plugin must be made anew, though the show states the same one: their stream is another one. By
/// submix; one without any is there where its slots changed.
using Changed = std::map<std::string, std::set<std::string>>;

Changed changed_submixes(const show::Show& before, const show::Show& after,
                         const show::Difference& difference) {
  Changed changed;
  for (const auto* names : {&difference.added, &difference.rebuilt}) {
    for (const auto& name : *names)
      changed[name];
  }
  const auto add_ends = [&](const show::Show& show, const std::vector<std::string>& streams) {
    for (const auto& stream : show.streams) {
      if (std::find(streams.begin(), streams.end(), stream.name) == streams.end()) continue;
      changed[stream.from.submix].insert(stream.from.slot);
      changed[stream.to.submix].insert(stream.to.slot);
    }
  };
  add_ends(after, difference.streams_added);
  add_ends(after, difference.streams_changed);
  add_ends(before, difference.streams_changed);
  add_ends(before, difference.streams_removed);
  return changed;
}

/// By the wall clock, so that a submix's new patch has a greater epoch than its former one also when that ran
/// on another node, or in this program's former life.
std::uint64_t next_epoch(std::uint64_t epoch) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto by_clock = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  return std::max(epoch + 1, static_cast<std::uint64_t>(by_clock));
}

}  // namespace

Submixes::Submixes(const engine::PatchEnvironment& environment) : environment_(environment) {}

Submixes::~Submixes() {
  for (const auto& [name, patch] : patches())
    remove(name);
}

void Submixes::converge(const show::Show& share) {
  auto difference = show::diff(share_, share);
  if (difference.is_format_changed) {  // every pool has another size: nothing can go on
    for (const auto& submix : share_.submixes)
      remove(submix.name);
    share_.submixes.clear();
    difference = show::diff(share_, share);
  }
  for (const auto& name : difference.removed)
    remove(name);
  auto changed = changed_submixes(share_, share, difference);
  for (const auto& report : reports()) {  // what failed is tried again: its file may be there by now
    if (report.state == cluster::SubmixState::failed) changed[report.name];
  }
  for (const auto& change : difference.tuned) {
    if (is_another_file(change, share)) changed[change.slot.submix];  // the patch sees which
  }
  for (const auto& submix : share.submixes) {
    if (const auto found = changed.find(submix.name); found != changed.end())
      change(submix, share, std::move(found->second));
  }
  share_ = share;
  for (const auto& tuned : difference.tuned) {
    if (!changed.contains(tuned.slot.submix)) tune(tuned);
  }
}

void Submixes::tend() {
  for (const auto& [name, patch] : patches()) {
    if (patch != nullptr) patch->tend();
  }
}

bool Submixes::is_another_file(const show::SlotChange& change, const show::Show& share) const {
  const auto* slot = share.find_slot(change.slot);
  const auto description = environment_.catalog.describe(slot == nullptr ? "" : slot->plugin);
  return description && (*description)->kind == plugin::Kind::source && change.parameters.contains("file");
}

void Submixes::remove(const std::string& name) {
  if (const auto patch = exchange(name, nullptr)) patch->stop();
  owed_.erase(name);
  MutexLock lock(mutex_);
  running_.erase(name);
}

void Submixes::change(const show::Submix& submix, const show::Show& share, std::set<std::string> renewed) {
  renewed.merge(owed_[submix.name]);  // of an edit that failed
  const auto all = patches();
  const auto running = all.find(submix.name);
  const bool is_running = running != all.end() && running->second != nullptr;
  const auto done = is_running ? running->second->edit(submix, renewed) : build(submix, share);
  if (!done) environment_.events.report(Severity::fault, submix.name, done.error().message);
  if (done) environment_.events.report(Severity::note, submix.name, is_running ? "runs on, changed" : "runs");
  set_error(submix.name, done ? "" : done.error().message);
  if (done) {
    owed_.erase(submix.name);
  } else {
    owed_[submix.name] = std::move(renewed);
  }
}

Result<void> Submixes::build(const show::Submix& submix, const show::Show& share) {
  engine::PatchOptions options;
  options.size = share.size;
  options.rate = share.rate;
  options.epoch = epoch_ = next_epoch(epoch_);
  auto built = engine::Patch::build(submix, options, environment_);
  if (!built) return tl::unexpected(built.error());
  (*built)->start();
  static_cast<void>(exchange(submix.name, std::move(*built)));
  return {};
}

void Submixes::tune(const show::SlotChange& change) {
  const auto all = patches();
  const auto found = all.find(change.slot.submix);
  if (found == all.end() || found->second == nullptr) return;
  auto& patch = *found->second;
  std::string problems;
  const auto note = [&](const Result<void>& result) {
    if (!result) problems += (problems.empty() ? "" : "\n") + result.error().message;
  };
  for (const auto& [parameter, value] : change.parameters) {
    note(patch.set_parameter(change.slot.slot, parameter,
                             value ? *value : initial_value(change.slot, parameter)));
  }
  if (change.is_bypassed) note(patch.set_bypassed(change.slot.slot, *change.is_bypassed));
  if (!problems.empty()) environment_.events.report(Severity::fault, change.slot.submix, problems);
  set_error(change.slot.submix, std::move(problems));
}

show::ParameterValue Submixes::initial_value(const show::Port& slot, const std::string& parameter) const {
  const auto* of_show = share_.find_slot(slot);
  const auto description = environment_.catalog.describe(of_show == nullptr ? "" : of_show->plugin);
  const auto* known = description ? (*description)->find_parameter(parameter) : nullptr;
  return known == nullptr ? show::ParameterValue(0.0) : known->initial;
}

std::vector<cluster::SubmixReport> Submixes::reports() const {
  MutexLock lock(mutex_);
  std::vector<cluster::SubmixReport> reports;
  for (const auto& [name, running] : running_) {
    const auto state = running.error.empty() ? cluster::SubmixState::running : cluster::SubmixState::failed;
    const auto* kept = !running.error.empty() && running.patch != nullptr ? "; what ran before goes on" : "";
    reports.push_back({name, state, running.error.empty() ? "" : running.error + kept});
  }
  return reports;
}

std::vector<telemetry::SubmixReading> Submixes::readings() const {
  std::vector<telemetry::SubmixReading> readings;
  for (const auto& [name, patch] : patches()) {
    if (patch != nullptr) readings.push_back(patch->telemetry());
  }
  return readings;
}

Result<media::Frame> Submixes::latest_frame(std::string_view submix, std::string_view slot) const {
  const auto all = patches();
  const auto found = all.find(std::string(submix));
  if (found == all.end() || found->second == nullptr) return fail("submix \"{}\" does not run here", submix);
  return found->second->latest_frame(slot);
}

std::map<std::string, std::shared_ptr<engine::Patch>> Submixes::patches() const {
  MutexLock lock(mutex_);
  std::map<std::string, std::shared_ptr<engine::Patch>> patches;
  for (const auto& [name, running] : running_)
    patches.emplace(name, running.patch);
  return patches;
}

std::shared_ptr<engine::Patch> Submixes::exchange(const std::string& name,
                                                  std::shared_ptr<engine::Patch> patch) {
  MutexLock lock(mutex_);
  auto& running = running_[name];
  running.error.clear();
  return std::exchange(running.patch, std::move(patch));
}

void Submixes::set_error(const std::string& name, std::string error) {
  MutexLock lock(mutex_);
  running_[name].error = std::move(error);
}

}  // namespace submix::agent
