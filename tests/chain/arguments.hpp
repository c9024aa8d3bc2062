// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

/// What arguments must be, so that a wrong one is told before anything is run.
namespace submix::chain {

/// A width or a height that frei0r takes.
[[nodiscard]] CLI::Validator frei0r_length();

/// The name of a frei0r filter of this machine. Loads it.
[[nodiscard]] CLI::Validator frei0r_filter();

}  // namespace submix::chain
