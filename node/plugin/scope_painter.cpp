// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/scope_painter.hpp"

#include "common/base/assert.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace submix::plugin {
namespace {

constexpr unsigned kOpaque = 256;
constexpr std::size_t kPixelSize = 4;
constexpr std::size_t kParts = 3;

constexpr Color kBlack{0, 0, 0, 255};
constexpr Color kLine{48, 48, 48, 255};
constexpr Color kTarget{162, 169, 181, 255};
// Colours of a parade. Pure blue would be too dark.
constexpr std::array kParadeColors{Color{255, 72, 72}, Color{72, 255, 72}, Color{88, 120, 255}};

// From these sides on a vectorscope has room for its targets, and for their names.
constexpr int kTargetsSideMin = 64;
constexpr int kNamesSideMin = 160;

std::size_t index(int number) {
  return static_cast<std::size_t>(number);
}

Size waveform_grid(Size picture, Rectangle field) {
  return {std::min(field.width, media::scope_columns(picture)),
          std::min(field.height, media::kScopeLevels)};
}

Size parade_grid(Size picture, Rectangle field) {
  const int third = std::max(1, std::min(field.width / 3, media::scope_columns(picture)));
  return {3 * third, std::min(field.height, media::kScopeLevels)};
}

Rectangle square_in(Rectangle place) {
  const int side = std::min(place.width, place.height);
  return {place.x + (place.width - side) / 2, place.y + (place.height - side) / 2, side, side};
}

// Of 255, to the nearest, without a division.
std::uint8_t part_of(std::uint8_t number, std::uint8_t part) {
  const auto product = static_cast<std::uint16_t>(number * part + 128);
  return static_cast<std::uint8_t>((product + (product >> 8U)) >> 8U);
}

// How much of a picture is seen, of 255, through a trace on a black ground. The trace covers as
// much as it is bright.
std::uint8_t seen_through(Color trace, unsigned ground) {
  const unsigned bare = 255U - std::max({trace.red, trace.green, trace.blue});
  return static_cast<std::uint8_t>((bare * (kOpaque - ground) + kOpaque / 2) / kOpaque);
}

// Colours are weighted by alpha: transparent pixels contribute none.
void lay_over_transparency(std::span<const Color> traces, std::span<const Color> through,
                           std::span<std::uint8_t> picture) {
  for (std::size_t i = 0; i < traces.size(); ++i) {
    auto* pixel = &picture[i * kPixelSize];
    const unsigned shown = part_of(pixel[3], through[i].red);
    const unsigned alpha = 255U - through[i].red + shown;
    if (alpha == 0) continue;
    const std::array<unsigned, kParts> trace{traces[i].red, traces[i].green, traces[i].blue};
    for (std::size_t part = 0; part < kParts; ++part)
      pixel[part] = static_cast<std::uint8_t>((trace[part] * 255 + pixel[part] * shown) / alpha);
    pixel[3] = static_cast<std::uint8_t>(alpha);
  }
}

// The compiler vectorises this loop. The alpha of the trace is 255, and that of `through` is 0.
void lay_over_opaque(std::span<const std::uint8_t> traces, std::span<const std::uint8_t> through,
                     std::span<std::uint8_t> picture) {
  for (std::size_t i = 0; i < picture.size(); ++i)
    picture[i] = static_cast<std::uint8_t>(traces[i] + part_of(picture[i], through[i]));
}

bool is_opaque(std::span<const std::uint8_t> picture) {
  std::uint8_t all = 255;
  for (std::size_t i = 3; i < picture.size(); i += kPixelSize)
    all = static_cast<std::uint8_t>(all & picture[i]);
  return all == 255;
}

std::span<const std::uint8_t> bytes_of_colors(std::span<const Color> colors) {
  return {reinterpret_cast<const std::uint8_t*>(colors.data()), colors.size_bytes()};
}

void lay_over(std::span<const Color> traces, std::span<const Color> through,
              std::span<std::uint8_t> picture) {
  if (is_opaque(picture)) {
    lay_over_opaque(bytes_of_colors(traces), bytes_of_colors(through), picture);
  } else {
    lay_over_transparency(traces, through, picture);
  }
}

Color through_of(Color trace, unsigned ground) {
  const auto seen = seen_through(trace, ground);
  return {seen, seen, seen, 0};
}

void lay_line(DrawingSurface& surface, Rectangle line) {
  const Color through = through_of(kLine, 0);
  for (int y = line.y; y < line.y + line.height; ++y) {
    const auto pixels = surface.pixels(line.x, y, line.width);
    for (std::size_t at = 0; at < pixels.size(); at += kPixelSize)
      lay_over({&kLine, 1}, {&through, 1}, pixels.subspan(at, kPixelSize));
  }
}

int line_width(int side) {
  return std::max(1, side / 512);
}

void draw_frame(DrawingSurface& surface, Rectangle frame, int thick) {
  surface.fill({frame.x, frame.y, frame.width, thick}, kTarget);
  surface.fill({frame.x, frame.y + frame.height - thick, frame.width, thick}, kTarget);
  surface.fill({frame.x, frame.y, thick, frame.height}, kTarget);
  surface.fill({frame.x + frame.width - thick, frame.y, thick, frame.height}, kTarget);
}

}  // namespace

