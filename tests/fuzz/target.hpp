// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// A fuzz program consists of a target with these two functions and the driver, which calls them.

/// Takes one input and must return. Crashes, aborts and endless waits are the bugs to find. The
/// signature is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace submix::fuzz {

/// Valid inputs to begin with, besides the files on the command line.
[[nodiscard]] std::vector<std::string> seeds();

}  // namespace submix::fuzz
