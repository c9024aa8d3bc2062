// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/live_decoder.hpp"

#include "node/io/file_io.hpp"

#include <fmt/format.h>

#include <new>

namespace submix::io {

Result<CodecPointer> open_live_decoder(const std::string& name, const AVCodecParameters& parameters,
                                       PictureOrder order) {
  const auto* codec = avcodec_find_decoder(parameters.codec_id);
  if (codec == nullptr)
    return fail("{} gives pictures that this FFmpeg cannot decode: {}", name,
                avcodec_get_name(parameters.codec_id));
  CodecPointer decoder(avcodec_alloc_context3(codec));
  if (!decoder || avcodec_parameters_to_context(decoder.get(), &parameters) < 0)
    throw std::bad_alloc();
  if (order == PictureOrder::as_they_come) decoder->flags |= AV_CODEC_FLAG_LOW_DELAY;
  decoder->max_pixels = kDecodedPixelsMax;
  decoder->thread_type = FF_THREAD_SLICE;  // each frame thread would delay the pictures by one
  decoder->thread_count = codec_threads();
  const int code = avcodec_open2(decoder.get(), codec, nullptr);
  if (code < 0) return fail("{} cannot be decoded: {}", name, ffmpeg_error(code));
  return decoder;
}

}  // namespace submix::io
