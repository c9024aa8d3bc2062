// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/wire/message.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace submix::stream {

/// One link's stripe until all of it has come and its checksum has been looked at. Until then its pixels
/// touch no frame: another link may have brought the same ones already, or may be about to, and those are
/// right.
///
/// Shape    Room for the largest stripe of a frame, at most 1,044,480 bytes.
/// Threads  Compatible.
/// Cost     The constructor allocates and touches everything, nothing else does.
class CheckedStripe {
 public:
  explicit CheckedStripe(Size size);

  /// Its pixels come next. No larger than wire::kStripePixelsMax and the frame.
  void begin(const wire::StripeHeader& header);
  /// Where the next bytes go; empty: all are there, or none is due.
  [[nodiscard]] std::span<std::uint8_t> room();
  void advance(std::size_t bytes) { bytes_there_ += bytes; }
  [[nodiscard]] bool is_whole() const { return header_.pixels > 0 && bytes_there_ == bytes(); }

  [[nodiscard]] const wire::StripeHeader& header() const { return header_; }
  /// As they came; only of a whole one.
  [[nodiscard]] std::span<const std::uint8_t> pixels() const {
    return std::span(pixels_).first(bytes());
  }
  /// It has been dealt with.
  void end() { header_ = {}; }

 private:
  [[nodiscard]] std::size_t bytes() const;

  std::vector<std::uint8_t> pixels_;
  wire::StripeHeader header_;  // of 0 pixels: none is due
  std::size_t bytes_there_ = 0;
};

}  // namespace submix::stream
