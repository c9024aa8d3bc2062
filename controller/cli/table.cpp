// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/table.hpp"

#include "common/base/assert.hpp"
#include "common/base/plain_text.hpp"

#include <algorithm>
#include <utility>

namespace submix::cli {
namespace {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace

Table::Table(std::vector<std::string> headings) : headings_(std::move(headings)) {
  for (auto& heading : headings_) {
    is_figure_.push_back(heading.starts_with('>'));
    if (is_figure_.back()) heading.erase(0, 1);
  }
}

void Table::add(std::vector<std::string> cells) {
  SUBMIX_ASSERT(cells.size() == headings_.size());
  for (auto& cell : cells)
    cell = one_line(cell);
  rows_.push_back(std::move(cells));
}

void Table::expect(std::vector<std::string> cells) {
  SUBMIX_ASSERT(cells.size() == headings_.size());
  for (auto& cell : cells)
    cell = one_line(cell);
  expected_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    std::size_t widest = 0;
    for (const auto* rows : {&rows_, &expected_}) {
      for (const auto& row : *rows)
        widest = std::max(widest, width_of(row[i]));
    }
    widths.push_back(widest == 0 ? 0 : std::max(widest, width_of(headings_[i])));
  }
  return widths;
}

std::string Table::text() const {
  if (rows_.empty()) return {};
  const auto columns = widths();
  auto text = line(headings_, columns);
  for (const auto& row : rows_)
    text += line(row, columns);
  return text;
}

std::string Table::take_new_rows() {
  if (taken_ == rows_.size()) return {};
  const auto columns = widths();
  auto text = taken_ == 0 ? line(headings_, columns) : std::string();
  for (; taken_ < rows_.size(); ++taken_)
    text += line(rows_[taken_], columns);
  return text;
}

std::string Table::line(const std::vector<std::string>& cells,
                        const std::vector<std::size_t>& widths) const {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (widths[i] == 0) continue;  // an empty column
    const std::string padding(widths[i] - width_of(cells[i]), ' ');
    if (!text.empty()) text += "  ";
    text += is_figure_[i] ? padding + cells[i] : cells[i] + padding;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + '\n';
}

}  // namespace submix::cli
