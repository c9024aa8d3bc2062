// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace submix {

enum class Severity { note, warning, fault };

/// Takes events for people to read. Synchronized. Called seldom, never once for each frame.
class EventSink {
 public:
  virtual ~EventSink() = default;
  /// `about` names the subject ("left.clip", "stream left, link 2"). `text` says what happened and
  /// what was done.
  virtual void report(Severity severity, std::string about, std::string text) = 0;
};

}  // namespace submix
