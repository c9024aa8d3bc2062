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

/// Sees when a file comes, or changes, for want of which a submix may have failed: that one is tried again.
///
/// Shape    A file that is still being copied is waited for: until two looks find it the same. Each state of
/// a
///          file is worth one try.
/// Threads  Synchronized; look() waits for the disk.
class MissingFiles {
 public:
  static constexpr std::chrono::seconds kPause{1};  // between two looks

  using StateOf = std::function<std::optional<FileState>(const std::string& file)>;

  explicit MissingFiles(StateOf state_of) : state_of_(std::move(state_of)) {}

  /// The files of `share`'s clips and stills in submixes that have failed by `reports`. Returns whether it is
  /// time for a look.
  [[nodiscard]] bool watch(const show::Show& share,
                           const std::vector<cluster::SubmixReport>& reports, LocalTime now)
      SUBMIX_EXCLUDES(mutex_);
  /// The plugins of those whose file has come or changed.
  [[nodiscard]] std::set<std::string> look() SUBMIX_EXCLUDES(mutex_);

 private:
  struct File {
    std::string plugin;
    std::optional<FileState> seen = {};   // with the last look
    std::optional<FileState> tried = {};  // when it was said last
  };

  const StateOf state_of_;
  mutable Mutex mutex_;
  std::map<std::pair<std::string, std::string>, File> files_
      SUBMIX_GUARDED_BY(mutex_);  // by slot and name
  std::optional<LocalTime> looked_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::agent
