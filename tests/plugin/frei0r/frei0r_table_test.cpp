// SPDX-License-Identifier: GPL-3.0-or-later
// The documented table of frei0r's plugins names the plugins of this distribution.

#include "common/base/files.hpp"
#include "node/plugin/catalog.hpp"
#include "node/plugin/frei0r/frei0r_repairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace submix::plugin {
namespace {

/// The first cell of each row from `begin` on, up to the next title.
std::vector<std::string> first_cells(const std::string& text, std::size_t begin) {
  std::vector<std::string> cells;
  std::istringstream lines(text.substr(begin));
  for (std::string line; std::getline(lines, line) && (cells.empty() || !line.starts_with("#"));) {
    if (line.starts_with("| `")) cells.push_back(line.substr(3, line.find('`', 3) - 3));
  }
  return cells;
}

TEST(Frei0rTable, NamesThePluginsThatAreThere) {
  const auto text = read_text_file(SUBMIX_FREI0R_TABLE).value();
  const auto refused_at = text.find(" refused\n");
  ASSERT_NE(refused_at, std::string::npos);
  auto named = first_cells(text, 0);
  const auto refused = first_cells(text, refused_at);
  for (const auto& id : refused)
    EXPECT_FALSE(
        find_frei0r_repair(id.substr(show::kFrei0rPrefix.size())).value().refused_because.empty())
        << id;
  named.insert(named.end(), refused.begin(), refused.end());
  std::sort(named.begin(), named.end());
  const auto ids = Catalog({"/usr/lib/frei0r-1"}).ids();
  // frei0r 2 has all plugins of frei0r 1.8, which the table is made with, and some more.
  if (std::ranges::binary_search(ids, "frei0r/kaleid0sc0pe")) {
    EXPECT_TRUE(std::ranges::includes(ids, named)) << "one of frei0r 1.8 is missing";
  } else {
    EXPECT_EQ(named, ids) << "make it anew: submix-chain --table > node/plugin/FREI0R.md";
  }
}

}  // namespace
}  // namespace submix::plugin
