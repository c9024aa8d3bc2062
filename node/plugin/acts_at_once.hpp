// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <string_view>

namespace submix::plugin {

/// Implemented by a plugin whose parameters change something that is no part of a frame, such as a
/// window's place. It hears of each change at once, even while no frame comes, and again by set()
/// before the next frame.
class ActsAtOnce {
 public:
  ActsAtOnce() = default;
  ActsAtOnce(const ActsAtOnce&) = delete;
  ActsAtOnce& operator=(const ActsAtOnce&) = delete;
  virtual ~ActsAtOnce() = default;

  /// Synchronized.
  virtual void set_at_once(std::string_view parameter, const show::ParameterValue& value) = 0;
};

}  // namespace submix::plugin
