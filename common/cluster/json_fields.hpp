// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the codec: the only header here that includes nlohmann-json (9 s for each including
// file).

#include "common/base/result.hpp"
#include "common/show/document.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::cluster {

using Json = nlohmann::ordered_json;

inline constexpr std::size_t kTextMax = 4096;

/// Valid JSON, even if a text is not valid UTF-8.
[[nodiscard]] std::string dump(const Json& json);
/// Refuses a text that is larger than `bytes_max`, not JSON, or not an object.
[[nodiscard]] Result<Json> parse_object(std::string_view text, std::size_t bytes_max);

/// The names of an enum's values, in the enum's order.
template <std::size_t N>
using Names = std::array<std::string_view, N>;

/// Reads an object field by field. The first error sticks; ask the Result made from `error` once, at the end.
class Fields {
 public:
  Fields(const Json& object, std::string& error) : object_(object), error_(error) {
    if (!object.is_object()) complain("message", "is not an object");
  }

  /// Control characters are replaced: peers' words end up in logs, terminals and windows. A longer text than
  /// kTextMax is a document, and stays as it is.
  void text(const char* key, std::string& value, std::size_t bytes_max = kTextMax);
  void texts(const char* key, std::vector<std::string>& values, std::size_t count_max);
  void boolean(const char* key, bool& value);
  void number(const char* key, double& value);
  void parameter(const char* key, show::ParameterValue& value);
  void nanoseconds(const char* key, std::chrono::nanoseconds& value);

  template <typename Integer>
  void integer(const char* key, Integer& value) {
    const auto* field = find(key);
    if (field == nullptr) return;
    if (!is_whole<Integer>(*field)) return complain(key, "is not a whole number in its range");
    value = field->get<Integer>();
  }

  template <typename Enum, std::size_t N>
  void choice(const char* key, Enum& value, const Names<N>& names) {
    std::string name;
    text(key, name);
    for (std::size_t i = 0; i < N; ++i) {
      if (names[i] == name) value = static_cast<Enum>(i);
      if (names[i] == name) return;
    }
    if (!name.empty()) complain(key, "is not one of the known words");
  }

  /// `read(Fields&, item)` for an object within this one.
  template <typename Item, typename Read>
  void object(const char* key, Item& item, Read read) {
    const auto* field = find(key);
    if (field == nullptr) return;
    if (!field->is_object()) return complain(key, "is not an object");
    Fields fields(*field, error_);
    read(fields, item);
  }

  /// `read(Fields&, item)` for each object of an array.
  template <typename Item, typename Read>
  void list(const char* key, std::vector<Item>& items, std::size_t count_max, Read read) {
    const auto* field = find(key);
    if (field == nullptr) return;
    if (!field->is_array() || field->size() > count_max)
      return complain(key, "is not a list, or is too long");
    for (const auto& object : *field) {
      Fields fields(object, error_);
      read(fields, items.emplace_back());
      if (!error_.empty()) return;
    }
  }

  /// `take(first, second)` for each `[first, second]` of an array of whole numbers.
  template <typename First, typename Second, typename Take>
  void pairs(const char* key, std::size_t count_max, Take take) {
    const auto* field = find(key);
    if (field == nullptr) return;
    if (!field->is_array() || field->size() > count_max)
      return complain(key, "is not a list, or is too long");
    for (const auto& pair : *field) {
      const bool is_pair = pair.is_array() && pair.size() == 2 && is_whole<First>(pair[0]) &&
                           is_whole<Second>(pair[1]);
      if (!is_pair)
        return complain(key, "has an item that is not a pair of whole numbers in their range");
      take(pair[0].template get<First>(), pair[1].template get<Second>());
    }
  }

  /// `take(number)` for each item of an array of whole numbers.
  template <typename Integer, typename Take>
  void integers(const char* key, std::size_t count_max, Take take) {
    const auto* field = find(key);
    if (field == nullptr) return;
    if (!field->is_array() || field->size() > count_max)
      return complain(key, "is not a list, or is too long");
    for (const auto& item : *field) {
      if (!is_whole<Integer>(item))
        return complain(key, "has an item that is not a whole number in its range");
      take(item.template get<Integer>());
    }
  }

  void complain(std::string_view key, std::string_view what);

 private:
  template <typename Integer>
  [[nodiscard]] static bool is_whole(const Json& json) {
    if (json.is_number_unsigned()) return std::in_range<Integer>(json.get<std::uint64_t>());
    return json.is_number_integer() && std::in_range<Integer>(json.get<std::int64_t>());
  }
  // Null when it is missing, null or an error was found before.
  [[nodiscard]] const Json* find(const char* key) const;

  const Json& object_;
  std::string& error_;
};

[[nodiscard]] Json to_json(const show::ParameterValue& value);

/// `decode_object<NodeReport>(text, "report", [](Fields& fields, NodeReport& report) {…})`
template <typename Message, typename Read>
[[nodiscard]] Result<Message> decode_object(std::string_view text, std::size_t bytes_max,
                                            std::string_view kind, Read read) {
  const auto json = parse_object(text, bytes_max);
  if (!json) return fail("{}: {}", kind, json.error().message);
  Message message;
  std::string error;
  Fields fields(*json, error);
  read(fields, message);
  if (!error.empty()) return fail("{}: {}", kind, error);
  return message;
}

}  // namespace submix::cluster
