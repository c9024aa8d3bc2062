// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/parameters.hpp"

#include "common/show/nearest.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace submix::plugin {
namespace {

std::string_view expectation(ParameterType type) {
  switch (type) {
    case ParameterType::boolean:
      return "true or false";
    case ParameterType::number:
      return "a number";
    case ParameterType::color:
      return "a colour, three numbers in a row: [red, green, blue], each 0 to 1";
    case ParameterType::position:
      return "a position, two numbers in a row: [x, y], each 0 to 1";
    case ParameterType::text:
      return "text";
  }
  return "";
}

std::string shown(const show::ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("\"{}\"", *text);
  return fmt::format("[{}]", fmt::join(std::get<std::vector<double>>(value), ", "));
}

// A value being checked, with its description.
struct Check {
  const Description& plugin;
  const ParameterDescription& parameter;
  const show::ParameterValue& value;

  [[nodiscard]] tl::unexpected<Error> refuse(std::string_view reason) const {
    return fail("plugin \"{}\": parameter \"{}\" = {}: {}", plugin.id, parameter.name, shown(value),
                reason);
  }

  [[nodiscard]] Result<CheckedValue> run() const {
    switch (parameter.type) {
      case ParameterType::boolean:
        if (!std::holds_alternative<bool>(value)) break;
        return CheckedValue{value, {}};
      case ParameterType::number:
        if (const auto* number = std::get_if<double>(&value)) return clamped(*number);
        break;
      case ParameterType::color:
      case ParameterType::position:
        if (const auto* parts = std::get_if<std::vector<double>>(&value)) return clamped(*parts);
        break;
      case ParameterType::text:
        if (const auto* text = std::get_if<std::string>(&value)) return chosen(*text);
        break;
    }
    return refuse(fmt::format("give {}", expectation(parameter.type)));
  }

  [[nodiscard]] std::string remark(const show::ParameterValue& taken, double least,
                                   double most) const {
    return fmt::format("parameter \"{}\" = {} is not within {} to {}: {} is used", parameter.name,
                       shown(value), least, most, shown(taken));
  }

  [[nodiscard]] Result<CheckedValue> clamped(double number) const {
    if (std::isnan(number)) return refuse("is not a number; give one");
    const double taken = std::clamp(number, parameter.minimum, parameter.maximum);
    if (taken == number) return CheckedValue{value, {}};
    return CheckedValue{taken, remark(taken, parameter.minimum, parameter.maximum)};
  }

  [[nodiscard]] Result<CheckedValue> clamped(std::vector<double> parts) const {
    const std::size_t wanted = parameter.type == ParameterType::color ? 3 : 2;
    const bool has_nan =
        std::any_of(parts.begin(), parts.end(), [](double part) { return std::isnan(part); });
    if (parts.size() != wanted || has_nan)
      return refuse(fmt::format("give {}", expectation(parameter.type)));
    for (auto& part : parts)
      part = std::clamp(part, 0.0, 1.0);
    const show::ParameterValue taken = std::move(parts);
    return CheckedValue{taken, taken == value ? std::string() : remark(taken, 0, 1)};
  }

  [[nodiscard]] Result<CheckedValue> chosen(const std::string& text) const {
    const auto& choices = parameter.choices;
    if (choices.empty() || std::find(choices.begin(), choices.end(), text) != choices.end()) {
      return CheckedValue{value, {}};
    }
    return refuse(fmt::format("is none of {}{}", fmt::join(choices, ", "),
                              show::did_you_mean(text, choices)));
  }
};

std::vector<std::string> names_of(const Description& description) {
  std::vector<std::string> names;
  names.reserve(description.parameters.size());
  for (const auto& parameter : description.parameters)
    names.push_back(parameter.name);
  return names;
}

}  // namespace

Result<CheckedValue> check_parameter(const Description& description, std::string_view name,
                                     const show::ParameterValue& value) {
  const auto* parameter = description.find_parameter(name);
  if (parameter != nullptr) return Check{description, *parameter, value}.run();
  const auto names = names_of(description);
  return fail("plugin \"{}\" has no parameter \"{}\"{}; it has: {}", description.id, name,
              show::did_you_mean(name, names),
              names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
}

Result<void> complete_parameters(const Description& description, Setup& setup) {
  std::vector<std::string> errors;
  for (auto& [name, value] : setup.parameters) {
    auto checked = check_parameter(description, name, value);
    if (!checked) {
      errors.push_back(std::move(checked.error().message));
      continue;
    }
    value = std::move(checked->value);
    if (!checked->remark.empty() && setup.events != nullptr) {
      setup.events->report(Severity::warning, setup.about(), std::move(checked->remark));
    }
  }
  if (!errors.empty()) return fail("{}", fmt::join(errors, "\n"));
  for (const auto& parameter : description.parameters)
    setup.parameters.try_emplace(parameter.name, parameter.initial);
  return {};
}

}  // namespace submix::plugin
