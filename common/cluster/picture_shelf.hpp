// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the cluster.

#include "common/cluster/messages.hpp"

#include <cstddef>
#include <deque>
#include <string>

namespace submix::cluster {

/// Replies with pictures that are fetched part by part, as traces are: NATS takes no message of their size.
///
/// Threads  Confined (the thread that answers for pictures).
/// Errors   A part of a picture that is not kept any more is refused: ask for the picture again.
class PictureShelf {
 public:
  /// Keeps an encoded reply under the command's token; the reply that carries its first part.
  [[nodiscard]] std::string keep(const Command& command, std::string reply);
  /// The reply that carries the part which the command names. The last part ends the keeping.
  [[nodiscard]] std::string part(const Command& command);

 private:
  static constexpr std::size_t kPicturesMax = 2;  // fetched at the same time; one of 8K is 100 MB

  struct Kept {
    std::string token;
    std::string reply;
  };
  std::deque<Kept> kept_;
};

}  // namespace submix::cluster
