// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/library_report.hpp"

#include "node/host/message_bytes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace submix::host {
namespace {

using plugin::ParameterType;

bool is_within(double value, double minimum, double maximum) {
  return value >= minimum && value <= maximum;  // false for NaN
}

bool are_parts(const show::ParameterValue& value, std::size_t count) {
  const auto* const row = std::get_if<std::vector<double>>(&value);
  return row != nullptr && row->size() == count &&
         std::all_of(row->begin(), row->end(), [](double part) { return is_within(part, 0, 1); });
}

bool is_sound(const plugin::ParameterDescription& parameter) {
  const auto* const number = std::get_if<double>(&parameter.initial);
  switch (parameter.type) {
    case ParameterType::boolean:
      return std::holds_alternative<bool>(parameter.initial);
    case ParameterType::number:
      return number != nullptr && is_within(*number, parameter.minimum, parameter.maximum);
    case ParameterType::color:
      return are_parts(parameter.initial, 3);
    case ParameterType::position:
      return are_parts(parameter.initial, 2);
    case ParameterType::text:
      return std::holds_alternative<std::string>(parameter.initial);
  }
  return false;
}

bool is_sound(const plugin::Description& description) {
  const auto& parameters = description.parameters;
  constexpr std::array kKinds{plugin::Kind::source, plugin::Kind::filter, plugin::Kind::mixer2,
                              plugin::Kind::mixer3};
  return std::find(kKinds.begin(), kKinds.end(), description.kind) != kKinds.end() &&
         std::all_of(parameters.begin(), parameters.end(),
                     [](const auto& parameter) { return is_sound(parameter); });
}

plugin::Description read_description(MessageReader& reader) {
  plugin::Description description;
  description.id = reader.text();
  description.kind = reader.number<plugin::Kind>();
  description.explanation = reader.text();
  description.author = reader.text();
  description.own_name = reader.text();
  description.version = reader.text();
  const auto count = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count && reader.is_good(); ++i) {
    plugin::ParameterDescription parameter;
    parameter.name = reader.text();
    parameter.type = reader.number<ParameterType>();
    parameter.explanation = reader.text();
    parameter.initial = reader.value();
    parameter.minimum = reader.number<double>();
    parameter.maximum = reader.number<double>();
    description.parameters.push_back(std::move(parameter));
  }
  return description;
}

}  // namespace

std::vector<std::byte> encode(const Result<plugin::Description>& report) {
  MessageWriter writer;
  writer.number(report.has_value());
  if (!report) {
    writer.text(report.error().message);
    return std::move(writer).take();
  }
  writer.text(report->id);
  writer.number(report->kind);
  writer.text(report->explanation);
  writer.text(report->author);
  writer.text(report->own_name);
  writer.text(report->version);
  writer.number(static_cast<std::uint32_t>(report->parameters.size()));
  for (const auto& parameter : report->parameters) {
    writer.text(parameter.name);
    writer.number(parameter.type);
    writer.text(parameter.explanation);
    writer.value(parameter.initial);
    writer.number(parameter.minimum);
    writer.number(parameter.maximum);
  }
  return std::move(writer).take();
}

Result<plugin::Description> decode_report(std::span<const std::byte> bytes) {
  MessageReader reader(bytes);
  if (reader.number<std::uint8_t>() == 0) {
    const auto why = reader.text();
    if (reader.is_good() && reader.is_at_end() && !why.empty()) return tl::unexpected(Error{why});
  } else {
    auto description = read_description(reader);
    if (reader.is_good() && reader.is_at_end() && is_sound(description)) return description;
  }
  return fail("{} bytes are no report of a plugin's library", bytes.size());
}

}  // namespace submix::host
