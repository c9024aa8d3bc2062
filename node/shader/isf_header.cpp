// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/isf_header.hpp"

#include "common/base/plain_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <optional>
#include <utility>

namespace submix::shader {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kNameBytesMax = 64;
constexpr std::size_t kTextBytesMax = 400;
constexpr std::size_t kChoicesMax = 64;

constexpr std::array<std::pair<std::string_view, InputType>, 9> kTypes{{
    {"event", InputType::event},
    {"bool", InputType::boolean},
    {"long", InputType::choice},
    {"float", InputType::number},
    {"point2D", InputType::point},
    {"color", InputType::color},
    {"image", InputType::image},
    {"audio", InputType::waves},
    {"audioFFT", InputType::spectrum},
}};

bool is_identifier(std::string_view text) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && text.size() <= kNameBytesMax &&
         std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::ranges::all_of(text, is_word);
}

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return {};
  return plain_text(found->get_ref<const std::string&>(), kTextBytesMax);
}

bool is_set(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return false;
  if (found->is_boolean()) return found->get<bool>();
  return found->is_number() && found->get<double>() != 0;
}

/// A number, a switch or a list of numbers, as numbers.
std::vector<double> numbers_of(const Json& object, const char* key) {
  std::vector<double> numbers;
  const auto add = [&](const Json& value) {
    if (value.is_boolean()) numbers.push_back(value.get<bool>() ? 1 : 0);
    if (value.is_number()) numbers.push_back(value.get<double>());
  };
  const auto found = object.find(key);
  if (found == object.end()) return numbers;
  if (!found->is_array()) add(*found);
  for (std::size_t i = 0; found->is_array() && i < std::min(found->size(), kChoicesMax); ++i)
    add((*found)[i]);
  return numbers;
}

/// A size in pixels: a number, or an expression of the output's size.
std::string expression_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found != object.end() && found->is_number()) return fmt::format("{}", found->get<double>());
  return text_of(object, key);
}

// As many names as values, each once; else the values name themselves.
void name_choices(IsfInput& input, const Json& object) {
  for (const auto value : numbers_of(object, "VALUES"))
    input.values.push_back(whole_number(value));
  const auto labels = object.find("LABELS");
  if (labels != object.end() && labels->is_array()) {
    for (const auto& label : *labels) {
      if (label.is_string())
        input.choices.push_back(plain_text(label.get_ref<const std::string&>(), kTextBytesMax));
    }
  }
  auto sorted = input.choices;
  std::ranges::sort(sorted);
  const bool is_unique = std::ranges::adjacent_find(sorted) == sorted.end();
  if (is_unique && input.choices.size() == input.values.size()) return;
  input.choices.clear();
  for (const auto value : input.values)
    input.choices.push_back(std::to_string(value));
}

Result<IsfInput> input_of(const Json& object) {
  IsfInput input{.name = object.is_object() ? text_of(object, "NAME") : ""};
  if (!is_identifier(input.name))
    return fail("input \"{}\": is no name of up to {} letters and digits", input.name,
                kNameBytesMax);
  const auto type = text_of(object, "TYPE");
  const auto* known = std::ranges::find(kTypes, type, &decltype(kTypes)::value_type::first);
  if (known == kTypes.end()) return fail("input \"{}\": type \"{}\" is unknown", input.name, type);
  input.type = known->second;
  input.label = text_of(object, "LABEL");
  input.initial = numbers_of(object, "DEFAULT");
  input.minimum = numbers_of(object, "MIN");
  input.maximum = numbers_of(object, "MAX");
  if (input.type == InputType::choice) name_choices(input, object);
  return input;
}

Result<IsfPass> pass_of(const Json& object) {
  if (!object.is_object()) return fail("a pass is no object");
  IsfPass pass{.target = text_of(object, "TARGET"),
               .width = expression_of(object, "WIDTH"),
               .height = expression_of(object, "HEIGHT"),
               .is_persistent = is_set(object, "PERSISTENT"),
               .is_float = is_set(object, "FLOAT")};
  if (!pass.target.empty() && !is_identifier(pass.target))
    return fail("pass \"{}\": its target is no name", pass.target);
  return pass;
}

/// A list below `key`, of at most `most` elements; none: empty.
Result<std::vector<Json>> list_of(const Json& header, const char* key, std::size_t most) {
  const auto found = header.find(key);
  if (found == header.end() || !found->is_array()) return std::vector<Json>();
  if (found->size() > most) return fail("{}: {} > {}", key, found->size(), most);
  return std::vector<Json>(found->begin(), found->end());
}

// ISF 2 has an object with a member for each picture, ISF 1 a list.
Result<std::vector<IsfImport>> imports_of(const Json& header) {
  std::vector<IsfImport> imports;
  const auto found = header.find("IMPORTED");
  if (found == header.end()) return imports;
  for (const auto& [key, value] : found->items()) {
    if (!value.is_object()) continue;
    IsfImport import{found->is_object() ? key : text_of(value, "NAME"), text_of(value, "PATH")};
    if (!is_identifier(import.name)) return fail("IMPORTED: \"{}\" is no name", import.name);
    imports.push_back(std::move(import));
  }
  if (imports.size() > kIsfImportsMax)
    return fail("IMPORTED: {} > {}", imports.size(), kIsfImportsMax);
  return imports;
}

// ISF 1 lists the pictures that are kept apart from the passes.
void keep_persistent_buffers(IsfHeader& header, const Json& json) {
  const auto found = json.find("PERSISTENT_BUFFERS");
  if (found == json.end()) return;
  for (auto& pass : header.passes) {
    if (found->is_object() && found->contains(pass.target)) pass.is_persistent = true;
    if (found->is_array() && std::ranges::find(*found, Json(pass.target)) != found->end())
      pass.is_persistent = true;
  }
}

Result<IsfHeader> header_of(const Json& json) {
  IsfHeader header{.description = text_of(json, "DESCRIPTION"), .credit = text_of(json, "CREDIT")};
  auto inputs = list_of(json, "INPUTS", kIsfInputsMax);
  SUBMIX_TRY(inputs);
  for (const auto& object : *inputs) {
    auto input = input_of(object);
    SUBMIX_TRY(input);
    header.inputs.push_back(std::move(*input));
  }
  auto passes = list_of(json, "PASSES", kIsfPassesMax);
  SUBMIX_TRY(passes);
  for (const auto& object : *passes) {
    auto pass = pass_of(object);
    SUBMIX_TRY(pass);
    header.passes.push_back(std::move(*pass));
  }
  if (header.passes.empty()) header.passes.emplace_back();
  keep_persistent_buffers(header, json);
  auto imports = imports_of(json);
  SUBMIX_TRY(imports);
  header.imports = std::move(*imports);
  return header;
}

}  // namespace

int whole_number(double number) {
  using Limits = std::numeric_limits<int>;
  return static_cast<int>(std::clamp<double>(number, Limits::min(), Limits::max()));
}

Result<IsfHeader> parse_isf(std::string_view text) {
  if (text.size() > kIsfBytesMax) return fail("{} bytes > {}", text.size(), kIsfBytesMax);
  const auto begin = text.find("/*");
  const auto end = text.find("*/", begin == std::string_view::npos ? 0 : begin);
  if (begin == std::string_view::npos || end == std::string_view::npos)
    return fail("has no ISF header: a JSON object in a comment at its beginning");
  const auto json = Json::parse(text.substr(begin + 2, end - begin - 2), nullptr, false, true);
  if (!json.is_object()) return fail("its ISF header, the first comment, is no JSON object");
  return header_of(json);
}

}  // namespace submix::shader
