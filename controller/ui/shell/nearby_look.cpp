// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/nearby_look.hpp"

#include "controller/ui/shell/window.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace submix::ui {
namespace {

constexpr std::chrono::seconds kPause{1};  // between two tries

bool looks_nearby(const SeveralPcsState& state) {
  const bool plays_for_another = state.membership && !state.membership->is_own;
  return !plays_for_another && !state.is_broken && !state.is_desk_fixed;
}

}  // namespace

void NearbyLook::tend(SeveralPcsState& state, LocalTime now) {
  if (!looks_nearby(state)) return;
  if (opening_.is_ready()) {
    auto opened = opening_.take();
    state.search_error = opened ? "" : opened.error().message;
    if (opened) watch_ = *std::move(opened);
    not_before_ = now + kPause;
  }
  if (watch_ != nullptr && has_news_.exchange(false)) take(state);
  next_ = LocalTime::max();
  if (watch_ != nullptr || opening_.is_under_way() || (was_tried_ && !state.is_open)) return;
  if (now < not_before_) {
    next_ = not_before_;
    return;
  }
  begin(is_desk(state) ? pairing::NearbyKind::waiting : pairing::NearbyKind::desk);
}

// The daemon may take seconds.
void NearbyLook::begin(pairing::NearbyKind kind) {
  was_tried_ = true;
  opening_ = Background<Result<Watch>>([this, kind] {
    return pairing::NearbyWatch::open(kind, [this] {
      has_news_ = true;
      Window::wake();
    });
  });
}

void NearbyLook::take(SeveralPcsState& state) {
  auto pcs = watch_->pcs();
  state.search_error = pcs ? "" : pcs.error().message;
  state.nearby = pcs ? *std::move(pcs) : std::vector<pairing::NearbyPc>();
  if (!watch_->has_ended()) return;
  watch_.reset();
  was_tried_ = false;  // the daemon was there, and may come back
}

}  // namespace submix::ui
