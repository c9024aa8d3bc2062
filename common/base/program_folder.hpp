// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace submix {

/// The folder of this program's file and its companion programs; empty if the kernel does not say.
[[nodiscard]] std::filesystem::path program_folder();

}  // namespace submix
