// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/shader_description.hpp"

#include "node/shader/sound_picture.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace submix::shader {
namespace {

using plugin::ParameterDescription;
using plugin::ParameterType;

double part_or(const std::vector<double>& parts, std::size_t i, double otherwise) {
  return i < parts.size() ? parts[i] : otherwise;
}

/// The numbers that a part of a point has at 0 and at 1. A point without limits is in pixels.
std::pair<double, double> limits_of(const IsfInput& input, std::size_t part, double pixels) {
  const bool has_limits = input.minimum.size() >= 2 && input.maximum.size() >= 2;
  if (!has_limits) return {0, pixels};
  return {input.minimum[part], input.maximum[part]};
}

double position_of(const IsfInput& input, std::size_t part) {
  const auto [low, high] = limits_of(input, part, 1);
  const double stated = part_or(input.initial, part, (low + high) / 2);
  if (high <= low) return 0;
  return std::clamp((stated - low) / (high - low), 0.0, 1.0);
}

ParameterDescription number_of(const IsfInput& input) {
  ParameterDescription number{.name = input.name};
  number.minimum = part_or(input.minimum, 0, std::min(0.0, part_or(input.initial, 0, 0)));
  number.maximum = part_or(input.maximum, 0, std::max(1.0, part_or(input.initial, 0, 1)));
  if (number.maximum < number.minimum) std::swap(number.minimum, number.maximum);
  number.initial =
      std::clamp(part_or(input.initial, 0, number.minimum), number.minimum, number.maximum);
  return number;
}

ParameterDescription choice_of(const IsfInput& input) {
  const int stated = whole_number(part_or(input.initial, 0, 0));
  if (input.choices.empty()) {
    auto number = number_of(input);
    number.maximum = std::max(number.maximum, part_or(input.maximum, 0, 10));
    number.is_integer = true;
    return number;
  }
  const auto found = std::ranges::find(input.values, stated);
  const auto at = found == input.values.end() ? 0 : found - input.values.begin();
  return {.name = input.name,
          .type = ParameterType::text,
          .initial = input.choices[static_cast<std::size_t>(at)],
          .choices = input.choices};
}

/// Empty: the input is a picture, or sound with parameters of its own.
std::optional<ParameterDescription> parameter_of(const IsfInput& input) {
  switch (input.type) {
    case InputType::event:
      return ParameterDescription{
          .name = input.name, .type = ParameterType::boolean, .initial = false};
    case InputType::boolean:
      return ParameterDescription{.name = input.name,
                                  .type = ParameterType::boolean,
                                  .initial = part_or(input.initial, 0, 0) != 0};
    case InputType::choice:
      return choice_of(input);
    case InputType::number:
      return number_of(input);
    case InputType::point:
      return ParameterDescription{
          .name = input.name,
          .type = ParameterType::position,
          .initial = std::vector<double>{position_of(input, 0), position_of(input, 1)}};
    case InputType::color: {
      std::vector<double> color(3);
      for (std::size_t i = 0; i < color.size(); ++i)
        color[i] = std::clamp(part_or(input.initial, i, 1), 0.0, 1.0);
      return ParameterDescription{
          .name = input.name, .type = ParameterType::color, .initial = std::move(color)};
    }
    case InputType::image:
    case InputType::waves:
    case InputType::spectrum:
      break;
  }
  return std::nullopt;
}

std::vector<ParameterDescription> parameters_of(const IsfInput& input) {
  std::vector<ParameterDescription> parameters;
  if (auto parameter = parameter_of(input)) {
    parameter->explanation = input.label;
    parameters.push_back(*std::move(parameter));
  }
  for (auto& name : parameters_of_sound(input))
    parameters.push_back({.name = std::move(name),
                          .explanation = "How loud: let it follow the sound",
                          .initial = 0.0});
  return parameters;
}

Result<plugin::Kind> kind_of(const ShaderSource& source) {
  const auto pictures = picture_inputs(source.header).size();
  if (pictures == 0) return plugin::Kind::source;
  if (pictures == 1) return plugin::Kind::filter;
  if (pictures == 2) return plugin::Kind::mixer2;
  if (pictures == 3) return plugin::Kind::mixer3;
  return fail("it wants {} pictures > 3", pictures);
}

// A frame of a shader without memory depends on its inputs, its time and its parameters only.
plugin::Memory memory_of(const ShaderSource& source) {
  const auto is_kept = [](const IsfPass& pass) { return pass.is_persistent; };
  const auto names = [&](std::string_view word) {
    return source.fragment.find(word) != std::string::npos;
  };
  const auto is_event = [](const IsfInput& input) { return input.type == InputType::event; };
  const bool keeps = std::ranges::any_of(source.header.passes, is_kept) ||
                     std::ranges::any_of(source.header.inputs, is_event) || names("FRAMEINDEX") ||
                     names("TIMEDELTA") || names("iFrame") || names("iTimeDelta");
  return keeps ? plugin::Memory::frames : plugin::Memory::none;
}

}  // namespace

Result<plugin::Description> describe(const ShaderSource& source, std::string id) {
  auto kind = kind_of(source);
  SUBMIX_TRY(kind);
  plugin::Description description{.id = std::move(id),
                                  .kind = *kind,
                                  .explanation = source.header.description,
                                  .author = source.header.credit,
                                  .memory = memory_of(source)};
  for (const auto& input : source.header.inputs) {
    for (auto& parameter : parameters_of(input)) {
      if (description.find_parameter(parameter.name) == nullptr)
        description.parameters.push_back(std::move(parameter));
    }
  }
  return description;
}

Result<plugin::Description> describe_file(const ShaderSource& source,
                                          const std::filesystem::path& file) {
  auto description = describe(source, std::string(show::kIsfPrefix) + file.stem().string());
  if (!description) return fail("{}: {}", file.string(), description.error().message);
  return description;
}

Result<plugin::Description> describe_file(const std::filesystem::path& file) {
  const auto source = load_source(file);
  SUBMIX_TRY(source);
  return describe_file(*source, file);
}

std::array<float, 4> uniform_of(const IsfInput& input, const show::ParameterValue& value,
                                Size size) {
  std::array<float, 4> parts{0, 0, 0, 1};
  if (const auto* is_on = std::get_if<bool>(&value)) parts[0] = *is_on ? 1 : 0;
  if (const auto* number = std::get_if<double>(&value)) parts[0] = static_cast<float>(*number);
  if (const auto* text = std::get_if<std::string>(&value)) {
    const auto found = std::ranges::find(input.choices, *text);
    if (found != input.choices.end())
      parts[0] =
          static_cast<float>(input.values[static_cast<std::size_t>(found - input.choices.begin())]);
  }
  if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
    for (std::size_t i = 0; i < std::min<std::size_t>(numbers->size(), 4); ++i)
      parts[i] = static_cast<float>((*numbers)[i]);
  }
  if (input.type != InputType::point) return parts;
  const std::array pixels{size.width, size.height};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto [low, high] = limits_of(input, i, pixels[i]);
    parts[i] = static_cast<float>(low + (high - low) * static_cast<double>(parts[i]));
  }
  return parts;
}

}  // namespace submix::shader
