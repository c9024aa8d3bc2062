// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// What a fuzz program is made of: a target has these two functions, the driver calls them.

/// Takes one input. Must return: a crash, an abort and a wait are what is looked for. As libFuzzer has it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace submix::fuzz {

/// Good inputs to begin with, besides the files on the command line.
[[nodiscard]] std::vector<std::string> seeds();

}  // namespace submix::fuzz
