// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/edit/show_edit.hpp"
#include "controller/model/verdict/bottleneck.hpp"

#include <optional>
#include <string>

/// Short texts about a bottleneck, and remedies.
namespace submix::model {

/// The limiting thing in two or three words: "link 1 of left", "slot right.distort0r", "the machine
/// of node left". Empty: none, or not known.
[[nodiscard]] std::string culprit_of(const Bottleneck& bottleneck);
/// The verdict in one short line for every page: "link 1 of left: 70.0 of 82.9 MB/s".
[[nodiscard]] std::string headline_of(const Bottleneck& bottleneck);

/// Whether the show is behind only because it begins: its submixes still start, or their nodes have
/// run for less than twice kSettlingMax. False for a standstill of kSettlingMax.
[[nodiscard]] bool is_beginning(const ClusterView& view, const Bottleneck& bottleneck);

struct Remedy {
  std::string text;          ///< for people
  std::optional<Edit> edit;  ///< makes the change; empty: a person must do it
};

/// The mildest known remedy: one more helper for a plugin that allows it, another node for a
/// submix, one more link where both ends have a spare card, or a link's own advice. Where nothing
/// limits the show: the remedy for the first held performer.
[[nodiscard]] std::optional<Remedy> remedy_of(const ClusterView& view,
                                              const Bottleneck& bottleneck);

}  // namespace submix::model
