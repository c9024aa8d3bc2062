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

/// What a command did to the show, whole shows as TOML.
struct Step {
  std::string title;
  bool is_whole = false;  ///< another show took its place
  std::string before;
  std::string after;
  bool kept_rate = false;  ///< the show before it, as far as the command has measured

  friend bool operator==(const Step&, const Step&) = default;
};

/// The steps that this user's commands made in one cluster, to be undone: a file for each, below `folder`.
///
/// Shape    kStepsMax to be undone and as many to be redone; the oldest ones go.
/// Threads  Compatible. Two processes at once each keep their steps.
class StepLog {
 public:
  static constexpr std::size_t kStepsMax = 64;
  enum class Direction { undo, redo };
  struct Entry {
    std::filesystem::path file;
    Step step;
  };

  explicit StepLog(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// A new one: what had been undone can no longer be redone.
  [[nodiscard]] Result<void> add(const Step& step);
  /// Empty: there is none.
  [[nodiscard]] Result<std::optional<Entry>> newest(Direction direction) const;
  /// Newest first; what cannot be read is left out.
  [[nodiscard]] std::vector<std::string> titles(Direction direction) const;
  /// Newest first; what cannot be read is left out.
  [[nodiscard]] std::vector<Step> steps(Direction direction) const;
  /// It is done: it goes to the other ones, as `entry` has it.
  [[nodiscard]] Result<void> turn(const Entry& entry, Direction direction);
  /// It cannot be done now: the others come first.
  [[nodiscard]] Result<void> put_last(const Entry& entry, Direction direction);

 private:
  [[nodiscard]] std::filesystem::path folder_of(Direction direction) const;
  [[nodiscard]] Result<void> keep(const Step& step, Direction direction);

  std::filesystem::path folder_;
};

}  // namespace submix::cli
