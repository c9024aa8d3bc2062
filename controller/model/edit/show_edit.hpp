// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_parts.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// Edits of a show. Each edit changes one small thing, so two people's edits of different things do
/// not conflict. patch_changes.hpp and show_changes.hpp make edits of the show's structure.
namespace submix::model {

struct AssignSubmix {
  std::string submix;
  std::string node;  ///< empty: run it nowhere

  friend bool operator==(const AssignSubmix&, const AssignSubmix&) = default;
};

struct SetParameter {
  show::Port slot;
  std::string name;
  std::optional<show::ParameterValue> value;  ///< empty: the plugin's initial value

  friend bool operator==(const SetParameter&, const SetParameter&) = default;
};

struct SetOscillator {
  show::Port slot;
  std::string name;                            ///< of the parameter
  std::optional<show::Oscillator> oscillator;  ///< empty: none

  /// Compares what a person states, not the times that show::announce() adds.
  friend bool operator==(const SetOscillator& a, const SetOscillator& b);
};

struct SetTempo {
  show::Tempo tempo;
  bool sets_beat = false;  ///< a new beat from `tempo.since` on

  /// Compares the pace, not since when it holds, unless the beat is set.
  friend bool operator==(const SetTempo& a, const SetTempo& b);
};

struct SetBypass {
  show::Port slot;
  bool is_bypassed = false;

  friend bool operator==(const SetBypass&, const SetBypass&) = default;
};

struct SetHelpers {
  show::Port slot;
  int helpers = 1;

  friend bool operator==(const SetHelpers&, const SetHelpers&) = default;
};

struct SetLinks {
  std::string stream;
  int count = 2;                    ///< number of routes, if routes are given
  std::vector<LinkRoute> routes{};  ///< empty: cards are paired by subnet, then in order

  friend bool operator==(const SetLinks&, const SetLinks&) = default;
};

struct SetPolicy {
  std::string stream;
  show::InputPolicy policy = show::InputPolicy::wait;
  std::optional<std::chrono::milliseconds> pause_budget{};  ///< empty: unchanged

  friend bool operator==(const SetPolicy&, const SetPolicy&) = default;
};

/// The fade of a number towards the stated value. A SetParameter of the number comes before.
struct SetFade {
  show::Port slot;
  std::string name;                ///< of the parameter
  std::optional<show::Fade> fade;  ///< empty: no fade

  friend bool operator==(const SetFade&, const SetFade&) = default;
};

/// A knob's position. Edits of its targets are separate: turn_knob() (performing.hpp) makes them
/// all.
struct SetKnobValue {
  std::string knob;
  double value = 0.0;

  friend bool operator==(const SetKnobValue&, const SetKnobValue&) = default;
};

/// The next cue for "go". Empty: the first cue.
struct SetNextCue {
  std::string cue;

  friend bool operator==(const SetNextCue&, const SetNextCue&) = default;
};

/// When the next cue goes by itself (show::Show::following). Empty: it waits for a person.
struct SetFollowing {
  std::optional<std::chrono::milliseconds> at{};

  friend bool operator==(const SetFollowing&, const SetFollowing&) = default;
};

/// Another show in place of the present one: opened, new, or an older one.
struct ReplaceShow {
  std::shared_ptr<const show::Show> show;  ///< null: there was none
  std::string title;                       ///< "open duo.toml"; not compared

  friend bool operator==(const ReplaceShow& a, const ReplaceShow& b) {
    return a.show == b.show || (a.show != nullptr && b.show != nullptr && *a.show == *b.show);
  }
};

struct EditGroup;

using Edit =
    std::variant<ReplaceShow, AssignSubmix, SetParameter, SetOscillator, SetTempo, SetBypass,
                 SetHelpers, SetLinks, SetPolicy, SetSlots, SetSubmixes, SetStreams, SetNodes,
                 SetFramesInFlight, SetShowName, SetShowSize, SetShowRate, SetShowDelay, SetSound,
                 SetOutputChain, SetFade, SetKnobValue, SetKnobs, SetPresets, SetCues, SetCueOrder,
                 SetNextCue, SetFollowing, EditGroup>;

/// Several edits as one transaction: all of them or none, done and undone together.
struct EditGroup {
  std::string title;  ///< for people: "delete left and 2 streams"
  std::vector<Edit> edits;

  friend bool operator==(const EditGroup& a, const EditGroup& b);  ///< titles are not compared
};

/// For people: "run left on rack2", "left.glow: Blur 0.5".
[[nodiscard]] std::string title(const Edit& edit);
/// Whether both edits change the same thing.
[[nodiscard]] bool is_same_target(const Edit& a, const Edit& b);
/// Whether the edit changes several things, or adds or removes things that other edits may name.
/// Edits before and after a broad edit are never merged.
[[nodiscard]] bool is_broad(const Edit& edit);
/// Whether the edit changes the show's parts or how they are run. Values, bypasses, the tempo,
/// knobs' positions, the next cue and its follow-on are no structure.
[[nodiscard]] bool is_structural(const Edit& edit);
/// The edit of the same target with its present value in `show`. Fails when the show has no such
/// submix or slot.
[[nodiscard]] Result<Edit> present(const show::Show& show, const Edit& edit);
/// Applies an edit. On failure the show stays unchanged.
[[nodiscard]] Result<void> apply(show::Show& show, const Edit& edit);
/// The edit that turns `before` into `after`. Equal shows give a group without edits.
[[nodiscard]] Edit difference(const show::Show& before, const show::Show& after, std::string title);

}  // namespace submix::model
