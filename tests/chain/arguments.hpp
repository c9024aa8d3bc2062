// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

/// Checks of the arguments, so that a wrong argument is reported before a measurement begins.
namespace submix::chain {

/// The name of a frei0r filter on this machine. Loads the filter.
[[nodiscard]] CLI::Validator frei0r_filter();

}  // namespace submix::chain
