// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace submix::show {

/// What changed in a slot without a change of the patch: it can be done while the patch runs.
struct SlotChange {
  Port slot;
  /// An empty value: the parameter is no longer stated, the plugin's own initial value holds again.
  std::map<std::string, std::optional<ParameterValue>, std::less<>> parameters;
  std::optional<bool> is_bypassed;
  std::optional<Oscillators> oscillators = {};  ///< all of the slot's, where one of them changed
  std::optional<Fades> fades = {};              ///< the same

  friend bool operator==(const SlotChange&, const SlotChange&) = default;
};

/// What lies between two shows; submixes and streams by name. A submix is in at most one of added, removed
/// and rebuilt; it may be moved and rebuilt.
struct Difference {
  bool is_format_changed = false;  ///< size or rate: everything starts anew
  bool is_tempo_changed = false;   ///< of all oscillators
  std::vector<std::string> added;
  std::vector<std::string> removed;
  std::vector<std::string> moved;    ///< to another node
  std::vector<std::string> rebuilt;  ///< slots, plugins or inputs changed
  std::vector<SlotChange> tuned;     ///< of submixes that are neither added nor rebuilt
  std::vector<std::string> streams_added;
  std::vector<std::string> streams_removed;
  std::vector<std::string>
      streams_changed;                     ///< in more than what can be followed while frames flow
  std::vector<std::string> streams_tuned;  ///< in what can: their links, policy and pause budget

  friend bool operator==(const Difference&, const Difference&) = default;
  [[nodiscard]] bool is_empty() const { return *this == Difference(); }
};

[[nodiscard]] Difference diff(const Show& before, const Show& after);

}  // namespace submix::show
