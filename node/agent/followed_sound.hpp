// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "common/telemetry/readings.hpp"
#include "node/engine/sound_source.hpp"

namespace submix::agent {

/// The sound that this node's parameters follow: the present one, or a film's.
///
/// Threads  Synchronized.
class FollowedSound {
 public:
  FollowedSound() = default;
  FollowedSound(const FollowedSound&) = delete;
  FollowedSound& operator=(const FollowedSound&) = delete;
  virtual ~FollowedSound() = default;

  /// Follows the sound that `show` names from now on.
  virtual void follow(const show::Show& show) = 0;
  /// Lives as long as this object.
  [[nodiscard]] virtual const engine::SoundSource& source() const = 0;
  [[nodiscard]] virtual telemetry::SoundReading reading() const = 0;
};

}  // namespace submix::agent
