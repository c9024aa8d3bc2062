// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/frame_mark.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace submix::throughput {
namespace {

// as in the protocol: stripes begin and end at multiples of it
constexpr std::size_t kCellPixels = 1024;
constexpr std::size_t kMarkPixels = 6;
constexpr std::size_t kMarkBytes = kMarkPixels * 3;  // index (8), stream (2), hash (8)
constexpr std::size_t kTurns = 4;

using MarkBytes = std::array<std::uint8_t, kMarkBytes>;

// The finalizer of SplitMix64: each input bit changes half of the output bits.
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31U);
}

std::uint64_t hash_of(const FrameMark& mark, std::size_t cell) {
  return mix(mix(mark.index + 0x9e3779b97f4a7c15ULL) ^ (std::uint64_t{mark.stream} << 32U) ^ cell);
}

MarkBytes encoded(const FrameMark& mark, std::size_t cell) {
  MarkBytes bytes{};
  const auto stream = static_cast<std::uint16_t>(mark.stream);
  const auto hash = hash_of(mark, cell);
  std::memcpy(bytes.data(), &mark.index, 8);
  std::memcpy(bytes.data() + 8, &stream, 2);
  std::memcpy(bytes.data() + 10, &hash, 8);
  return bytes;
}

FrameMark decoded(const MarkBytes& bytes) {
  std::uint16_t stream = 0;
  FrameMark mark;
  std::memcpy(&mark.index, bytes.data(), 8);
  std::memcpy(&stream, bytes.data() + 8, 2);
  mark.stream = stream;
  return mark;
}

/// The positions of the marks of one frame.
class MarkPositions {
 public:
  MarkPositions(std::size_t pixels, std::uint64_t index) : pixels_(pixels), index_(index) {}

  [[nodiscard]] std::size_t first_turn() const {
    return index_ % kTurns == 0 ? kTurns : index_ % kTurns;
  }
  [[nodiscard]] std::size_t cells() const { return (pixels_ + kCellPixels - 1) / kCellPixels; }
  /// The first pixel of the cell's mark. Empty: the last cell is too small.
  [[nodiscard]] std::optional<std::size_t> pixel(std::size_t cell) const {
    const auto begin = cell * kCellPixels;
    const auto cell_pixels = std::min(kCellPixels, pixels_ - begin);
    if (cell_pixels < kMarkPixels) return std::nullopt;
    if (cell == 0) return 0;  // must be found before the index is known
    return begin + (index_ / kTurns * kMarkPixels) % (cell_pixels - kMarkPixels + 1);
  }

 private:
  std::size_t pixels_;
  std::uint64_t index_;
};

void put(PixelRange<std::uint8_t> pixels, std::size_t first, const MarkBytes& bytes) {
  auto* to = pixels.bytes.data() + first * pixels.bytes_per_pixel;
  for (std::size_t i = 0; i < kMarkPixels; ++i, to += pixels.bytes_per_pixel)
    std::memcpy(to, bytes.data() + i * 3, 3);
}

MarkBytes get(PixelRange<const std::uint8_t> pixels, std::size_t first) {
  MarkBytes bytes{};
  const auto* from = pixels.bytes.data() + first * pixels.bytes_per_pixel;
  for (std::size_t i = 0; i < kMarkPixels; ++i, from += pixels.bytes_per_pixel)
    std::memcpy(bytes.data() + i * 3, from, 3);
  return bytes;
}

}  // namespace

void write_marks(PixelRange<std::uint8_t> pixels, const FrameMark& mark) {
  const MarkPositions positions(pixels.bytes.size() / pixels.bytes_per_pixel, mark.index);
  put(pixels, 0, encoded(mark, 0));
  for (auto cell = positions.first_turn(); cell < positions.cells(); cell += kTurns) {
    if (const auto pixel = positions.pixel(cell)) put(pixels, *pixel, encoded(mark, cell));
  }
}

MarkReading read_marks(PixelRange<const std::uint8_t> pixels) {
  const auto first = get(pixels, 0);
  const auto mark = decoded(first);
  if (first != encoded(mark, 0)) return {std::nullopt, 1};
  MarkReading reading{mark, 0};
  const MarkPositions positions(pixels.bytes.size() / pixels.bytes_per_pixel, mark.index);
  for (auto cell = positions.first_turn(); cell < positions.cells(); cell += kTurns) {
    const auto pixel = positions.pixel(cell);
    if (pixel && get(pixels, *pixel) != encoded(mark, cell)) ++reading.cells_wrong;
  }
  return reading;
}

}  // namespace submix::throughput
