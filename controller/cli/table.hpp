// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace submix::cli {

/// Text in columns, each as wide as its widest cell. A column of empty cells is left out. Cells are
/// UTF-8; each character takes one column.
class Table {
 public:
  /// A heading that begins with '>' makes a right-aligned column of figures.
  explicit Table(std::vector<std::string> headings);
  void add(std::vector<std::string> cells);
  [[nodiscard]] bool is_empty() const { return rows_.empty(); }
  /// Widens the columns for cells that will come, for a table that is printed row by row.
  void expect(std::vector<std::string> cells);
  /// With a line end after each row. Empty without rows.
  [[nodiscard]] std::string text() const;
  /// The rows added since the last call; the first ones with the headings.
  [[nodiscard]] std::string take_new_rows();

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;
  [[nodiscard]] std::string line(const std::vector<std::string>& cells,
                                 const std::vector<std::size_t>& widths) const;

  std::vector<std::string> headings_;
  std::vector<bool> is_figure_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::vector<std::string>> expected_;
  std::size_t taken_ = 0;  // rows
};

}  // namespace submix::cli
