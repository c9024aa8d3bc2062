// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the cluster.

#include "common/cluster/messages.hpp"

#include <cstddef>
#include <deque>
#include <string>

namespace submix::cluster {

/// Keeps replies with large pictures while they are fetched part by part, like traces: NATS accepts
/// no message of their size.
///
/// Threads  Confined (the thread answering for pictures).
/// Errors   A part of a dropped picture is refused: ask for the picture again.
class PictureShelf {
 public:
  /// Keeps an encoded reply under the command's token, and returns the reply with its first part.
  [[nodiscard]] std::string keep(const Command& command, std::string reply);
  /// The reply with the command's part. After the last part the picture is dropped.
  [[nodiscard]] std::string part(const Command& command);

 private:
  // Fetched at the same time; an 8K picture is 100 MB.
  static constexpr std::size_t kPicturesMax = 2;

  struct KeptPicture {
    std::string token;
    std::string reply;
  };
  std::deque<KeptPicture> kept_;
};

}  // namespace submix::cluster
