// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/engine/patch.hpp"
#include "node/engine/transport.hpp"
#include "tests/chain/contest.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace submix::chain {

/// A patch that has started, paused while others make frames.
class RunningPatch final : public Contender {
 public:
  /// `transport` is the patch's, and nobody else's.
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
