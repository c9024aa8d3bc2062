// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace submix::show {

/// How many inputs a plugin takes. A value.
struct InputCount {
  constexpr InputCount() = default;
  constexpr InputCount(std::size_t exactly)
      : least(exactly), most(exactly) {}  // NOLINT: a number is one
  constexpr InputCount(std::size_t from, std::size_t to) : least(from), most(to) {}

  std::size_t least = 0;
  std::size_t most = 0;

  /// True: every slot with the plugin has this many inputs. False: the slot states how many.
  [[nodiscard]] constexpr bool is_fixed() const { return least == most; }
  [[nodiscard]] constexpr bool allows(std::size_t inputs) const {
    return least <= inputs && inputs <= most;
  }
  friend bool operator==(const InputCount&, const InputCount&) = default;
};

/// The inputs of a mixer with a variable number of inputs.
inline constexpr InputCount kMixerInputs{2, 16};

/// "1 input", "2 inputs", "2 to 16 inputs".
[[nodiscard]] std::string words_of(InputCount inputs);

/// The name of the variable mixer's parameter for the level of an input, counted from 1: "level3".
[[nodiscard]] std::string level_of_input(std::size_t number);

/// The inputs of a plugin kind as nodes report it: "source", "filter", "mixer2", "mixer3", "mixer",
/// "output". Empty: an unknown kind.
[[nodiscard]] std::optional<InputCount> inputs_of_kind(std::string_view kind);

}  // namespace submix::show
