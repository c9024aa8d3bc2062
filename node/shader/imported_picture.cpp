// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/imported_picture.hpp"

#include "common/media/frame.hpp"
#include "common/media/pixels.hpp"
#include "common/media/png.hpp"

#include <algorithm>

namespace submix::shader {
namespace {

bool is_below(const std::filesystem::path& file) {
  return !file.empty() && file.is_relative() && std::ranges::find(file, "..") == file.end();
}

}  // namespace

Result<ImportedPicture> load_imported(const std::filesystem::path& folder,
                                      const std::string& file) {
  if (!is_below(file)) return fail("IMPORTED: \"{}\" does not lie below the shader's folder", file);
  const auto image = media::read_png(folder / file);
  if (!image) return fail("IMPORTED: {}", image.error().message);
  ImportedPicture picture{image->size, {}};
  picture.rgba.resize(image->size.pixels() * media::kBytesPerRgbaPixel);
  media::unpack_rgb24(image->pixels, picture.rgba);
  return picture;
}

}  // namespace submix::shader
