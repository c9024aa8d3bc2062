// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/edit/show_edit.hpp"
#include "controller/model/verdict/bottleneck.hpp"

#include <optional>
#include <string>

/// What is said of a bottleneck, where the whole sentence is too long, and what can be done about it.
namespace submix::model {

/// Who limits, in two or three words: "link 1 of left", "slot right.distort0r", "the machine of node left";
/// empty where nobody does or it is not known.
[[nodiscard]] std::string culprit_of(const Bottleneck& bottleneck);
/// The verdict in one short line: "link 1 of left: 70.0 of 82.9 MB/s".
[[nodiscard]] std::string headline_of(const Bottleneck& bottleneck);

struct Remedy {
  std::string text;          ///< for people
  std::optional<Edit> edit;  ///< that does it; empty: it takes a person's hands
};

/// The gentlest thing that would help, where the model knows one: one more helper for a plugin that bears it,
/// another node for a submix, one more link where both ends have a card to spare, what a link itself says.
/// Where nothing limits the show: for the first performer that is held.
[[nodiscard]] std::optional<Remedy> remedy_of(const ClusterView& view,
                                              const Bottleneck& bottleneck);

}  // namespace submix::model
