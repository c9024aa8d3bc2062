// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "common/cluster/messages.hpp"
#include "node/io/media_folders.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <stop_token>
#include <string>
#include <thread>

namespace submix::agent {

/// Copies media files from other computers into this node's media folder, one after the other. A
/// copy takes at most kBytesPerSecond, so that the cards have room for the show.
///
/// Threads  Synchronized; has a thread of its own, "copies".
class MediaCopies {
 public:
  static constexpr std::uint64_t kBytesPerSecond = 40'000'000;
  static constexpr std::size_t kCopiesMax = 64;  ///< waiting, running and over

  /// Asks the giver `from` for a part of its file.
  using Fetch = std::function<Result<cluster::MediaPart>(
      const std::string& from, const std::string& file, std::uint64_t offset)>;

  MediaCopies(io::MediaFolders folders, Fetch fetch);

  /// Begins the copy `token`, unless it is known, and tells how far it has come. `is_stop` ends it;
  /// what has come is kept for the next copy of the file.
  ///
  /// Errors   kCopiesMax copies wait, or nobody can have the giver's name.
  [[nodiscard]] Result<cluster::MediaCopy> ask(const cluster::Command& command)
      SUBMIX_EXCLUDES(mutex_);

 private:
  struct Copy {
    const std::string token;
    const std::string from;
    const std::string file;
    std::stop_source stop{};
    bool is_begun = false;
    cluster::MediaCopy progress{};
  };
  /// Takes a part; the parts come in their order.
  using Take = std::function<Result<void>(const cluster::MediaPart& part)>;

  void run(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Copy* begin_next() SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] bool make_room() SUBMIX_REQUIRES(mutex_);
  Result<void> carry_out(Copy& copy) SUBMIX_EXCLUDES(mutex_);
  Result<void> compare(Copy& copy, const cluster::MediaPart& first, int descriptor)
      SUBMIX_EXCLUDES(mutex_);
  Result<void> write(Copy& copy, const cluster::MediaPart& first) SUBMIX_EXCLUDES(mutex_);
  /// Takes all parts from `begin` on, at the pace.
  Result<void> take_parts(Copy& copy, const cluster::MediaPart& first, std::uint64_t begin,
                          const Take& take) SUBMIX_EXCLUDES(mutex_);
  void note(Copy& copy, std::uint64_t bytes, std::uint64_t bytes_all) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Result<cluster::MediaPart> fetch(const Copy& copy, std::uint64_t offset) const;

  const io::MediaFolders folders_;
  const Fetch fetch_;
  Mutex mutex_;
  Condition changed_;
  std::list<Copy> copies_ SUBMIX_GUARDED_BY(mutex_);  // in their order; their addresses stay
  std::jthread thread_;                               // last: it uses all members above
};

}  // namespace submix::agent
