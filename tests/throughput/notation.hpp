// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/wire/message.hpp"

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Rates, sizes and changes as people write them on the command line. Pure functions.
namespace submix::throughput {

struct BitRate {
  std::uint64_t bits_per_second = 0;

  friend auto operator<=>(const BitRate&, const BitRate&) = default;
};

/// "1gbit", "2.5gbit", "500mbit": 1 Mbit/s to 100 Gbit/s.
[[nodiscard]] Result<BitRate> parse_bit_rate(std::string_view text);
[[nodiscard]] std::string to_text(BitRate rate);
/// "1gbit + 500mbit".
[[nodiscard]] std::string to_text(const std::vector<BitRate>& shape);
/// "1gbit,500mbit": a rate for each link, 1 to 8 links.
[[nodiscard]] Result<std::vector<BitRate>> parse_shape(std::string_view text);

/// "0ms,5ms,20ms": the delay of each link in one direction, at most 200 ms.
[[nodiscard]] Result<std::vector<std::chrono::microseconds>> parse_delays(std::string_view text);

struct NamedSize {
  std::string_view name;
  Size size;
};
[[nodiscard]] std::span<const NamedSize> named_sizes();

/// "1024x768", or xga, 720p, 1080p, 2160p.
[[nodiscard]] Result<Size> parse_size(std::string_view text);
/// "30", "59.94", "30000/1001". "max" is empty.
[[nodiscard]] Result<std::optional<FrameRate>> parse_frame_rate(std::string_view text);

/// "rgba", "rgb24".
[[nodiscard]] Result<media::PixelFormat> parse_pixel_format(std::string_view text);
[[nodiscard]] std::string_view to_text(media::PixelFormat format);

/// A link whose rate cycles through these values, each for `period`.
struct Variation {
  std::size_t link = 0;  ///< the first link is 0
  std::vector<BitRate> rates;
  std::chrono::milliseconds period{0};

  friend bool operator==(const Variation&, const Variation&) = default;
};

/// "1:1gbit,100mbit@2s": two rates or more, 10 ms to an hour.
[[nodiscard]] Result<Variation> parse_variation(std::string_view text);

}  // namespace submix::throughput
