// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/picture.hpp"

#include <array>
#include <cstddef>

namespace submix::simulation {
namespace {

// A triangle wave: up to 255 and down again.
constexpr unsigned triangle(unsigned phase) {
  const unsigned place = phase & 0x1ffU;
  return place < 256 ? place : 511 - place;
}

}  // namespace

std::string paint(Size size, std::uint64_t frame, std::uint64_t number) {
  const auto width = static_cast<unsigned>(size.width);
  const auto height = static_cast<unsigned>(size.height);
  const auto slope = static_cast<unsigned>(number % 5) + 1;
  const auto shift = static_cast<unsigned>(frame * 8);
  const std::array<unsigned, 3> strength{static_cast<unsigned>(number >> 8U & 0x7fU) + 128,
                                         static_cast<unsigned>(number >> 16U & 0x7fU) + 96,
                                         static_cast<unsigned>(number >> 24U & 0x7fU) + 64};
  std::string rgb(size.pixels() * 3, '\0');
  std::size_t at = 0;
  for (unsigned y = 0; y < height; ++y) {
    const unsigned light = 64 + y * 191 / height;
    for (unsigned x = 0; x < width; ++x) {
      const unsigned band = triangle(x * 512 / width * slope + y + shift);
      for (const unsigned part : strength)
        rgb[at++] = static_cast<char>(static_cast<unsigned char>(band * part / 256 * light / 256));
    }
  }
  return rgb;
}

}  // namespace submix::simulation
