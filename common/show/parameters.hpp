// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace submix::show {

/// A parameter's value as a show states it: switch, number, text, or several numbers. A colour is
/// [red, green, blue], a position [x, y], each 0 to 1.
using ParameterValue = std::variant<bool, double, std::string, std::vector<double>>;
using Parameters = std::map<std::string, ParameterValue, std::less<>>;

/// "submix.slot", one end of a stream.
struct Port {
  std::string submix;
  std::string slot;

  friend bool operator==(const Port&, const Port&) = default;
};

}  // namespace submix::show
