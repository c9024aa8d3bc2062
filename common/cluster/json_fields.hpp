// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the codec: the only header here that includes nlohmann-json (9 s for each including
// file).

#include "common/base/result.hpp"
#include "common/cluster/names.hpp"
#include "common/show/document.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace submix::cluster {

using Json = nlohmann::ordered_json;

inline constexpr std::size_t kTextMax = 4096;

/// Valid JSON, even if a text is not valid UTF-8.
[[nodiscard]] std::string dump(const Json& json);
/// Refuses a text that is larger than `bytes_max`, not JSON, or not an object.
[[nodiscard]] Result<Json> parse_object(std::string_view text, std::size_t bytes_max);

/// The message of a field list: constant when an archive writes it.
template <typename Archive, typename Message>
using Item = std::conditional_t<Archive::kIsReader, Message, const Message>;

/// Reads the fields of a JSON object into a message. The first error sticks: after it no field
/// is read. Ask for the error once, at the end.
///
/// Threads  Confined.
/// Errors   A field of a wrong type or out of its range; the error names the field.
class JsonReader {
 public:
  static constexpr bool kIsReader = true;

  JsonReader(const Json& object, std::string& error) : object_(object), error_(error) {
    if (!object.is_object()) complain("message", "is not an object");
  }

  /// Control characters are replaced, because the texts of peers reach logs, terminals and
  /// windows. A text that may be longer than kTextMax is a document and stays as it is.
  void text(const char* key, std::string& value, std::size_t bytes_max = kTextMax);
  /// An empty or missing text is an error.
  void required_text(const char* key, std::string& value);
  void optional_text(const char* key, std::string& value) { text(key, value); }
  void cut_text(const char* key, std::string& value, std::size_t) { text(key, value); }
  void texts(const char* key, std::vector<std::string>& values, std::size_t count_max);
  void boolean(const char* key, bool& value);
  void number(const char* key, double& value);
  void parameter(const char* key, show::ParameterValue& value);
  void nanoseconds(const char* key, std::chrono::nanoseconds& value);
  void nanoseconds_list(const char* key, std::vector<std::chrono::nanoseconds>& values,
                        std::size_t count_max);

  template <typename Integer>
  void integer(const char* key, Integer& value) {
    const auto* field = find(key);
    if (field == nullptr) return;
    if (!is_whole<Integer>(*field)) return complain(key, "is not a whole number in its range");
    value = field->get<Integer>();
  }

  template <typename Integer>
  void optional_integer(const char* key, Integer& value) {
    integer(key, value);
  }

  /// One of names_of(value).
  template <typename Enum>
  void choice(const char* key, Enum& value) {
    std::string name;
    text(key, name);
    if (name.empty()) return;

    const auto names = names_of(value);
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return complain(key, "is not one of the known words");
    value = static_cast<Enum>(found - names.begin());
  }

  /// An object within this one, read by fields(reader, item).
  template <typename Message>
  void object(const char* key, Message& item) {
    const auto* field = find(key);
    if (field == nullptr) return;
    if (!field->is_object()) return complain(key, "is not an object");
    JsonReader reader(*field, error_);
    fields(reader, item);
  }

  /// A list of objects, each read by fields(reader, item).
  template <typename Message>
  void list(const char* key, std::vector<Message>& items, std::size_t count_max) {
    const auto* field = find_list(key, count_max);
    if (field == nullptr) return;
    for (const auto& object : *field) {
      JsonReader reader(object, error_);
      fields(reader, items.emplace_back());
      if (!error_.empty()) return;
    }
  }

  /// A list of pairs of whole numbers, [first, second].
  template <typename Pair, typename First, typename Second>
  void pairs(const char* key, std::vector<Pair>& items, std::size_t count_max, First Pair::* first,
             Second Pair::* second) {
    const auto* field = find_list(key, count_max);
    if (field == nullptr) return;
    for (const auto& pair : *field) {
      const bool is_pair = pair.is_array() && pair.size() == 2 && is_whole<First>(pair[0]) &&
                           is_whole<Second>(pair[1]);
      if (!is_pair)
        return complain(key, "has an item that is not a pair of whole numbers in their range");
      auto& item = items.emplace_back();
      item.*first = pair[0].template get<First>();
      item.*second = pair[1].template get<Second>();
    }
  }

