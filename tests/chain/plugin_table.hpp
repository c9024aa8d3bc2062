// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix::chain {

/// Prints node/plugin/FREI0R.md: every frei0r plugin of this machine with its kind, its parameters,
/// the cost of a frame of 1280x720, and its treatment by Submix; then the refused plugins. Returns
/// the exit status.
[[nodiscard]] int print_plugin_table();

}  // namespace submix::chain
