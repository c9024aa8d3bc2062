// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/engine/patch.hpp"
#include "node/engine/transport.hpp"
#include "tests/chain/contest.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace submix::chain {

/// A started patch. It is paused while other contenders make frames.
class RunningPatch final : public Contender {
 public:
  /// Only the patch uses `transport`.
  RunningPatch(std::unique_ptr<engine::Transport> transport, std::unique_ptr<engine::Patch> patch)
      : transport_(std::move(transport)), patch_(std::move(patch)) {
    rest();
  }

  void go_on() override { transport_->resume(); }
  void rest() override { transport_->pause(); }
  [[nodiscard]] std::uint64_t frames() const override { return patch_->telemetry().frames; }

 private:
  const std::unique_ptr<engine::Transport> transport_;  // outlives the patch
  const std::unique_ptr<engine::Patch> patch_;
};

}  // namespace submix::chain