  void complain(std::string_view key, std::string_view what);

 private:
  template <typename Integer>
  [[nodiscard]] static bool is_whole(const Json& json) {
    if (json.is_number_unsigned()) return std::in_range<Integer>(json.get<std::uint64_t>());
    return json.is_number_integer() && std::in_range<Integer>(json.get<std::int64_t>());
  }
  // Null: the field is missing or null, or there was an error before.
  [[nodiscard]] const Json* find(const char* key) const;
  // The same for a list of at most `count_max` items; complains about any other value.
  [[nodiscard]] const Json* find_list(const char* key, std::size_t count_max);

  const Json& object_;
  std::string& error_;
};

[[nodiscard]] Json to_json(const show::ParameterValue& value);

/// Writes the fields of a message into a JSON object, in the order of the calls. It has the same
/// functions as JsonReader, so that a field list serves both.
///
/// Threads  Confined.
class JsonWriter {
 public:
  static constexpr bool kIsReader = false;

  void text(const char* key, std::string_view value, std::size_t = kTextMax) { add(key, value); }
  void required_text(const char* key, const std::string& value) { add(key, value); }
  /// Writes nothing for an empty text.
  void optional_text(const char* key, const std::string& value) {
    if (!value.empty()) add(key, value);
  }
  /// Writes at most `bytes_max` bytes of the text.
  void cut_text(const char* key, const std::string& value, std::size_t bytes_max);
  void texts(const char* key, const std::vector<std::string>& values, std::size_t) {
    add(key, values);
  }
  void boolean(const char* key, bool value) { add(key, value); }
  void number(const char* key, double value) { add(key, value); }
  void parameter(const char* key, const show::ParameterValue& value) { add(key, to_json(value)); }
  void nanoseconds(const char* key, std::chrono::nanoseconds value) { add(key, value.count()); }
  void nanoseconds_list(const char* key, const std::vector<std::chrono::nanoseconds>& values,
                        std::size_t);

  template <typename Integer>
  void integer(const char* key, Integer value) {
    add(key, value);
  }
  /// Writes nothing for 0.
  template <typename Integer>
  void optional_integer(const char* key, Integer value) {
    if (value != 0) add(key, value);
  }
  template <typename Enum>
  void choice(const char* key, Enum value) {
    add(key, name_of(value));
  }
  template <typename Message>
  void object(const char* key, const Message& item) {
    add(key, object_of(item));
  }

  template <typename Message>
  void list(const char* key, const std::vector<Message>& items, std::size_t) {
    auto list = Json::array();
    for (const auto& item : items)
      list.push_back(object_of(item));
    add(key, std::move(list));
  }

  template <typename Pair, typename First, typename Second>
  void pairs(const char* key, const std::vector<Pair>& items, std::size_t, First Pair::* first,
             Second Pair::* second) {
    auto list = Json::array();
    for (const auto& item : items)
      list.push_back(Json::array({item.*first, item.*second}));
    add(key, std::move(list));
  }

  [[nodiscard]] Json take() && { return std::move(object_); }

 private:
  template <typename Message>
  [[nodiscard]] static Json object_of(const Message& item) {
    JsonWriter writer;
    fields(writer, item);
    return std::move(writer).take();
  }
  void add(const char* key, Json value);

  Json object_ = Json::object();
};

/// The JSON text of a message with a field list.
template <typename Message>
[[nodiscard]] std::string write_message(const Message& message) {
  JsonWriter writer;
  fields(writer, message);
  return dump(std::move(writer).take());
}

/// Reads a message with a field list. `kind` names the message in errors.
template <typename Message>
[[nodiscard]] Result<Message> read_message(std::string_view text, std::size_t bytes_max,
                                           std::string_view kind) {
  const auto json = parse_object(text, bytes_max);
  if (!json) return fail("{}: {}", kind, json.error().message);

  Message message;
  std::string error;
  JsonReader reader(*json, error);
  fields(reader, message);
  if (!error.empty()) return fail("{}: {}", kind, error);
  return message;
}

}  // namespace submix::cluster
