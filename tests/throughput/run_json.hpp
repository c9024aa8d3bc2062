// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/run_command.hpp"
#include "tests/throughput/run_result.hpp"

#include <string>

namespace submix::throughput {

/// One object: the options, the medians under their fixed names, and each round's figures under the
/// same names.
[[nodiscard]] std::string to_json(const RunOptions& options, const RunResult& result);

}  // namespace submix::throughput
