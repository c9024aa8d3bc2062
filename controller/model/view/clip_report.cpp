// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/clip_report.hpp"

#include <algorithm>
#include <string_view>

namespace submix::model {

ClipReport clip_report(const ClusterView& view, const show::Port& clip) {
  const auto* submix = view.find_submix(clip.submix);
  const auto* stage = submix == nullptr ? nullptr : submix->find_stage(clip.slot);
  if (stage == nullptr) return {};
  const auto seconds = [&](std::string_view milliseconds) {
    return static_cast<double>(stage->counter(milliseconds)) / 1000;
  };
  return {.playing = std::max<std::size_t>(1, stage->counter("clip")),
          .position = seconds("position_ms"),
          .end = seconds("end_ms"),
          .is_well = stage->trouble.empty()};
}

}  // namespace submix::model
