// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/ffmpeg.hpp"

#include <string>

namespace submix::io {

/// How a decoder of live pictures treats their order.
enum class PictureOrder {
  as_they_come,  ///< each picture follows its packet; for devices
  by_time        ///< pictures are put in order, if the stream needs it
};

/// A decoder for pictures that are shown as they arrive. Its threads add no delay. It refuses
/// pictures larger than kDecodedPixelsMax.
///
/// Errors   FFmpeg has no such decoder. The message begins with `name`.
[[nodiscard]] Result<CodecPointer> open_live_decoder(const std::string& name,
                                                     const AVCodecParameters& parameters,
                                                     PictureOrder order);

}  // namespace submix::io
