// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/json_fields.hpp"

#include "common/base/plain_text.hpp"
#include "common/show/cut.hpp"

#include <array>
#include <cmath>

namespace submix::cluster {
namespace {

// Messages nest 7 levels deep: reading, submixes, one of them, stages, one of them, queues, one of
// them.
constexpr std::size_t kDepthMax = 32;
// The largest object has 30 members. The JSON library compares each member of an object with all
// earlier members: a message of 1 MiB that was a single object kept its reader busy for minutes.
constexpr std::size_t kMembersMax = 1024;

/// Counts brackets and members without parsing: outside of strings, each ':' belongs to one member.
class FormScan {
 public:
  /// Why the text must not be given to the JSON library. Empty: it may be parsed.
  std::string_view fault(std::string_view text) {
    bool is_text = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (is_text && c == '\\') ++i;
      if (c == '"') is_text = !is_text;
      if (is_text || c == '"') continue;
      if (auto found = count(c); !found.empty()) return found;
    }
    return {};
  }

 private:
  std::string_view count(char c) {
    if (c == '{' || c == '[') {
      if (++depth_ > kDepthMax) return "the JSON is nested too deep";
      members_.at(depth_) = 0;
    } else if ((c == '}' || c == ']') && depth_ > 0) {
      --depth_;
    } else if (c == ':' && ++members_.at(depth_) > kMembersMax) {
      return "the JSON has an object of too many members";
    }
    return {};
  }

  std::array<std::size_t, kDepthMax + 1> members_{};  // members of each open bracket
  std::size_t depth_ = 0;
};

}  // namespace

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Json> parse_object(std::string_view text, std::size_t bytes_max) {
  if (text.size() > bytes_max) return fail("{} bytes are more than {}", text.size(), bytes_max);
  if (const auto fault = FormScan().fault(text); !fault.empty()) return fail("{}", fault);
  auto json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return fail("{} bytes are not JSON", text.size());
  if (!json.is_object()) return fail("the JSON is not an object");
  return json;
}

const Json* JsonReader::find(const char* key) const {
  if (!error_.empty()) return nullptr;
  const auto found = object_.find(key);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

void JsonReader::complain(std::string_view key, std::string_view what) {
  if (error_.empty()) error_ = fmt::format("field \"{}\" {}", key, what);
}

const Json* JsonReader::find_list(const char* key, std::size_t count_max) {
  const auto* field = find(key);
  if (field == nullptr) return nullptr;
  if (field->is_array() && field->size() <= count_max) return field;
  complain(key, "is not a list, or is too long");
  return nullptr;
}

void JsonReader::text(const char* key, std::string& value, std::size_t bytes_max) {
  const auto* field = find(key);
  if (field == nullptr) return;
  if (!field->is_string()) return complain(key, "is not a text");
  if (field->get_ref<const std::string&>().size() > bytes_max) {
    return complain(key, fmt::format("is longer than {} bytes", bytes_max));
  }
  value = field->get<std::string>();
  if (bytes_max <= kTextMax) value = plain_lines(value);
}

void JsonReader::required_text(const char* key, std::string& value) {
  text(key, value);
  if (value.empty()) complain(key, "is missing");
}

void JsonReader::texts(const char* key, std::vector<std::string>& values, std::size_t count_max) {
  const auto* field = find_list(key, count_max);
  if (field == nullptr) return;
  for (const auto& item : *field) {
    if (!item.is_string() || item.get_ref<const std::string&>().size() > kTextMax)
      return complain(key, "has an item that is not a text, or is too long");
    values.push_back(plain_lines(item.get_ref<const std::string&>()));
  }
}

void JsonReader::boolean(const char* key, bool& value) {
  const auto* field = find(key);
  if (field == nullptr) return;
  if (!field->is_boolean()) return complain(key, "is not true or false");
  value = field->get<bool>();
}

void JsonReader::number(const char* key, double& value) {
  const auto* field = find(key);
  if (field == nullptr) return;
  if (!field->is_number() || !std::isfinite(field->get<double>()))
    return complain(key, "is not a number");
  value = field->get<double>();
}

void JsonReader::nanoseconds(const char* key, std::chrono::nanoseconds& value) {
  std::int64_t count = value.count();
  integer(key, count);
  value = std::chrono::nanoseconds(count);
}

void JsonReader::nanoseconds_list(const char* key, std::vector<std::chrono::nanoseconds>& values,
                                  std::size_t count_max) {
  const auto* field = find_list(key, count_max);
  if (field == nullptr) return;
  for (const auto& item : *field) {
    if (!is_whole<std::int64_t>(item))
      return complain(key, "has an item that is not a whole number in its range");
    values.emplace_back(item.get<std::int64_t>());
  }
}

void JsonReader::parameter(const char* key, show::ParameterValue& value) {
  const auto* field = find(key);
  if (field == nullptr) return;
  if (field->is_boolean()) value = field->get<bool>();
  if (field->is_number()) value = field->get<double>();
  if (field->is_string()) {
    std::string words;
    text(key, words);
    value = std::move(words);
  }
  if (field->is_array() && field->size() <= 16) {
    std::vector<double> numbers;
    for (const auto& item : *field) {
      if (!item.is_number()) return complain(key, "has an item that is not a number");
      numbers.push_back(item.get<double>());
    }
    value = std::move(numbers);
  } else if (field->is_structured()) {
    complain(key, "is not a parameter's value");
  }
}

void JsonWriter::cut_text(const char* key, const std::string& value, std::size_t bytes_max) {
  add(key, show::cut(value, bytes_max));
}

void JsonWriter::nanoseconds_list(const char* key,
                                  const std::vector<std::chrono::nanoseconds>& values,
                                  std::size_t) {
  auto counts = Json::array();
  for (const auto value : values)
    counts.push_back(value.count());
  add(key, std::move(counts));
}

// Appends without a search for the key: a field list names each field once.
void JsonWriter::add(const char* key, Json value) {
  object_.get_ref<Json::object_t&>().emplace_back(key, std::move(value));
}

Json to_json(const show::ParameterValue& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

}  // namespace submix::cluster
