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

/// "0.5 Hz", "4 beats", "1/4 beat"; "as heard" for a waveform of sound.
[[nodiscard]] std::string period_text(const show::Oscillator& oscillator);

/// The show's time at the local time `now`, since 1970. Empty: the cluster's clock is not known.
[[nodiscard]] std::optional<std::chrono::nanoseconds> show_time(const ClusterView& view,
                                                                LocalTime now);

/// `after`, as an edit in place of `before`. A new one-shot begins when the edit takes effect.
[[nodiscard]] show::Oscillator begun_at(show::Oscillator after,
                                        const std::optional<show::Oscillator>& before);

/// The sound as last reported by the node that listens; silence if nobody listens.
[[nodiscard]] Sound sound_now(const ClusterView& view);

/// The moment of the newest frame of `submix`, as its node last reported. Empty: no node runs the
/// submix.
[[nodiscard]] std::optional<show::Moment> moment_now(const ClusterView& view,
                                                     std::string_view submix);
/// The parameter's value now, by its oscillator. Empty: the parameter does not move.
[[nodiscard]] std::optional<double> value_now(const ClusterView& view, const show::Port& slot,
                                              std::string_view parameter);

}  // namespace submix::model
