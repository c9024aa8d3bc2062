// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/built_ins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::plugin {
namespace {

// Positions within the input are in 1/65536 of a pixel, so all computers make the same bytes.
constexpr int kPlaceBits = 16;
constexpr std::int64_t kPixel = std::int64_t{1} << kPlaceBits;
constexpr std::uint64_t kWholeArea =
    std::uint64_t{256} * 256;     // the weights of four pixels, added up
constexpr unsigned kWhole = 256;  // a weight, or an opacity, of 1

struct Settings {
  double x = 0;  ///< of the picture's middle, in widths of the frame
  double y = 0;
  double scale = 1;
  double rotation = 0;  ///< degrees, clockwise
  double left = 0;      ///< cut off, a part of the width; so are the next three
  double right = 0;
  double top = 0;
  double bottom = 0;
  double opacity = 1;
  bool is_mirrored = false;

  friend bool operator==(const Settings&, const Settings&) = default;
};

constexpr std::array<std::pair<std::string_view, double Settings::*>, 9> kNumbers{{
    {"x", &Settings::x},
    {"y", &Settings::y},
    {"scale", &Settings::scale},
    {"rotation", &Settings::rotation},
    {"crop_left", &Settings::left},
    {"crop_right", &Settings::right},
    {"crop_top", &Settings::top},
    {"crop_bottom", &Settings::bottom},
    {"opacity", &Settings::opacity},
}};

/// The pixels of the input that are not cut off.
struct Crop {
  int left = 0;
  int top = 0;
  int right = 0;  ///< beyond the last
  int bottom = 0;

  [[nodiscard]] bool has(std::int64_t x, std::int64_t y) const {
    return x >= left && x < right && y >= top && y < bottom;
  }
};

Crop crop_of(const Settings& settings, Size size) {
  const auto pixels = [](double part, int all) {
    return static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * all));
  };
  return {pixels(settings.left, size.width), pixels(settings.top, size.height),
          size.width - pixels(settings.right, size.width),
          size.height - pixels(settings.bottom, size.height)};
}

/// Where a pixel of the output comes from: a straight line through the input for each row.
struct Mapping {
  double begin_x = 0;  ///< of the output's first pixel
  double begin_y = 0;
  double across_x = 1;  ///< a step to the right in the output
  double across_y = 0;
  double down_x = 0;  ///< a step down
  double down_y = 1;
};

Mapping mapping_of(const Settings& settings, Size size) {
  const double angle = settings.rotation * std::numbers::pi / 180;
  const double across = std::cos(angle) / settings.scale;
  const double down = std::sin(angle) / settings.scale;
  const double mirror = settings.is_mirrored ? -1 : 1;
  Mapping mapping{
      .across_x = across * mirror, .across_y = -down, .down_x = down * mirror, .down_y = across};
  const double middle_x = size.width / 2.0;
  const double middle_y = size.height / 2.0;
  const double from_x = 0.5 - middle_x - settings.x * size.width;
  const double from_y = 0.5 - middle_y - settings.y * size.height;
  // Half a pixel less, because a pixel's colour belongs to its middle.
  mapping.begin_x = middle_x + from_x * mapping.across_x + from_y * mapping.down_x - 0.5;
  mapping.begin_y = middle_y + from_x * mapping.across_y + from_y * mapping.down_y - 0.5;
  return mapping;
}

/// One row's columns that may show the input, by where the line crosses its edges.
struct Columns {
  int begin = 0;
  int end = 0;
};

// `low` and `high`: the edges, with a pixel around them that is half seen.
void cut_columns(double from, double step, double low, double high, Columns& columns) {
  if (step == 0) {
    if (from < low || from > high) columns.end = columns.begin;
    return;
  }
  const double at_low = (low - from) / step;
  const double at_high = (high - from) / step;
  const auto column = [&](double wanted) {
    return static_cast<int>(std::clamp<double>(wanted, columns.begin, columns.end));
  };
  columns = {column(std::floor(std::min(at_low, at_high))),
             column(std::ceil(std::max(at_low, at_high)) + 1)};
}

using Texel = std::uint32_t;  // R,G,B,A in memory order

Texel load(std::span<const std::uint8_t> rgba, std::size_t pixel) {
  Texel texel = 0;
  std::memcpy(&texel, &rgba[pixel * 4], sizeof(texel));
  return texel;
}

// Two channels at a time.
Texel lerp(Texel a, Texel b, unsigned share) {
  constexpr Texel kEven = 0x00FF00FF;
  const Texel even = ((a & kEven) * (kWhole - share) + (b & kEven) * share) >> 8U;
  const Texel odd = ((a >> 8U) & kEven) * (kWhole - share) + ((b >> 8U) & kEven) * share;
  return (even & kEven) | (odd & ~kEven);
}

std::array<std::uint8_t, 4> channels_of(Texel texel) {
  std::array<std::uint8_t, 4> channels{};
  std::memcpy(channels.data(), &texel, sizeof(texel));
  return channels;
}

class Transform final : public Plugin {
 public:
  explicit Transform(const Setup& setup) : size_(setup.size) {
    for (const auto& [name, value] : setup.parameters)
      set(name, value);
  }

  std::optional<media::Frame> process(Work& work) override {
    if (settings_ == Settings()) return work.inputs[0];
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    draw(work.inputs[0].rgba(), output->rgba());
    return std::move(*output).publish();
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    if (parameter == "mirror") settings_.is_mirrored = std::get<bool>(value);
    const auto* number =
        std::ranges::find(kNumbers, parameter, &decltype(kNumbers)::value_type::first);
    if (number != kNumbers.end()) settings_.*(number->second) = std::get<double>(value);
  }

