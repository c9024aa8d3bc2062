// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/show/document.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <optional>
#include <string>
#include <string_view>

/// Oscillators: texts for people, and values for edits. Pure.
namespace submix::model {

/// "0.5 Hz", "4 beats", "1/4 beat".
[[nodiscard]] std::string period_text(const show::Oscillator& oscillator);

/// The newest frame of `submix`, as its node last reported. Empty: no node runs the submix.
[[nodiscard]] std::optional<FrameIndex> frame_now(const ClusterView& view, std::string_view submix);

/// `after`, as an edit in place of `before`. A new one-shot begins at the frame at which its node
/// takes over. Nodes prevent jumps of all other oscillators.
[[nodiscard]] show::Oscillator begun_at(show::Oscillator after,
                                        const std::optional<show::Oscillator>& before);

[[nodiscard]] show::Timeline timeline_of(const telemetry::TimelineReading& reading);
/// The current oscillator time of `submix`, as its node last reported. Empty: no node runs the
/// submix.
[[nodiscard]] std::optional<show::Moment> moment_now(const ClusterView& view,
                                                     std::string_view submix);
/// The show's oscillator of a parameter, with the phase and start reported by its node. Without a
/// report: as the show has it. Empty: the parameter has no oscillator.
[[nodiscard]] std::optional<show::Oscillator> moving_oscillator(const ClusterView& view,
                                                                const show::Port& slot,
                                                                std::string_view parameter);
/// The parameter's value now, by its oscillator. Empty: the parameter does not move.
[[nodiscard]] std::optional<double> value_now(const ClusterView& view, const show::Port& slot,
                                              std::string_view parameter);

}  // namespace submix::model
