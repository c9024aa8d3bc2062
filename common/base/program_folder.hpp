// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace submix {

/// The folder of this program's file and its companion programs; empty if the kernel does not say.
[[nodiscard]] std::filesystem::path program_folder();

/// The file of a program that only other programs of Submix start: beside this program, as built,
/// or in `../libexec/submix`, as installed. If neither is there: the first.
[[nodiscard]] std::filesystem::path private_program(const std::string& name);

}  // namespace submix
