// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/file_state.hpp"
#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "node/io/media_folders.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace submix::io {

/// The text of a file's bytes, without a byte order mark and without a line break at the end.
///
/// Errors   A byte is zero or not UTF-8; the message names its place.
[[nodiscard]] Result<std::string> plain_text_of(std::string_view bytes);

/// Follows a text file of the media folder while other programs write or replace it. A change is
/// read when the file was unchanged between two looks, so half-written texts are rarely seen, and
/// after kTakenAfter in any case.
///
/// Shape    At most kBytesMax bytes.
/// Threads  follow(): the owner; others: synchronized. A thread of its own, "text file", from the
///          first name on.
/// Cost     Checks the file's state every kLookEvery; reads the file when the state has changed.
/// Errors   trouble(): the last good text stays.
class TextFile {
 public:
  static constexpr std::size_t kBytesMax = std::size_t{64} * 1024;
  static constexpr std::chrono::milliseconds kLookEvery{100};
  static constexpr std::chrono::milliseconds kTakenAfter{300};

  explicit TextFile(MediaFolders folders) : folders_(std::move(folders)) {}

  /// Follows another file; empty: none.
  void follow(const std::string& file) SUBMIX_EXCLUDES(mutex_);
  /// The last good text of the file. Null: there was none, or no file is followed.
  [[nodiscard]] std::shared_ptr<const std::string> text() const SUBMIX_EXCLUDES(mutex_);
  /// Why the text is not the file's present one. Empty: it is.
  [[nodiscard]] std::string trouble() const SUBMIX_EXCLUDES(mutex_);
  /// Waits until the file was checked once. False: stopped, or `deadline` has passed.
  bool wait(std::chrono::steady_clock::time_point deadline, const std::stop_token& stop)
      SUBMIX_EXCLUDES(mutex_);

 private:
  struct Look {
    std::uint64_t call = 0;  ///< of follow()
    std::optional<FileState> state{};
    /// when a state other than `state` was first seen
    std::chrono::steady_clock::time_point changed{};
    bool is_taken = false;  ///< `state` is the text's, or the trouble's
  };

  void run(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  void look(Look& before) SUBMIX_EXCLUDES(mutex_);
  void take(std::uint64_t call, Result<std::string> text) SUBMIX_EXCLUDES(mutex_);

  const MediaFolders folders_;
  mutable Mutex mutex_;
  Condition changed_;
  std::string file_ SUBMIX_GUARDED_BY(mutex_);
  std::uint64_t call_ SUBMIX_GUARDED_BY(mutex_) = 0;  // of follow()
  bool is_looked_at_ SUBMIX_GUARDED_BY(mutex_) = true;
  std::shared_ptr<const std::string> text_ SUBMIX_GUARDED_BY(mutex_);
  std::string trouble_ SUBMIX_GUARDED_BY(mutex_);
  std::jthread thread_;  // the last: it uses all others
};

}  // namespace submix::io