 private:
  void draw(std::span<const std::uint8_t> input, std::span<std::uint8_t> output) {
    std::ranges::fill(output, std::uint8_t{0});
    const auto mapping = mapping_of(settings_, size_);
    crop_ = crop_of(settings_, size_);
    opacity_ = static_cast<unsigned>(std::lround(settings_.opacity * double{kWhole}));
    const auto row_bytes = static_cast<std::size_t>(size_.width) * 4;
    for (int y = 0; y < size_.height; ++y)
      draw_row(mapping, y, input,
               output.subspan(static_cast<std::size_t>(y) * row_bytes, row_bytes));
  }

  void draw_row(const Mapping& mapping, int y, std::span<const std::uint8_t> input,
                std::span<std::uint8_t> row) const {
    const double from_x = mapping.begin_x + y * mapping.down_x;
    const double from_y = mapping.begin_y + y * mapping.down_y;
    Columns columns{0, size_.width};
    cut_columns(from_x, mapping.across_x, crop_.left - 1, crop_.right, columns);
    cut_columns(from_y, mapping.across_y, crop_.top - 1, crop_.bottom, columns);
    const auto place = [](double pixels) { return std::llround(pixels * double{kPixel}); };
    const auto step_x = place(mapping.across_x);
    const auto step_y = place(mapping.across_y);
    auto at_x = place(from_x + columns.begin * mapping.across_x);
    auto at_y = place(from_y + columns.begin * mapping.across_y);
    for (int x = columns.begin; x < columns.end; ++x, at_x += step_x, at_y += step_y) {
      const auto texel = sample(input, at_x, at_y);
      std::memcpy(&row[static_cast<std::size_t>(x) * 4], &texel, sizeof(texel));
    }
  }

  // Between the four pixels around the place.
  [[nodiscard]] Texel sample(std::span<const std::uint8_t> input, std::int64_t at_x,
                             std::int64_t at_y) const {
    const auto x = at_x >> kPlaceBits;
    const auto y = at_y >> kPlaceBits;
    const auto share_x = static_cast<unsigned>(at_x >> (kPlaceBits - 8)) % kWhole;
    const auto share_y = static_cast<unsigned>(at_y >> (kPlaceBits - 8)) % kWhole;
    const auto texel = [&](std::int64_t column, std::int64_t row) {
      return crop_.has(column, row)
                 ? load(input, static_cast<std::size_t>(row * size_.width + column))
                 : Texel{0};
    };
    const std::array<Texel, 4> around{texel(x, y), texel(x + 1, y), texel(x, y + 1),
                                      texel(x + 1, y + 1)};
    const bool is_opaque = (around[0] & around[1] & around[2] & around[3]) >> 24U == 255;
    const auto mixed = is_opaque ? lerp(lerp(around[0], around[1], share_x),
                                        lerp(around[2], around[3], share_x), share_y)
                                 : mix_by_alpha(around, share_x, share_y);
    return opacity_ == kWhole ? mixed : dim(mixed);
  }

  // A transparent pixel contributes no colour.
  static Texel mix_by_alpha(const std::array<Texel, 4>& around, unsigned share_x,
                            unsigned share_y) {
    const std::array<unsigned, 4> weights{(kWhole - share_x) * (kWhole - share_y),
                                          share_x * (kWhole - share_y),
                                          (kWhole - share_x) * share_y, share_x * share_y};
    std::array<std::uint64_t, 4> sums{};
    for (std::size_t i = 0; i < around.size(); ++i) {
      const auto channels = channels_of(around[i]);
      const std::uint64_t weight = std::uint64_t{weights[i]} * channels[3];
      for (std::size_t c = 0; c < 3; ++c)
        sums[c] += weight * channels[c];
      sums[3] += weight;
    }
    if (sums[3] == 0) return 0;
    std::array<std::uint8_t, 4> mixed{};
    for (std::size_t c = 0; c < 3; ++c)
      mixed[c] = static_cast<std::uint8_t>((sums[c] + sums[3] / 2) / sums[3]);
    mixed[3] = static_cast<std::uint8_t>((sums[3] + kWholeArea / 2) / kWholeArea);
    Texel texel = 0;
    std::memcpy(&texel, mixed.data(), sizeof(texel));
    return texel;
  }

  [[nodiscard]] Texel dim(Texel texel) const {
    return (texel & 0x00FFFFFFU) | (((texel >> 24U) * opacity_ / kWhole) << 24U);
  }

  const Size size_;
  Settings settings_;
  Crop crop_;
  unsigned opacity_ = kWhole;
};

ParameterDescription cut(std::string side) {
  return number_parameter(
      "crop_" + side, fmt::format("Cut off at the {}, as a part of the picture", side), 0, 0, 1);
}

}  // namespace

Description transform_description() {
  return {
      .id = "transform",
      .kind = Kind::filter,
      .explanation = "Moves, scales, turns and crops the picture; around it is transparency",
      .author = "Submix",
      .parameters = {number_parameter("x", "To the right, in widths of the frame", 0, -1.5, 1.5),
                     number_parameter("y", "Down, in heights of the frame", 0, -1.5, 1.5),
                     number_parameter("scale", "Of the size; 1 is as it was", 1, 0.02, 8),
                     number_parameter("rotation", "Clockwise, in degrees", 0, -180, 180),
                     cut("left"),
                     cut("right"),
                     cut("top"),
                     cut("bottom"),
                     number_parameter("opacity", "0 is transparent", 1, 0, 1),
                     {.name = "mirror",
                      .type = ParameterType::boolean,
                      .explanation = "Left and right exchanged",
                      .initial = false}},
      .memory = Memory::none};
}

Result<std::unique_ptr<Plugin>> make_transform(const Setup& setup) {
  return std::make_unique<Transform>(setup);
}

}  // namespace submix::plugin
