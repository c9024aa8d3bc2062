// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the parser: the only headers that see toml++ (1.3 s for each file that includes it).

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

/// What a parse gathers besides the show: problems, and where in the file each place of the document stands.
struct Reading {
  std::string file{};
  Problems problems{};                 ///< the first kProblemsMax
  std::map<std::string, int> lines{};  ///< by path: "submix[0].slot[2].inputs"
  std::size_t left_out = 0;            ///< problems after those
  bool is_cut = false;                 ///< a list was too long and has been read in part

  void complain(std::string path, int line, const std::string& text);
  /// The line of `path`, or of the nearest place around it that has one.
  [[nodiscard]] int line_of(std::string path) const;
};

/// A value as a person wrote it, cut to a readable length.
[[nodiscard]] std::string shown(const toml::node& node);

/// Of a whole number or a fraction.
[[nodiscard]] std::optional<double> number_of(const toml::node& node);

/// Reads one table key by key; what was not asked for is an unknown key. Confined to the parse.
class TableReader {
 public:
  /// `title` names the table for people: `submix "left", slot "glow"`.
  TableReader(const toml::table& table, std::string path, std::string title, Reading& reading);

  /// Says which key is missing when there is none.
  std::string required_text(std::string_view key);
  std::string text(std::string_view key);
  std::optional<std::vector<std::string>> texts(std::string_view key, std::size_t limit);
  std::int64_t integer(std::string_view key, std::int64_t initial);
  double number(std::string_view key, double initial);
  bool boolean(std::string_view key, bool initial = false);
  /// The value of any type, or null.
  const toml::node* any(std::string_view key);
  const toml::table* table(std::string_view key);
  /// The tables of `[[key]]`; complains where there are more than `limit`, and gives the first ones.
  std::vector<const toml::table*> tables(std::string_view key, std::size_t limit);
  /// Whether the table's own keys, called `kind`, are at most `limit`; complains where they are not.
  bool holds_at_most(std::size_t limit, std::string_view kind);

  void complain(std::string_view key, const std::string& text);
  /// Of a list that is longer than allowed: the rest of it is not read.
  void complain_of_length(std::string_view key, const std::string& text);
  /// "must be …" for a value of the wrong type.
  void complain_of_type(std::string_view key, const toml::node& node, std::string_view wanted);
  /// Call last: reports each key that nobody asked for.
  void finish();

  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] std::string path_of(std::string_view key) const;

 private:
  const toml::table& table_;
  std::string path_;
  std::string title_;
  Reading& reading_;
  std::vector<std::string> known_;
};

}  // namespace submix::show
