// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/file_state.hpp"
#include "common/base/mutex.hpp"
#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace submix::agent {

/// Detects when a missing file appears or changes. Its plugin is then tried again: the submix may
/// have failed because of this file.
///
/// Shape    A file that is still being copied must look the same in two probes. Each state of a
///          file is worth one attempt.
/// Threads  Synchronized; probe() waits for the disk.
class MissingFiles {
 public:
  static constexpr std::chrono::seconds kPause{1};  // between two probes

  using StateOf = std::function<std::optional<FileState>(const std::string& file)>;

  explicit MissingFiles(StateOf state_of) : state_of_(std::move(state_of)) {}

  /// Sets the files to watch: of the clips and stills of `share` in submixes that failed according
  /// to `reports`. Returns whether a probe is due.
  [[nodiscard]] bool watch(const show::Show& share,
                           const std::vector<cluster::SubmixReport>& reports, LocalTime now)
      SUBMIX_EXCLUDES(mutex_);
  /// The plugins whose file has appeared or changed.
  [[nodiscard]] std::set<std::string> probe() SUBMIX_EXCLUDES(mutex_);

 private:
  struct File {
    std::string plugin;
    std::optional<FileState> seen = {};   // state at the last probe
    std::optional<FileState> tried = {};  // state at the last attempt
  };

  const StateOf state_of_;
  mutable Mutex mutex_;
  // By slot and file name.
  std::map<std::pair<std::string, std::string>, File> files_ SUBMIX_GUARDED_BY(mutex_);
  std::optional<LocalTime> probed_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::agent
