// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/pipe/picture_shape.hpp"

extern "C" {
#include <libavutil/imgutils.h>
}

namespace submix::io {

Result<std::size_t> picture_bytes(const PictureShape& shape, std::string_view about) {
  if (!is_allowed(shape.size)) {
    return fail("{}: pictures of {}x{} are not within {}x{} to {}x{}", about, shape.size.width,
                shape.size.height, kSmallestSize.width, kSmallestSize.height, kLargestSize.width,
                kLargestSize.height);
  }
  const auto bytes = av_image_get_buffer_size(static_cast<AVPixelFormat>(shape.pixel_format),
                                              shape.size.width, shape.size.height, 1);
  if (bytes <= 0) return fail("{}: pixels of an unknown kind", about);
  return static_cast<std::size_t>(bytes);
}

}  // namespace submix::io
