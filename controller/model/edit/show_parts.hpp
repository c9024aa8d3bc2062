// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Edits of a show's structure. Each names the changed parts with their new values, so that its
/// inverse is the same edit with the former values.
namespace submix::model {

/// A named part of the show, or its absence.
template <typename Item>
struct Part {
  std::string name;
  std::optional<Item> item;
  /// A new part comes behind this one; empty: first. Two parts that differ only here are equal.
  std::string after{};

  friend bool operator==(const Part& a, const Part& b) {
    return a.name == b.name && a.item == b.item;
  }
};

/// Submixes, streams, nodes, knobs, presets or cues, added, removed or replaced as a whole.
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

/// A patch: the order of its slots, and the added, changed or removed slots. Unchanged slots keep
/// values that others set meanwhile.
struct SetSlots {
  std::string submix;
  std::vector<std::string> order;  ///< of all slots
  std::vector<Part<show::Slot>> parts;

  friend bool operator==(const SetSlots&, const SetSlots&) = default;
};

/// The order of all cues. Fails if the show has other cues.
struct SetCueOrder {
  std::vector<std::string> order;

  friend bool operator==(const SetCueOrder&, const SetCueOrder&) = default;
};

struct SetFramesInFlight {
  std::string submix;
  int frames = 0;  ///< 0: as many as its longest path needs

  friend bool operator==(const SetFramesInFlight&, const SetFramesInFlight&) = default;
};

/// Settings of the whole show, an edit for each: one person's rename and another's rate do not
/// conflict.
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
/// See show::Show::delay_frames.
struct SetShowDelay {
  int frames = 0;

  friend bool operator==(const SetShowDelay&, const SetShowDelay&) = default;
};
/// The PC that listens, and its input.
struct SetSound {
  show::SoundInput sound;

  friend bool operator==(const SetSound&, const SetSound&) = default;
};
/// The submix that every output is shown through. Empty: none.
struct SetOutputChain {
  std::string submix;

  friend bool operator==(const SetOutputChain&, const SetOutputChain&) = default;
};

/// The same edit with the present values of `show`.
[[nodiscard]] Result<SetSubmixes> present_part(const show::Show& show, const SetSubmixes& edit);
[[nodiscard]] Result<SetStreams> present_part(const show::Show& show, const SetStreams& edit);
[[nodiscard]] Result<SetNodes> present_part(const show::Show& show, const SetNodes& edit);
[[nodiscard]] Result<SetKnobs> present_part(const show::Show& show, const SetKnobs& edit);
[[nodiscard]] Result<SetPresets> present_part(const show::Show& show, const SetPresets& edit);
[[nodiscard]] Result<SetCues> present_part(const show::Show& show, const SetCues& edit);
[[nodiscard]] Result<SetCueOrder> present_part(const show::Show& show, const SetCueOrder& edit);
[[nodiscard]] Result<SetSlots> present_part(const show::Show& show, const SetSlots& edit);
[[nodiscard]] Result<SetFramesInFlight> present_part(const show::Show& show,
                                                     const SetFramesInFlight& edit);
[[nodiscard]] Result<SetShowName> present_part(const show::Show& show, const SetShowName& edit);
[[nodiscard]] Result<SetShowSize> present_part(const show::Show& show, const SetShowSize& edit);
[[nodiscard]] Result<SetShowRate> present_part(const show::Show& show, const SetShowRate& edit);
[[nodiscard]] Result<SetShowDelay> present_part(const show::Show& show, const SetShowDelay& edit);
[[nodiscard]] Result<SetSound> present_part(const show::Show& show, const SetSound& edit);
[[nodiscard]] Result<SetOutputChain> present_part(const show::Show& show,
                                                  const SetOutputChain& edit);

/// The error for a submix that was removed meanwhile, for the person who edits it.
[[nodiscard]] tl::unexpected<Error> no_submix(std::string_view name);

/// A failed call may leave a part of its changes. Its caller, apply() of show_edit.hpp, restores
/// the show.
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetSubmixes& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetStreams& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetNodes& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetKnobs& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetPresets& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetCues& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetCueOrder& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetSlots& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetFramesInFlight& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetShowName& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetShowSize& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetShowRate& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetShowDelay& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetSound& edit);
[[nodiscard]] Result<void> apply_part(show::Show& show, const SetOutputChain& edit);

}  // namespace submix::model
