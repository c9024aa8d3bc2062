// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace submix {

/// Where this program's own file lies, and those of its neighbours; empty where the kernel does not say.
[[nodiscard]] std::filesystem::path program_folder();

}  // namespace submix
