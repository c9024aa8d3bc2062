// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/repetition_limiter.hpp"

#include <fmt/format.h>

#include <utility>

namespace submix {
namespace {

constexpr std::size_t kKindsMax = 256;

}  // namespace

std::optional<std::string> RepetitionLimiter::admit(std::string kind, std::string text,
                                                    LocalTime now) {
  const MutexLock lock(mutex_);
  if (entries_.size() >= kKindsMax && !entries_.contains(kind)) kind = "others";
  const auto [place, is_first] = entries_.try_emplace(std::move(kind), Entry{now, 0});
  auto& entry = place->second;
  if (!is_first && now - entry.last < pause_) {
    ++entry.withheld;
    return std::nullopt;
  }
  if (entry.withheld > 0) text += fmt::format(" ({} more of this kind before)", entry.withheld);
  entry = {now, 0};
  return text;
}

}  // namespace submix
