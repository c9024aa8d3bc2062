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

/// Changes to a show, each of one small thing, so that two people's changes to different things go together.
/// Those of its structure are made by patch_changes.hpp and show_changes.hpp.
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
  std::optional<show::Oscillator> oscillator;  ///< empty: it has none

  friend bool operator==(const SetOscillator&, const SetOscillator&) = default;
};

struct SetTempo {
  show::Tempo tempo;

  friend bool operator==(const SetTempo&, const SetTempo&) = default;
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
  int count = 2;                    ///< of routes where there are any
  std::vector<LinkRoute> routes{};  ///< empty: cards are paired by subnet, then in order

  friend bool operator==(const SetLinks&, const SetLinks&) = default;
};

struct SetPolicy {
  std::string stream;
  show::InputPolicy policy = show::InputPolicy::wait;
  std::optional<std::chrono::milliseconds> pause_budget{};  ///< empty: the one it has

  friend bool operator==(const SetPolicy&, const SetPolicy&) = default;
};

/// A number on its way to what is stated; a SetParameter of it comes before.
struct SetFade {
  show::Port slot;
  std::string name;                ///< of the parameter
  std::optional<show::Fade> fade;  ///< empty: it is there

  friend bool operator==(const SetFade&, const SetFade&) = default;
};

/// Where a knob stands. What it moves are edits of their own: turn_knob() (performing.hpp) makes all of them.
struct SetKnobValue {
  std::string knob;
  double value = 0.0;

  friend bool operator==(const SetKnobValue&, const SetKnobValue&) = default;
};

/// What "go" does next; empty: the first cue.
struct SetNextCue {
  std::string cue;

  friend bool operator==(const SetNextCue&, const SetNextCue&) = default;
};

/// Another show in the place of the present one: opened, begun anew, an older one again.
struct ReplaceShow {
  std::shared_ptr<const show::Show> show;  ///< null: there was none
  std::string title;                       ///< "open duo.toml"; no part of what is compared

  friend bool operator==(const ReplaceShow& a, const ReplaceShow& b) {
    return a.show == b.show || (a.show != nullptr && b.show != nullptr && *a.show == *b.show);
  }
};

struct EditGroup;

using Edit =
    std::variant<ReplaceShow, AssignSubmix, SetParameter, SetOscillator, SetTempo, SetBypass,
                 SetHelpers, SetLinks, SetPolicy, SetSlots, SetSubmixes, SetStreams, SetNodes,
                 SetFramesInFlight, SetShowName, SetShowSize, SetShowRate, SetOutputChain, SetFade,
                 SetKnobValue, SetKnobs, SetPresets, SetCues, SetNextCue, EditGroup>;

/// One transaction of several edits: all of it or none, done and undone as one.
struct EditGroup {
  std::string title;  ///< for people: "delete left and 2 streams"
  std::vector<Edit> edits;

  friend bool operator==(const EditGroup& a, const EditGroup& b);  ///< the titles do not count
};

/// For people: "run left on rack2", "left.glow: Blur 0.5".
[[nodiscard]] std::string title(const Edit& edit);
/// Whether both change the same thing.
[[nodiscard]] bool is_same_target(const Edit& a, const Edit& b);
/// Whether it changes more than one small thing, or adds or takes out what other edits speak of: edits before
/// and after it are not put together.
[[nodiscard]] bool is_broad(const Edit& edit);
/// The edit that would leave `show` as it is: the same target with the value it has now. Fails when the
/// show has no such submix or slot.
[[nodiscard]] Result<Edit> present(const show::Show& show, const Edit& edit);
/// A failed one leaves the show as it was.
[[nodiscard]] Result<void> apply(show::Show& show, const Edit& edit);
/// The edit that makes `after` of `before`; a group without edits where they are the same.
[[nodiscard]] Edit difference(const show::Show& before, const show::Show& after, std::string title);

}  // namespace submix::model
