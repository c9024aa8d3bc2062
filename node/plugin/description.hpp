// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "common/show/input_count.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace submix::plugin {

/// The inputs that a plugin takes. A `mixer` takes as many as its slot names. An output passes its
/// input on and may stand in the middle of a patch.
enum class Kind { source, filter, mixer2, mixer3, output, mixer };

[[nodiscard]] show::InputCount input_count(Kind kind);
[[nodiscard]] std::string_view to_string(Kind kind);

enum class ParameterType { boolean, number, color, position, text };

[[nodiscard]] std::string_view to_string(ParameterType type);

/// A parameter as a person sees it. Numbers outside the limits are clamped; NaN is refused. Each
/// part of a color or a position lies within 0 to 1.
struct ParameterDescription {
  std::string name;
  ParameterType type = ParameterType::number;
  std::string explanation = {};
  show::ParameterValue initial = 0.0;
  double minimum = 0.0;
  double maximum = 1.0;
  std::vector<std::string> choices = {};  ///< the only values of a text; empty: any text
  bool is_integer = false;                ///< of a number: whole numbers only
};

/// A number with its limits.
[[nodiscard]] ParameterDescription number_parameter(std::string name, std::string explanation,
                                                    double initial, double minimum, double maximum);

/// A plugin's memory from frame to frame. A plugin without memory may have several
/// instances that share its frames.
enum class Memory { unknown, none, frames };

[[nodiscard]] std::string_view to_string(Memory memory);

/// What a plugin is. Immutable once registered.
struct Description {
  std::string id;  ///< "clip", "frei0r/glow"
  Kind kind = Kind::filter;
  std::string explanation = {};
  std::string author = {};
  std::vector<ParameterDescription> parameters = {};
  Memory memory = Memory::unknown;  ///< of filters and mixers
  std::string own_name = {};        ///< the name that a library gives itself
  std::string version = {};         ///< of a library: "0.2"
  /// Names of the counts of an InstanceReport, at most kInstanceCountsMax: "received".
  std::vector<std::string> counters = {};
  bool is_listed = true;       ///< false: only the node itself uses the plugin
  bool follows_beats = false;  ///< it is told the show's beat: Plugin::tell_beat()

  [[nodiscard]] const ParameterDescription* find_parameter(std::string_view name) const;
};

}  // namespace submix::plugin
