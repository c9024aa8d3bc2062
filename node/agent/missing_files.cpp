// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/missing_files.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace submix::agent {
namespace {

/// The file that a slot reads; empty: none.
std::string file_of(const show::Slot& slot) {
  if (slot.plugin != "clip" && slot.plugin != "still") return {};
  const auto found = slot.parameters.find("file");
  if (found == slot.parameters.end() || !std::holds_alternative<std::string>(found->second))
    return {};
  return std::get<std::string>(found->second);
}

}  // namespace

bool MissingFiles::watch(const show::Show& share, const std::vector<cluster::SubmixReport>& reports,
                         LocalTime now) {
  const auto has_failed = [&](const std::string& submix) {
    return std::any_of(reports.begin(), reports.end(), [&](const auto& report) {
      return report.name == submix && !report.error.empty();
    });
  };
  const MutexLock lock(mutex_);
  auto before = std::exchange(files_, {});
  for (const auto& submix : share.submixes) {
    if (!has_failed(submix.name)) continue;
    for (const auto& slot : submix.slots) {
      auto file = file_of(slot);
      if (file.empty()) continue;
      const std::pair key(submix.name + "." + slot.name, std::move(file));
      const auto known = before.find(key);
      files_.insert_or_assign(key, known == before.end() ? File{slot.plugin} : known->second);
    }
  }
  const bool is_due = !files_.empty() && (!probed_ || now - *probed_ >= kPause);
  if (is_due) probed_ = now;
  return is_due;
}

std::set<std::string> MissingFiles::probe() {
  std::vector<std::pair<std::string, std::string>> keys;
  {
    const MutexLock lock(mutex_);
    for (const auto& [key, file] : files_)
      keys.push_back(key);
  }
  std::set<std::string> plugins;
  for (const auto& key : keys) {
    const auto now = state_of_(key.second);
    const MutexLock lock(mutex_);
    const auto found = files_.find(key);
    if (found == files_.end()) continue;
    auto& file = found->second;
    const bool is_whole = now && file.seen == now;
    file.seen = now;
    if (!is_whole || file.tried == now) continue;
    file.tried = now;
    plugins.insert(file.plugin);
  }
  return plugins;
}

}  // namespace submix::agent
