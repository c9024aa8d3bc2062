// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace submix::show {

/// One fault of a show, for people: what, where, the value, the limit, the remedy. Immutable.
struct Problem {
  std::string path{};  ///< place in the document, for programs: "submix[0].slot[2].inputs"
  std::string text{};  ///< the message; it also names the place
  std::string file{};  ///< empty: the show came from no file
  int line = 0;        ///< 0: not known
};
using Problems = std::vector<Problem>;

/// "duo.toml:12: submix "left", slot "glow": …"
[[nodiscard]] std::string to_string(const Problem& problem);
/// One line for each problem, without a line end after the last.
[[nodiscard]] std::string to_string(const Problems& problems);

}  // namespace submix::show
