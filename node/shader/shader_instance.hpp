// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/plugin/instance.hpp"
#include "node/plugin/plugin.hpp"

#include <filesystem>
#include <memory>

namespace submix::shader {

/// A shader as a plugin's instance. A GlContext, current on this thread, outlives it.
///
/// Errors   The file is no shader, or does not compile: the message has file, line and text.
[[nodiscard]] Result<std::unique_ptr<plugin::Instance>> make_shader_instance(
    const std::filesystem::path& file, const plugin::Setup& setup);

}  // namespace submix::shader
