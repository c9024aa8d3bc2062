// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::local {

/// Runs another program of Submix, and returns what it prints until it ends, errors included. After
/// `patience`, or when `stop` is requested, it is ended, and the text so far returned. Text beyond
/// 64 KiB is left out.
///
/// Errors   The program cannot be started.
[[nodiscard]] Result<std::string> answer_of(const std::vector<std::string>& command,
                                            std::chrono::milliseconds patience,
                                            const std::stop_token& stop = {});

}  // namespace submix::local
