// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"

#include <optional>
#include <utility>

namespace submix::session {

/// The cluster's transport, and the transport that a person wants, until it is written.
///
/// Threads  Compatible.
class WantedTransport {
 public:
  /// The cluster has this value.
  void set(cluster::DesiredTransport present) { present_ = std::move(present); }
  void want(cluster::DesiredTransport wanted) { wanted_ = std::move(wanted); }
  /// The value to show. The next wish is made from it.
  [[nodiscard]] const cluster::DesiredTransport& now() const {
    return wanted_ ? *wanted_ : present_;
  }
  [[nodiscard]] bool has_wish() const { return wanted_.has_value(); }

  /// The value to write now. Empty: none, or a write is under way.
  [[nodiscard]] std::optional<cluster::DesiredTransport> next_write() {
    if (!wanted_ || std::exchange(is_under_way_, true)) return std::nullopt;
    return wanted_;
  }
  void written(const cluster::DesiredTransport& value) {
    is_under_way_ = false;
    present_ = value;
    if (wanted_ == present_) wanted_.reset();
  }
  /// Drops the wish: a late pause would surprise, and a person can press again.
  void write_failed() {
    is_under_way_ = false;
    wanted_.reset();
  }

 private:
  cluster::DesiredTransport present_;
  std::optional<cluster::DesiredTransport> wanted_;
  bool is_under_way_ = false;
};

}  // namespace submix::session
