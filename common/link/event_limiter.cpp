// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/event_limiter.hpp"

#include <utility>

namespace submix::link {

void EventLimiter::report(Severity severity, const std::string& kind, std::string about,
                          std::string text) {
  if (sink_ == nullptr) return;
  auto said = limiter_.admit(kind + " " + about, std::move(text), clock_.now());
  if (said) sink_->report(severity, std::move(about), *std::move(said));
}

}  // namespace submix::link
