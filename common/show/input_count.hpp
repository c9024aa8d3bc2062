// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
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

/// The mixer with a variable number of inputs.
inline constexpr std::string_view kMixPlugin = "mix";
/// The inputs of a mixer with a variable number of inputs.
inline constexpr InputCount kMixerInputs{2, 16};

/// "1 input", "2 inputs", "2 to 16 inputs".
[[nodiscard]] std::string words_of(InputCount inputs);

/// The parameters that the variable mixer has for each input. Their names end with the input's
/// number, counted from 1: "level3".
inline constexpr std::string_view kLevelOfInput = "level";  ///< how much of it is seen, 0 to 1
inline constexpr std::string_view kBlendOfInput = "blend";  ///< how it meets the pictures below it
inline constexpr std::string_view kSideOfInput = "side";    ///< the crossfader's side it is on
inline constexpr std::array kParametersOfInput{kLevelOfInput, kBlendOfInput, kSideOfInput};

/// parameter_of_input(kLevelOfInput, 3) is "level3".
[[nodiscard]] std::string parameter_of_input(std::string_view kind, std::size_t number);

/// A parameter of the variable mixer, taken apart.
struct InputParameter {
  std::string_view kind;   ///< one of kParametersOfInput
  std::size_t number = 0;  ///< of the input, from 1 on
};
/// Empty: the parameter belongs to the mixer as a whole, or to another plugin.
[[nodiscard]] std::optional<InputParameter> input_parameter(std::string_view name);

/// The inputs of a plugin kind as nodes report it: "source", "filter", "mixer2", "mixer3", "mixer",
/// "output". Empty: an unknown kind.
[[nodiscard]] std::optional<InputCount> inputs_of_kind(std::string_view kind);

}  // namespace submix::show
