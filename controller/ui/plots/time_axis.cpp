// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/plots/time_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace submix::ui {
namespace {

constexpr std::size_t kTicksMax = 1000;
constexpr std::array kTimeSteps{60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0};

}  // namespace

TimeAxis within(const TimeAxis& axis, const TimeLimits& limits) {
  const double most = std::max(limits.end - limits.begin, limits.shown_min);
  const double length = std::clamp(axis.seconds(), limits.shown_min, most);
  const double begin =
      std::clamp(axis.begin, limits.begin, std::max(limits.begin, limits.end - length));
  return {begin, begin + length};
}

TimeAxis dragged(const TimeAxis& axis, double share, const TimeLimits& limits) {
  const double moved = share * axis.seconds();
  return within({axis.begin + moved, axis.end + moved}, limits);
}

TimeAxis zoomed(const TimeAxis& axis, double factor, double anchor, const TimeLimits& limits) {
  const double most = std::max(limits.end - limits.begin, limits.shown_min);
  const double length = std::clamp(axis.seconds() * factor, limits.shown_min, most);
  const double fixed = axis.time_at(anchor);
  const double begin = fixed - anchor * length;
  return within({begin, begin + length}, limits);
}

double nice_step(double range, int steps_max) {
  if (!(range > 0) || steps_max < 1) return 1;
  const double least = range / steps_max;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

double nice_time_step(double seconds, int steps_max) {
  const double step = nice_step(seconds, steps_max);
  if (step <= 20) return step;
  if (seconds / 30 <= steps_max) return 30;
  const auto* found = std::ranges::find_if(
      kTimeSteps, [&](double minutes) { return seconds / minutes <= steps_max; });
  return found == kTimeSteps.end() ? kTimeSteps.back() : *found;
}

std::vector<double> ticks(double begin, double end, double step) {
  std::vector<double> found;
  if (!(step > 0)) return found;
  const double first = std::ceil(begin / step - 1e-9);
  for (std::size_t i = 0; i < kTicksMax; ++i) {
    const double tick = (first + static_cast<double>(i)) * step;
    if (tick > end + step * 1e-9) break;
    found.push_back(tick);
  }
  return found;
}

double nice_maximum(double greatest) {
  if (!(greatest > 0) || !std::isfinite(greatest)) return 1;
  const double step = nice_step(greatest, 4);
  return std::ceil(greatest / step * (1 - 1e-9)) * step;
}

std::string time_of_day_text(double seconds_of_day, double step) {
  constexpr double kDay = 86'400;
  const int decimals =
      step >= 1 || !(step > 0) ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
  const double unit = std::pow(10.0, -decimals);
  double rounded = std::round(seconds_of_day / unit) * unit;
  rounded = std::fmod(std::fmod(rounded, kDay) + kDay, kDay);
  const auto whole = static_cast<int>(std::floor(rounded + unit / 2));
  const double fraction = std::max(0.0, rounded - whole);
  auto text = fmt::format("{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  if (decimals > 0) text += fmt::format("{:.{}f}", fraction, decimals).substr(1);
  return text;
}

}  // namespace submix::ui
