// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix {

/// Opens /dev/null in the place of a closed standard input, output or error output. Otherwise the
/// next file or connection would take its number, and the log would be written there. For the
/// beginning of main(). Programs that are started later inherit these files.
void open_standard_files();

}  // namespace submix
