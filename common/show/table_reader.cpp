// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/table_reader.hpp"

#include "common/base/plain_text.hpp"
#include "common/show/cut.hpp"
#include "common/show/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace submix::show {
namespace {

int line_of_source(const toml::source_region& source) {
  return static_cast<int>(source.begin.line);
}

}  // namespace

void ParseContext::complain(std::string path, int line, const std::string& text) {
  if (is_full(problems)) {
    ++left_out;
    return;
  }
  problems.push_back({std::move(path), plain_text(text, kProblemBytesMax), file, line});
}

int ParseContext::line_of(std::string path) const {
  while (!path.empty()) {
    if (const auto found = lines.find(path); found != lines.end()) return found->second;
    const auto cut = path.find_last_of(".[");
    path.resize(cut == std::string::npos ? 0 : cut);
  }
  return 0;
}

std::string shown(const toml::node& node) {
  constexpr std::size_t kLongestBytes = 60;
  std::ostringstream out;
  node.visit([&](const auto& value) { out << value; });
  auto text = std::move(out).str();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return cut(text, kLongestBytes);
}

std::optional<double> number_of(const toml::node& node) {
  if (const auto* value = node.as_integer()) return static_cast<double>(value->get());
  if (const auto* value = node.as_floating_point()) return value->get();
  return std::nullopt;
}

TableReader::TableReader(const toml::table& table, std::string path, std::string title,
                         ParseContext& context)
    : table_(table), path_(std::move(path)), title_(std::move(title)), context_(context) {
  context_.lines[path_] = line_of_source(table.source());
}

std::string TableReader::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

const toml::node* TableReader::any(std::string_view key) {
  if (std::ranges::find(known_, key) == known_.end()) known_.emplace_back(key);
  const auto* node = table_.get(key);
  if (node != nullptr) context_.lines[path_of(key)] = line_of_source(node->source());
  return node;
}

std::string TableReader::text(std::string_view key) {
  const auto* node = any(key);
  if (node == nullptr) return {};
  if (const auto* value = node->as_string()) return value->get();
  complain_of_type(key, *node, "a text in quotes");
  return {};
}

std::string TableReader::required_text(std::string_view key) {
  if (table_.get(key) == nullptr)
    complain(key, fmt::format("{} is missing; write {} = \"…\"", key, key));
  return text(key);
}

std::optional<std::vector<std::string>> TableReader::texts(std::string_view key,
                                                           std::size_t limit) {
  const auto* node = any(key);
  if (node == nullptr) return std::nullopt;
  const auto* array = node->as_array();
  const bool is_texts =
      array != nullptr && std::all_of(array->begin(), array->end(),
                                      [](const toml::node& item) { return item.is_string(); });
  if (!is_texts) {
    complain_of_type(key, *node, "texts in a row, [\"a\", \"b\"]");
    return std::nullopt;
  }
  if (array->size() > limit) {
    complain_of_length(
        key, fmt::format("{} names {}, more than {}; take some out", key, array->size(), limit));
    return std::nullopt;
  }
  std::vector<std::string> texts;
  for (const auto& item : *array)
    texts.push_back(item.as_string()->get());
  return texts;
}

std::int64_t TableReader::integer(std::string_view key, std::int64_t initial) {
  const auto* node = any(key);
  if (node == nullptr) return initial;
  if (const auto* value = node->as_integer()) return value->get();
  complain_of_type(key, *node, "a whole number");
  return initial;
}

double TableReader::number(std::string_view key, double initial) {
  const auto* node = any(key);
  if (node == nullptr) return initial;
  if (const auto value = number_of(*node)) return *value;
  complain_of_type(key, *node, "a number");
  return initial;
}

bool TableReader::boolean(std::string_view key, bool initial) {
  const auto* node = any(key);
  if (node == nullptr) return initial;
  if (const auto* value = node->as_boolean()) return value->get();
  complain_of_type(key, *node, "true or false");
  return initial;
}

const toml::table* TableReader::table(std::string_view key) {
  const auto* node = any(key);
  if (node == nullptr) return nullptr;
  if (!node->is_table()) complain_of_type(key, *node, fmt::format("a table; write [{}]", key));
  return node->as_table();
}

std::vector<const toml::table*> TableReader::tables(std::string_view key, std::size_t limit) {
  const auto* node = any(key);
  std::vector<const toml::table*> tables;
  if (node == nullptr) return tables;
  const auto* array = node->as_array();
  const bool is_tables =
      array != nullptr && std::all_of(array->begin(), array->end(),
                                      [](const toml::node& item) { return item.is_table(); });
  if (!is_tables) {
    complain_of_type(key, *node,
                     fmt::format("a table for each; write [[{}]] with two brackets", key));
    return tables;
  }
  if (array->size() > limit) {
    complain_of_length(key, fmt::format("{} of \"{}\" are more than {}; take some out",
                                        array->size(), key, limit));
  }
  const auto count = std::min(array->size(), limit);
  for (std::size_t i = 0; i < count; ++i)
    tables.push_back(array->get(i)->as_table());
  return tables;
}

bool TableReader::holds_at_most(std::size_t limit, std::string_view kind) {
  if (table_.size() <= limit) return true;
  context_.is_cut = true;
  context_.complain(
      path_, context_.line_of(path_),
      fmt::format("{}: {} {} are more than {}; take some out", title_, table_.size(), kind, limit));
  return false;
}

void TableReader::complain(std::string_view key, const std::string& text) {
  const auto path = path_of(key);
  context_.complain(path, context_.line_of(path), fmt::format("{}: {}", title_, text));
}

void TableReader::complain_of_length(std::string_view key, const std::string& text) {
  context_.is_cut = true;
  complain(key, text);
}

void TableReader::complain_of_type(std::string_view key, const toml::node& node,
                                   std::string_view wanted) {
  complain(key, fmt::format("{} is {}, but must be {}", key, shown(node), wanted));
}

void TableReader::finish() {
  for (const auto& [key, node] : table_) {
    if (std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
    if (is_full(context_.problems)) {
      ++context_.left_out;
      continue;
    }
    auto remedy = did_you_mean(key.str(), known_);
    if (remedy.empty()) remedy = fmt::format("; known are {}", fmt::join(known_, ", "));
    const auto line = key.source().begin.line != 0 ? key.source() : node.source();
    context_.complain(path_of(key.str()), line_of_source(line),
                      fmt::format("{}: unknown key \"{}\"{}", title_, key.str(), remedy));
  }
}

}  // namespace submix::show
