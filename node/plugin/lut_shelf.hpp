// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "node/plugin/color_table.hpp"
#include "node/plugin/media_files.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace submix::plugin {

/// What is known about a LUT's file.
struct LutState {
  bool is_known = false;                         ///< the file was read, successfully or not
  std::shared_ptr<const ColorTable> table = {};  ///< null: none, or not yet
  std::string trouble = {};                      ///< why there is none, and the remedy
};

/// A LUT's file in use, shared by all slots that name it.
///
/// Threads  Synchronized.
class Lut {
 public:
  explicit Lut(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] const std::string& file() const { return file_; }
  /// Never null; a new pointer after each change.
  [[nodiscard]] std::shared_ptr<const LutState> state() const SUBMIX_EXCLUDES(mutex_);

 private:
  friend class LutShelf;
  void put(LutState state) SUBMIX_EXCLUDES(mutex_);

  const std::string file_;
  // Used by the shelf's thread.
  bool is_tried_ = false;
  std::optional<FileState> seen_;   // at the last look
  std::optional<FileState> tried_;  // when it was read
  mutable Mutex mutex_;
  std::shared_ptr<const LutState> state_ SUBMIX_GUARDED_BY(mutex_) =
      std::make_shared<const LutState>();
};

/// Reads the LUT files of the media folder on a thread of its own, so that no frame waits for a
/// disk. A new or changed file is read when two looks find it unchanged.
///
/// Threads  Synchronized. The thread starts with the first file.
/// Cost     Looks at each file in use every two seconds.
class LutShelf {
 public:
  static constexpr std::chrono::milliseconds kPause{2000};  // between two looks

  explicit LutShelf(MediaFiles files, std::chrono::milliseconds pause = kPause)
      : files_(std::move(files)), pause_(pause) {}

  /// The file is read soon. It is kept as long as someone holds it.
  [[nodiscard]] std::shared_ptr<const Lut> ask(const std::string& file) SUBMIX_EXCLUDES(mutex_);
  /// Waits until the file is known. False: stopped, or `deadline` has passed.
  bool wait(const Lut& lut, std::chrono::steady_clock::time_point deadline,
            const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);

 private:
  void run(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::vector<std::shared_ptr<Lut>> in_use() SUBMIX_EXCLUDES(mutex_);
  void look_at(Lut& lut) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Result<ColorTable> read(const std::string& file) const;

  const MediaFiles files_;
  const std::chrono::milliseconds pause_;
  Mutex mutex_;
  Condition changed_;
  std::map<std::string, std::weak_ptr<Lut>> luts_ SUBMIX_GUARDED_BY(mutex_);
  bool is_asked_ SUBMIX_GUARDED_BY(mutex_) = false;
  std::jthread thread_ SUBMIX_GUARDED_BY(mutex_);  // the last: it uses all others
};

}  // namespace submix::plugin
