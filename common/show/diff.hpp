// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace submix::show {

/// The changes of a slot which a running patch follows without a rebuild.
struct SlotChange {
  Port slot;
  /// An empty value: the show no longer states the parameter; the plugin's own initial value
  /// holds again.
  std::map<std::string, std::optional<ParameterValue>, std::less<>> parameters;
  std::optional<bool> is_bypassed;
  /// All oscillators of the slot, if any of them changed.
  std::optional<Oscillators> oscillators = {};
  std::optional<Fades> fades = {};  ///< all fades of the slot, if any of them changed

  friend bool operator==(const SlotChange&, const SlotChange&) = default;
};

/// The difference between two shows; submixes and streams are named.
/// A submix is in at most one of `added`, `removed` and `rebuilt`. A submix may be moved and
/// rebuilt.
struct Difference {
  bool is_format_changed = false;  ///< size or rate: everything starts anew
  bool is_tempo_changed = false;   ///< the tempo of all oscillators
  std::vector<std::string> added;
  std::vector<std::string> removed;
  std::vector<std::string> moved;    ///< to another node
  std::vector<std::string> rebuilt;  ///< slots, plugins or inputs changed
  std::vector<SlotChange> tuned;     ///< slots of submixes that are neither added nor rebuilt
  std::vector<std::string> streams_added;
  std::vector<std::string> streams_removed;
  std::vector<std::string> streams_changed;  ///< these streams start anew
  /// Changes followed by a running stream: links, policy, pause budget.
  std::vector<std::string> streams_tuned;

  friend bool operator==(const Difference&, const Difference&) = default;
  [[nodiscard]] bool is_empty() const { return *this == Difference(); }
};

[[nodiscard]] Difference diff(const Show& before, const Show& after);

}  // namespace submix::show
