// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/pages/several_pcs_state.hpp"
#include "controller/ui/panel.hpp"

#include <string>

/// The PCs that have joined this desk by code, in the dialog "Several PCs".
namespace submix::ui {

/// Whether this PC plays layers or may begin to, as node `own`. A PC that may only watch does not.
[[nodiscard]] bool may_play(const std::string& own, const model::ClusterView& view);

/// "connected", "not connected", "not known", or "its rights change" while a PC connects again
/// with its new rights.
[[nodiscard]] std::string_view connection_words(const pairing::PeerNow& pc,
                                                const SeveralPcsState& state, LocalTime now);

/// A row for each PC: its state, a choice of its rights, and a button that asks whether to shut it
/// out. Without `may_change` there is neither choice nor button.
void draw_pc_list(SeveralPcsState& state, bool may_change, Panel& panel);

/// The consequences of shutting `asked_pc` out, for the question.
[[nodiscard]] std::string removal_words(const SeveralPcsState& state,
                                        const model::ClusterView& view);

/// The consequences of fewer rights for `asked_pc`, for the question.
[[nodiscard]] std::string rights_words(const SeveralPcsState& state);

[[nodiscard]] bool plays_in_show(const std::string& node, const model::ClusterView& view);

}  // namespace submix::ui
