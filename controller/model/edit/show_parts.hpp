// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Edits of a show's structure: each names the parts it changes with the values they shall have, so that its
/// inverse is the same edit with the values of before.
namespace submix::model {

/// One named part of the show, or that there is none of that name.
template <typename Item>
struct Part {
  std::string name;
  std::optional<Item> item;
  std::string after{};  ///< where it goes if it is not there; empty: first. Nothing depends on it.

  friend bool operator==(const Part& a, const Part& b) {
    return a.name == b.name && a.item == b.item;
  }
};

/// Submixes, streams, nodes, knobs, presets or cues that are added, taken out or replaced as a whole.
template <typename Item>
struct SetParts {
  std::vector<Part<Item>> parts;

  friend bool operator==(const SetParts&, const SetParts&) = default;
};
using SetSubmixes = SetParts<show::Submix>;
using SetStreams = SetParts<show::Stream>;
using SetNodes = SetParts<show::Node>;
using SetKnobs = SetParts<show::Knob>;
using SetPresets = SetParts<show::Preset>;
using SetCues = SetParts<show::Cue>;

/// A patch: the order of its slots, and those that are added, changed or taken out. Slots that it does not
/// change keep what others set meanwhile.
struct SetSlots {
  std::string submix;
  std::vector<std::string> order;  ///< of all slots
  std::vector<Part<show::Slot>> parts;

  friend bool operator==(const SetSlots&, const SetSlots&) = default;
};

struct SetFramesInFlight {
  std::string submix;
  int frames = 0;  ///< 0: as many as its longest way needs

  friend bool operator==(const SetFramesInFlight&, const SetFramesInFlight&) = default;
};

/// What holds for the whole show, each for itself: one person's rename and another's rate go together.
struct SetShowName {
  std::string name;

  friend bool operator==(const SetShowName&, const SetShowName&) = default;
};
struct SetShowSize {
  Size size;

  friend bool operator==(const SetShowSize&, const SetShowSize&) = default;
};
struct SetShowRate {
  FrameRate rate;

  friend bool operator==(const SetShowRate&, const SetShowRate&) = default;
};
/// The submix that every output is shown through; empty: none.
struct SetOutputChain {
  std::string submix;

  friend bool operator==(const SetOutputChain&, const SetOutputChain&) = default;
};

/// The same edit with the values that `show` has now.
[[nodiscard]] Result<SetSubmixes> present_part(const show::Show& show, const SetSubmixes& edit);
[[nodiscard]] Result<SetStreams> present_part(const show::Show& show, const SetStreams& edit);
[[nodiscard]] Result<SetNodes> present_part(const show::Show& show, const SetNodes& edit);
[[nodiscard]] Result<SetKnobs> present_part(const show::Show& show, const SetKnobs& edit);
[[nodiscard]] Result<SetPresets> present_part(const show::Show& show, const SetPresets& edit);
[[nodiscard]] Result<SetCues> present_part(const show::Show& show, const SetCues& edit);
[[nodiscard]] Result<SetSlots> present_part(const show::Show& show, const SetSlots& edit);
[[nodiscard]] Result<SetFramesInFlight> present_part(const show::Show& show,
                                                     const SetFramesInFlight& edit);
[[nodiscard]] Result<SetShowName> present_part(const show::Show& show, const SetShowName& edit);
[[nodiscard]] Result<SetShowSize> present_part(const show::Show& show, const SetShowSize& edit);
[[nodiscard]] Result<SetShowRate> present_part(const show::Show& show, const SetShowRate& edit);
[[nodiscard]] Result<SetOutputChain> present_part(const show::Show& show,
                                                  const SetOutputChain& edit);

/// Of what the show does not have any more, for who edits it.
[[nodiscard]] tl::unexpected<Error> no_submix(std::string_view name);

/// A failed one may leave a part of its work: apply() of show_edit.hpp, which calls them, does not.
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetSubmixes& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetStreams& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetNodes& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetKnobs& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetPresets& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetCues& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetSlots& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetFramesInFlight& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetShowName& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetShowSize& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetShowRate& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetOutputChain& edit);

}  // namespace submix::model
