// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/checked_stripe.hpp"

#include "common/base/assert.hpp"
#include "common/media/frame.hpp"

#include <algorithm>

namespace submix::stream {

CheckedStripe::CheckedStripe(Size size)
    : pixels_(std::min<std::size_t>(size.pixels(), wire::kStripePixelsMax) *
              media::kBytesPerRgb24Pixel) {}

std::size_t CheckedStripe::bytes() const {
  return header_.pixels * media::kBytesPerRgb24Pixel;
}

void CheckedStripe::begin(const wire::StripeHeader& header) {
  SUBMIX_ASSERT(header_.pixels == 0 &&
                header.pixels * media::kBytesPerRgb24Pixel <= pixels_.size());
  header_ = header;
  bytes_there_ = 0;
}

std::span<std::uint8_t> CheckedStripe::room() {
  if (header_.pixels == 0) return {};
  return std::span(pixels_).first(bytes()).subspan(bytes_there_);
}

}  // namespace submix::stream