ScopePainter::ScopePainter(Size picture) : size_(picture) {
  const Rectangle all{0, 0, picture.width, picture.height};
  counts_.resize(
      std::max(waveform_grid(picture, all).pixels(), parade_grid(picture, all).pixels()));
  const auto side = index(std::min(square_in(all).width, media::kScopeLevels));
  marks_.resize(side * side * kParts);
  bars_.resize(index(picture.width));
  columns_.resize(index(picture.width));
  row_.resize(index(picture.width));
  through_.resize(index(picture.width));
}

void ScopePainter::measure(std::span<const std::uint8_t> rgba, Rectangle place,
                           const ScopeLook& look) {
  SUBMIX_ASSERT(place.x >= 0 && place.y >= 0 && place.width > 0 && place.height > 0);
  SUBMIX_ASSERT(place.x + place.width <= size_.width && place.y + place.height <= size_.height);
  kind_ = look.kind;
  opacity_ = static_cast<unsigned>(std::lround(std::clamp(look.opacity, 0.0, 1.0) * kOpaque));
  place_ = place;
  field_ = kind_ == ScopeKind::vectorscope ? square_in(place) : place;
  fill_brightness(look.brightness);
  const media::ScopeInput picture{size_, rgba, kPixelSize};
  switch (kind_) {
    case ScopeKind::waveform:
    case ScopeKind::parade:
      return measure_waveform(picture);
    case ScopeKind::vectorscope:
      return measure_vectorscope(picture);
    case ScopeKind::histogram:
      return measure_histogram(picture);
  }
}

void ScopePainter::fill_brightness(double factor) {
  for (std::size_t level = 0; level < brightened_.size(); ++level) {
    const double bright = std::clamp(static_cast<double>(level) * factor, 0.0, 255.0);
    brightened_[level] = static_cast<std::uint8_t>(std::lround(bright));
  }
}

void ScopePainter::measure_waveform(const media::ScopeInput& picture) {
  const bool is_parade = kind_ == ScopeKind::parade;
  grid_ = is_parade ? parade_grid(size_, field_) : waveform_grid(size_, field_);
  const auto counts = std::span(counts_).first(grid_.pixels());
  if (is_parade) {
    media::count_parade(picture, {grid_, counts});
  } else {
    media::count_waveform(picture, {grid_, counts});
  }
  trace_ = media::TraceBrightness(std::ranges::max(counts));
  for (std::size_t x = 0; x < index(field_.width); ++x)
    columns_[x] = x * index(grid_.width) / index(field_.width);
}

void ScopePainter::measure_vectorscope(const media::ScopeInput& picture) {
  const int side = std::min(field_.width, media::kScopeLevels);
  grid_ = {side, side};
  media::mark_vectorscope(picture, side, std::span(marks_).first(grid_.pixels() * kParts));
  for (std::size_t x = 0; x < index(field_.width); ++x)
    columns_[x] = x * index(side) / index(field_.width);
}

void ScopePainter::measure_histogram(const media::ScopeInput& picture) {
  const auto histogram = media::histogram_of(picture);
  const auto highest = histogram.highest();
  const auto width = index(field_.width);
  for (std::size_t x = 0; x < width; ++x) {
    // If several values share a column, the highest is shown.
    constexpr std::size_t kLevels = media::kScopeLevels;
    const auto first = x * kLevels / width;
    const auto last = std::max((x + 1) * kLevels / width, first + 1);
    for (std::size_t part = 0; part < kParts; ++part) {
      const auto values = std::span(histogram.counts[part]).subspan(first, last - first);
      bars_[x][part] = media::bar_height(std::ranges::max(values), highest, field_.height);
    }
  }
}

void ScopePainter::draw(DrawingSurface& surface) {
  SUBMIX_ASSERT(surface.size() == size_);
  draw_traces(surface);
  if (kind_ == ScopeKind::waveform || kind_ == ScopeKind::parade) draw_steps(surface);
  if (kind_ == ScopeKind::vectorscope) draw_targets(surface);
}

