// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/wire/message.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace submix::stream {

/// Collects one link's stripe until all pixels have arrived and were checked.
///
/// Unchecked pixels touch no frame: another link may have brought correct pixels for the same cells
/// already, or may be about to.
///
/// Shape    Room for the largest stripe of a frame, at most 1,392,640 bytes.
/// Threads  Compatible.
/// Cost     The constructor allocates and touches all memory. No other call allocates.
class CheckedStripe {
 public:
  CheckedStripe(Size size, PixelFormat format);

  /// The pixels of this stripe come next. At most wire::kStripePixelsMax, and at most one frame.
  void begin(const wire::StripeHeader& header);
  /// Room for the next bytes. Empty: the stripe is complete, or no stripe has begun.
  [[nodiscard]] std::span<std::uint8_t> room();
  void advance(std::size_t bytes) { bytes_there_ += bytes; }
  [[nodiscard]] bool is_whole() const {
    return header_.pixels > 0 && bytes_there_ == header_.pixel_bytes();
  }

  [[nodiscard]] const wire::StripeHeader& header() const { return header_; }
  /// The pixels as received; they may be decrypted in place. Only for a complete stripe.
  [[nodiscard]] std::span<std::uint8_t> pixels() {
    return std::span(pixels_).first(header_.pixel_bytes());
  }
  /// Forgets the stripe, so that the next one may begin.
  void end() { header_ = {}; }

 private:
  std::vector<std::uint8_t> pixels_;
  wire::StripeHeader header_;  // 0 pixels: no stripe has begun
  std::size_t bytes_there_ = 0;
};

}  // namespace submix::stream
