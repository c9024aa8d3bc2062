// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/cli/arguments.hpp"

#include <sstream>
#include <string>
#include <vector>

namespace submix::cli {

/// The output and exit status of `submix`.
struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

/// Runs `submix arguments…` in this process.
inline Outcome submix(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv{"submix"};
  for (const auto& argument : arguments)
    argv.push_back(argument.c_str());
  std::ostringstream out;
  std::ostringstream err;
  Context context{out, err};
  const int status = run(static_cast<int>(argv.size()), argv.data(), context);
  return {status, out.str(), err.str()};
}

}  // namespace submix::cli
