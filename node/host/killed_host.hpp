// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/frame.hpp"
#include "node/host/host_process.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace submix::host {

/// A killed host and the seat that it may still write into. The seat goes back to its pool only
/// when the host's process is gone.
///
/// Shape    At most one host. The owner asks no other host for a frame before is_gone().
/// Threads  Confined (the owner of the host).
class KilledHost {
 public:
  /// `host` was killed while it had `seat` to write into.
  void keep(std::shared_ptr<const HostProcess> host, media::WritableFrame seat) {
    host_ = std::move(host);
    seat_.emplace(std::move(seat));
  }

  /// True if no killed host is left. Releases the seat of a host that is gone.
  [[nodiscard]] bool is_gone() {
    if (host_ && host_->is_gone()) {
      host_.reset();
      seat_.reset();
    }
    return host_ == nullptr;
  }

  /// Waits until no killed host is left, at most until `deadline`.
  void wait_until_gone(std::chrono::steady_clock::time_point deadline) const {
    if (host_) host_->wait_until_gone(deadline);
  }

 private:
  std::shared_ptr<const HostProcess> host_;  // null: none, or its process is gone
  std::optional<media::WritableFrame> seat_;
};

}  // namespace submix::host
