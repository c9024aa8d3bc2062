// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "controller/pairing/nearby_pcs.hpp"
#include "controller/ui/pages/several_pcs_state.hpp"
#include "controller/ui/shell/background.hpp"

#include <atomic>
#include <memory>

namespace submix::ui {

/// Keeps SeveralPcsState::nearby up to date while the window is open: PCs without a show if this PC
/// is a desk, desks if it has joined none.
///
/// Threads  Confined (ui). Wakes the window when the list has changed.
class NearbyLook {
 public:
  /// Call it with each frame. Cheap if there is no news.
  void tend(SeveralPcsState& state, LocalTime now);
  /// When tend() must be called without news; max: never. Without a message bus (D-Bus) it looks
  /// again while the dialog is open.
  [[nodiscard]] LocalTime next() const { return next_; }

 private:
  using Watch = std::unique_ptr<pairing::NearbyWatch>;

  void begin(pairing::NearbyKind kind);
  void take(SeveralPcsState& state);

  std::atomic<bool> has_news_ = false;
  bool was_tried_ = false;
  LocalTime next_ = LocalTime::max();
  LocalTime not_before_{};
  Background<Result<Watch>> opening_;
  Watch watch_;
};

}  // namespace submix::ui
