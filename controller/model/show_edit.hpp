// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// Changes to a show, each of one small thing, so that two people's changes to different things go together.
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

struct SetBypass {
  show::Port slot;
  bool is_bypassed = false;

  friend bool operator==(const SetBypass&, const SetBypass&) = default;
};

struct SetLinks {
  std::string stream;
  int count = 2;                          ///< of routes where there are any
  std::vector<show::LinkRoute> routes{};  ///< empty: cards are paired by subnet, then in order

  friend bool operator==(const SetLinks&, const SetLinks&) = default;
};

struct SetPolicy {
  std::string stream;
  show::InputPolicy policy = show::InputPolicy::wait;
  std::optional<std::chrono::milliseconds> pause_budget{};  ///< empty: the one it has

  friend bool operator==(const SetPolicy&, const SetPolicy&) = default;
};

using Edit = std::variant<AssignSubmix, SetParameter, SetBypass, SetLinks, SetPolicy>;

/// For people: "run left on rack2", "left.glow: Blur 0.5".
[[nodiscard]] std::string title(const Edit& edit);
/// Whether both change the same thing.
[[nodiscard]] bool is_same_target(const Edit& a, const Edit& b);
/// The edit that would leave `show` as it is: the same target with the value it has now. Fails when the
/// show has no such submix or slot.
[[nodiscard]] Result<Edit> present(const show::Show& show, const Edit& edit);
[[nodiscard]] Result<void> apply(show::Show& show, const Edit& edit);

}  // namespace submix::model
