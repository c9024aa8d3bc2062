// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/tap_tempo.hpp"

#include "common/show/document.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>

namespace submix::model {
namespace {

constexpr std::size_t kTapsMax = 9;  // eight beats
constexpr std::size_t kTapsMin = 3;
constexpr std::chrono::seconds kPause{2};

}  // namespace

std::optional<double> TapTempo::tap(LocalTime now) {
  if (!taps_.empty() && now - taps_.back() > kPause) taps_.clear();
  if (taps_.size() == kTapsMax) taps_.erase(taps_.begin());
  taps_.push_back(now);
  if (taps_.size() < kTapsMin || now <= taps_.front()) return std::nullopt;
  const auto beats = static_cast<double>(taps_.size() - 1);
  const double minutes = std::chrono::duration<double>(now - taps_.front()).count() / 60;
  return std::clamp(std::round(beats / minutes * 10) / 10, show::kBeatsPerMinuteMin,
                    show::kBeatsPerMinuteMax);
}

}  // namespace submix::model
