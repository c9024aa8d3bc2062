// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/show/document.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <optional>
#include <string>
#include <string_view>

/// What people are told of oscillators, and what edits of them need to know. Pure.
namespace submix::model {

/// "0.5 Hz", "4 beats", "1/4 beat".
[[nodiscard]] std::string period_text(const show::Oscillator& oscillator);

/// The number of the newest frame of `submix`, as its node last said; empty: no node runs it.
[[nodiscard]] std::optional<FrameIndex> frame_now(const ClusterView& view, std::string_view submix);

/// `after`, in place of what `before` states: a one-shot that there was not begins where the node takes it
/// over. Nothing else is to be done: nodes see to it that nothing jumps.
[[nodiscard]] show::Oscillator begun_at(show::Oscillator after,
                                        const std::optional<show::Oscillator>& before);

[[nodiscard]] show::Timeline timeline_of(const telemetry::TimelineReading& reading);
/// How far the time of oscillators of `submix` has come, as its node last said; empty: no node runs it.
[[nodiscard]] std::optional<show::Moment> moment_now(const ClusterView& view,
                                                     std::string_view submix);
/// The show's oscillator of a parameter as its node lets it move: with the phase and the start that it has
/// there. As it is stated where the node says nothing; empty: there is none.
[[nodiscard]] std::optional<show::Oscillator> moving_oscillator(const ClusterView& view,
                                                                const show::Port& slot,
                                                                std::string_view parameter);
/// What that gives the parameter now; empty: it does not move.
[[nodiscard]] std::optional<double> value_now(const ClusterView& view, const show::Port& slot,
                                              std::string_view parameter);

}  // namespace submix::model
