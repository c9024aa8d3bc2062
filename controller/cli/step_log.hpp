// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace submix::cli {

/// A command's change of the show, with both whole shows as TOML.
struct ShowStep {
  std::string title;
  bool is_whole = false;  ///< another show replaced the present one
  std::string before;
  std::string after;
  bool kept_rate = false;  ///< of the show before, as far as the command has measured

  friend bool operator==(const ShowStep&, const ShowStep&) = default;
};

/// The steps of this user's commands in one cluster, for undo: a file for each, below `folder`.
///
/// Shape    Keeps kStepsMax steps for undo and as many for redo; the oldest are deleted.
/// Threads  Compatible. Two processes at once each keep their steps.
class StepLog {
 public:
  static constexpr std::size_t kStepsMax = 64;
  enum class Direction { undo, redo };
  struct StepFile {
    std::filesystem::path file;
    ShowStep step;
  };

  explicit StepLog(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Adds a new step. Undone steps can then no longer be redone.
  [[nodiscard]] Result<void> add(const ShowStep& step);
  /// Empty: none.
  [[nodiscard]] Result<std::optional<StepFile>> newest(Direction direction) const;
  /// Newest first. Unreadable files are left out.
  [[nodiscard]] std::vector<std::string> titles(Direction direction) const;
  /// Newest first. Unreadable files are left out.
  [[nodiscard]] std::vector<ShowStep> steps(Direction direction) const;
  /// Moves a done step to the opposite list, with the contents of `entry`.
  [[nodiscard]] Result<void> turn(const StepFile& entry, Direction direction);
  /// Moves a step that is impossible now behind all others.
  [[nodiscard]] Result<void> put_last(const StepFile& entry, Direction direction);

 private:
  [[nodiscard]] std::filesystem::path folder_of(Direction direction) const;
  [[nodiscard]] Result<void> keep(const ShowStep& step, Direction direction);

  std::filesystem::path folder_;
};

}  // namespace submix::cli
