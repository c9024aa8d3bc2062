// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/jpeg.hpp"

#include "common/base/assert.hpp"
#include "common/media/frame.hpp"

#include <turbojpeg.h>

#include <memory>
#include <type_traits>

namespace submix::media {
namespace {

constexpr int kQuality = 85;

struct DestroyTurbo {
  void operator()(void* handle) const { tjDestroy(handle); }
};
using Turbo = std::unique_ptr<std::remove_pointer_t<tjhandle>, DestroyTurbo>;

tl::unexpected<Error> failure(const Turbo& turbo) {
  return fail("JPEG: {}", tjGetErrorStr2(turbo.get()));
}

}  // namespace

Result<std::string> encode_jpeg(const Rgb24Image& image) {
  SUBMIX_ASSERT(image.pixels.size() == image.size.pixels() * kBytesPerRgb24Pixel);
  const Turbo turbo(tjInitCompress());
  const auto [width, height] = image.size;
  auto bytes = tjBufSize(width, height, TJSAMP_420);
  std::string encoded(bytes, '\0');
  auto* begin = reinterpret_cast<unsigned char*>(encoded.data());
  if (tjCompress2(turbo.get(), image.pixels.data(), width, 0, height, TJPF_RGB, &begin, &bytes,
                  TJSAMP_420, kQuality, TJFLAG_NOREALLOC | TJFLAG_FASTDCT) != 0)
    return failure(turbo);
  encoded.resize(bytes);
  return encoded;
}

Result<Rgb24Image> decode_jpeg(std::string_view bytes, Size size) {
  const Turbo turbo(tjInitDecompress());
  const auto* begin = reinterpret_cast<const unsigned char*>(bytes.data());
  int width = 0;
  int height = 0;
  int sampling = 0;
  int colors = 0;
  if (tjDecompressHeader3(turbo.get(), begin, bytes.size(), &width, &height, &sampling, &colors) !=
      0)
    return failure(turbo);
  if (size != Size{width, height}) {
    return fail("JPEG: the picture has {}x{} pixels, and not {}x{}", width, height, size.width,
                size.height);
  }
  Rgb24Image image{size, {}};
  image.pixels.resize(size.pixels() * kBytesPerRgb24Pixel);
  if (tjDecompress2(turbo.get(), begin, bytes.size(), image.pixels.data(), width, 0, height,
                    TJPF_RGB, TJFLAG_FASTDCT) != 0)
    return failure(turbo);
  return image;
}

}  // namespace submix::media
