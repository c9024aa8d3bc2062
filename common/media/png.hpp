// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/media/image.hpp"

#include <filesystem>
#include <string>

/// PNG pictures, by libpng. Synchronized: nothing is kept between calls.
namespace submix::media {

[[nodiscard]] Result<std::string> encode_png(const Rgb24Image& image);
/// Writes the whole file or nothing.
[[nodiscard]] Result<void> write_png(const std::filesystem::path& path, const Rgb24Image& image);

/// Any PNG as RGB24, transparent parts over black. Fails on broken bytes and on sizes over
/// kLargestSize; a larger claimed size never leads to an allocation.
[[nodiscard]] Result<Rgb24Image> read_png(const std::filesystem::path& path);

}  // namespace submix::media