void ScopePainter::draw_traces(DrawingSurface& surface) {
  constexpr int kNoRow = -1;
  int filled = kNoRow - 1;
  for (int y = 0; y < place_.height; ++y) {
    const int in_field = place_.y + y - field_.y;
    const bool is_inside = in_field >= 0 && in_field < field_.height;
    const bool is_row_alone = kind_ == ScopeKind::histogram;
    const int wanted = !is_inside     ? kNoRow
                       : is_row_alone ? in_field
                                      : in_field * grid_.height / field_.height;
    if (wanted != filled) fill_row(filled = wanted);
    const auto pixels = surface.pixels(place_.x, place_.y + y, place_.width);
    const auto traces = std::span(row_).first(index(place_.width));
    if (opacity_ == kOpaque) {
      std::memcpy(pixels.data(), traces.data(), pixels.size());
    } else {
      lay_over(traces, std::span(through_).first(traces.size()), pixels);
    }
  }
}

// `row`: of the grid, or of a histogram's field; negative: none.
void ScopePainter::fill_row(int row) {
  const auto whole = std::span(row_).first(index(place_.width));
  std::ranges::fill(whole, kBlack);
  const auto field = whole.subspan(index(field_.x - place_.x), index(field_.width));
  if (row >= 0) fill_field(row, field);
  if (opacity_ == kOpaque) return;
  for (std::size_t x = 0; x < whole.size(); ++x)
    through_[x] = through_of(whole[x], opacity_);
}

void ScopePainter::fill_field(int row, std::span<Color> field) const {
  const auto begin = index(row) * index(grid_.width);
  switch (kind_) {
    case ScopeKind::waveform:
      return fill_waveform(begin, field);
    case ScopeKind::parade:
      return fill_parade(begin, field);
    case ScopeKind::vectorscope:
      return fill_vectorscope(begin, field);
    case ScopeKind::histogram:
      return fill_bars(field_.height - row, field);
  }
}

void ScopePainter::fill_waveform(std::size_t begin, std::span<Color> field) const {
  for (std::size_t x = 0; x < field.size(); ++x) {
    const auto bright = brightened_[trace_.of(counts_[begin + columns_[x]])];
    field[x] = {bright, bright, bright};
  }
}

void ScopePainter::fill_parade(std::size_t begin, std::span<Color> field) const {
  const auto third = index(grid_.width) / kParts;
  for (std::size_t x = 0; x < field.size(); ++x) {
    const auto column = columns_[x];
    const auto& color = kParadeColors[column < third ? 0 : column < 2 * third ? 1 : 2];
    const auto bright = brightened_[trace_.of(counts_[begin + column])];
    field[x] = {part_of(color.red, bright), part_of(color.green, bright),
                part_of(color.blue, bright)};
  }
}

void ScopePainter::fill_vectorscope(std::size_t begin, std::span<Color> field) const {
  for (std::size_t x = 0; x < field.size(); ++x) {
    const auto* mark = &marks_[(begin + columns_[x]) * kParts];
    field[x] = {brightened_[mark[0]], brightened_[mark[1]], brightened_[mark[2]]};
  }
}

// `height`: of the row, from the bottom; the lowest has 1.
void ScopePainter::fill_bars(int height, std::span<Color> field) const {
  const auto bright = brightened_[media::kBarBrightness];
  const auto part = [&](int bar) { return bar >= height ? bright : std::uint8_t{0}; };
  for (std::size_t x = 0; x < field.size(); ++x)
    field[x] = {part(bars_[x][0]), part(bars_[x][1]), part(bars_[x][2])};
}

// Lines of black, white, and three steps between them.
void ScopePainter::draw_steps(DrawingSurface& surface) const {
  const int thick = line_width(field_.height);
  for (int step = 0; step <= 4; ++step) {
    const int y = field_.y + (field_.height - thick) * step / 4;
    lay_line(surface, {field_.x, y, field_.width, thick});
  }
}

void ScopePainter::draw_targets(DrawingSurface& surface) const {
  const int side = field_.width;
  const int thick = line_width(side);
  lay_line(surface, {field_.x, field_.y + (side - thick) / 2, side, thick});
  lay_line(surface, {field_.x + (side - thick) / 2, field_.y, thick, side});
  if (side < kTargetsSideMin) return;
  const int half = std::max(2, side / 60);
  for (const auto& [name, rgb] : media::kColorTargets) {
    const auto [part_x, part_y] = media::place_in_vectorscope(rgb);
    const auto place = [side](float part) {
      return static_cast<int>(std::lround(part * static_cast<float>(side - 1)));
    };
    const int x = field_.x + place(part_x);
    const int y = field_.y + place(part_y);
    draw_frame(surface, {x - half, y - half, 2 * half + 1, 2 * half + 1}, thick);
    if (side < kNamesSideMin) continue;
    const int scale = std::max(1, side / 320);
    draw_text(surface, x + half + 2 * scale, y - half, scale, name, kTarget);
  }
}

}  // namespace submix::plugin
