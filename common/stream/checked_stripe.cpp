// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/checked_stripe.hpp"

#include "common/base/assert.hpp"

#include <algorithm>

namespace submix::stream {

CheckedStripe::CheckedStripe(Size size, PixelFormat format)
    : pixels_(std::min<std::size_t>(size.pixels(), wire::kStripePixelsMax) *
              bytes_per_pixel(format)) {}

void CheckedStripe::begin(const wire::StripeHeader& header) {
  SUBMIX_ASSERT(header_.pixels == 0 && header.pixel_bytes() <= pixels_.size());
  header_ = header;
  bytes_there_ = 0;
}

std::span<std::uint8_t> CheckedStripe::room() {
  if (header_.pixels == 0) return {};
  return std::span(pixels_).first(header_.pixel_bytes()).subspan(bytes_there_);
}

}  // namespace submix::stream
