// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <optional>
#include <string>
#include <vector>

/// The sound that a show follows, as people choose it. Pure.
namespace submix::model {

struct SoundChoice {
  show::SoundInput input;
  std::string text;  ///< "desk: Built-in Audio"; "nobody listens"
};

/// The inputs of all present PCs, each PC's default input first and its clips last; then "nobody
/// listens".
[[nodiscard]] std::vector<SoundChoice> sound_choices(const ClusterView& view);
/// The text of the show's input, even if its PC does not have this input now.
[[nodiscard]] std::string sound_text(const ClusterView& view);

/// Lets a PC listen, or none. The show names the PC from then on.
[[nodiscard]] Edit listen(const show::Show& show, const show::SoundInput& input);
/// Lets the first PC listen that has an input other than a clip. Empty: somebody listens already,
/// or no PC has such an input.
[[nodiscard]] std::optional<Edit> first_listener(const ClusterView& view);
/// `edit` lets a parameter follow the sound, and first_listener() listens from then on.
[[nodiscard]] Edit with_listener(SetOscillator edit, const ClusterView& view);

}  // namespace submix::model
