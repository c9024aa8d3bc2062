// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/course.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace submix::io {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kFrozenStepSeconds = 1.0 / 60;
// More frames than any store keeps ahead.
constexpr double kNextTimeAroundFrames = 1e6;

}  // namespace

double Course::step() const {
  return step_seconds == 0 ? kFrozenStepSeconds : step_seconds;
}

double Course::end() const {
  return out_seconds > 0 ? out_seconds : kNever;
}

double Course::loop_seconds() const {
  return is_looping ? end() - in_seconds : kNever;
}

double Course::in_loop(double moment) const {
  const double span = out_seconds - in_seconds;
  if (!is_looping || span <= 0) return moment;
  return moment - span * std::floor((moment - in_seconds) / span);
}

Course Course::reversed() const {
  auto back = *this;
  back.step_seconds = -step();
  return back;
}

std::optional<double> Course::moment(double frames) const {
  const double travelled = frames * step();
  if (!std::isfinite(travelled) || std::abs(travelled) > loop_seconds()) return std::nullopt;
  const double moment = seconds + travelled;
  if (moment >= in_seconds && moment < end()) return moment;
  if (frames == 0) return std::clamp(moment, in_seconds, end());
  if (!std::isfinite(loop_seconds())) return std::nullopt;
  return moment < in_seconds ? moment + loop_seconds() : moment - loop_seconds();
}

double Course::frames_until(double begin, double end) const {
  begin = std::max(begin, in_seconds);
  end = std::min(end, this->end());
  if (begin >= end) return kNever;
  if (begin <= seconds && seconds < end) return 0;

  const bool is_forward = step() > 0;
  double nearest = is_forward ? begin - seconds : seconds - end;
  if (nearest < 0) nearest += loop_seconds();
  if (!std::isfinite(nearest)) return kNever;
  const double farthest = nearest + (end - begin);

  // Forwards, a picture starts with its first moment. Backwards, it starts just before its end.
  const double steps = nearest / std::abs(step());
  const double frames = is_forward ? std::ceil(steps) : std::floor(steps) + 1;
  const double reached = frames * std::abs(step());
  const bool is_shown = is_forward ? reached < farthest : reached <= farthest;
  return is_shown ? frames : frames + kNextTimeAroundFrames;
}

double Course::frames_within(double moment, double begin, double end) const {
  const double rest =
      step() > 0 ? std::min(end, this->end()) - moment : moment - std::max(begin, in_seconds);
  const double steps = rest / std::abs(step());
  return std::max(1.0, step() > 0 ? std::ceil(steps) : std::floor(steps) + 1);
}

}  // namespace submix::io
