// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace submix {

/// Width and height of a picture in pixels. Immutable by convention.
struct Size {
  int width = 0;
  int height = 0;

  friend bool operator==(const Size&, const Size&) = default;
  [[nodiscard]] constexpr std::size_t pixels() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
};

/// Limits of a frame's size, for shows, the wire protocol and plugins alike.
inline constexpr Size kSmallestSize{16, 16};
inline constexpr Size kLargestSize{8192, 8192};

[[nodiscard]] constexpr bool is_allowed(Size size) {
  return size.width >= kSmallestSize.width && size.height >= kSmallestSize.height &&
         size.width <= kLargestSize.width && size.height <= kLargestSize.height;
}

/// The order of bytes in memory and on the wire, 8 bits a channel. The wire has the same values.
enum class PixelFormat : std::uint8_t {
  rgb24 = 0,  ///< R, G, B
  rgba = 1,   ///< R, G, B, A; alpha is not premultiplied
};

[[nodiscard]] constexpr std::size_t bytes_per_pixel(PixelFormat format) {
  return format == PixelFormat::rgba ? 4 : 3;
}

/// Position of a frame in its epoch: 0, 1, 2, …
struct FrameIndex {
  std::uint64_t value = 0;

  friend auto operator<=>(const FrameIndex&, const FrameIndex&) = default;
  [[nodiscard]] constexpr FrameIndex next() const { return {value + 1}; }
};

/// Frames per second as a fraction, e.g. {30000, 1001}; never rounded to whole milliseconds.
struct FrameRate {
  std::uint32_t numerator = 30;
  std::uint32_t denominator = 1;

  friend bool operator==(const FrameRate&, const FrameRate&) = default;

  /// Time from frame 0 to frame `index`, exact to a nanosecond for any index below 2^32.
  [[nodiscard]] constexpr std::chrono::nanoseconds time_of(FrameIndex index) const {
    const auto whole_seconds = index.value * denominator / numerator;
    const auto rest = index.value * denominator % numerator;
    return std::chrono::seconds(whole_seconds) +
           std::chrono::nanoseconds(rest * 1'000'000'000ULL / numerator);
  }
  /// The last frame that begins at `time` or before it. The inverse of time_of(); a time before
  /// frame 0 gives frame 0.
  [[nodiscard]] constexpr FrameIndex index_at(std::chrono::nanoseconds time) const {
    constexpr std::uint64_t kNanoseconds = 1'000'000'000;
    const auto total = time.count() < 0 ? 0 : static_cast<std::uint64_t>(time.count());
    const auto terms = total / kNanoseconds * numerator;
    const auto rest = terms % denominator * kNanoseconds + total % kNanoseconds * numerator;
    // time_of() rounds down to a nanosecond.
    const FrameIndex found{terms / denominator + rest / (denominator * kNanoseconds)};
    return time_of(found.next()).count() <= time.count() ? found.next() : found;
  }
  [[nodiscard]] constexpr double frames_per_second() const {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
  }
};

}  // namespace submix
