// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the parser. Only this header and its users include toml++ (1.3 s for each file).

#include "common/show/problem_limits.hpp"

#include <toml++/toml.h>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::show {

/// The results of a parse besides the show: problems, and the line of each place in the document.
struct ParseContext {
  std::string file{};
  Problems problems{};                 ///< the first kProblemsMax
  std::map<std::string, int> lines{};  ///< by path: "submix[0].slot[2].inputs"
  std::size_t left_out = 0;            ///< number of problems after the first kProblemsMax
  bool is_cut = false;                 ///< a list was too long and was read in part

  void complain(std::string path, int line, const std::string& text);
  /// The line of `path`, or of the nearest enclosing place with a known line.
  [[nodiscard]] int line_of(std::string path) const;
};

/// A value as a person wrote it, cut to a readable length.
[[nodiscard]] std::string shown(const toml::node& node);

/// The number in `node`, whole or not. Empty: not a number.
[[nodiscard]] std::optional<double> number_of(const toml::node& node);

/// Reads one table key by key. Keys never requested are reported as unknown. Confined to
/// the parse.
class TableReader {
 public:
  /// `title` names the table for people: `submix "left", slot "glow"`.
  TableReader(const toml::table& table, std::string path, std::string title, ParseContext& context);

  /// Reports a missing key.
  std::string required_text(std::string_view key);
  std::string text(std::string_view key);
  std::optional<std::vector<std::string>> texts(std::string_view key, std::size_t limit);
  std::int64_t integer(std::string_view key, std::int64_t initial);
  double number(std::string_view key, double initial);
  bool boolean(std::string_view key, bool initial = false);
  /// The value of any type, or null.
  const toml::node* any(std::string_view key);
  const toml::table* table(std::string_view key);
  /// The tables of `[[key]]`. More than `limit` tables are reported, and the first `limit` are
  /// returned.
  std::vector<const toml::table*> tables(std::string_view key, std::size_t limit);
  /// Whether the table has at most `limit` keys. Reports too many; the message calls the keys
  /// `kind`.
  bool holds_at_most(std::size_t limit, std::string_view kind);

  void complain(std::string_view key, const std::string& text);
  /// Reports a list longer than allowed; the rest of the list is not read.
  void complain_of_length(std::string_view key, const std::string& text);
  /// Reports a value of the wrong type: "must be …".
  void complain_of_type(std::string_view key, const toml::node& node, std::string_view wanted);
  /// Call last. Reports each key never requested.
  void finish();

  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] std::string path_of(std::string_view key) const;

 private:
  const toml::table& table_;
  std::string path_;
  std::string title_;
  ParseContext& context_;
  std::vector<std::string> known_;
};

}  // namespace submix::show
