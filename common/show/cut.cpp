// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/cut.hpp"

namespace submix::show {

std::string cut(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return std::string(text);
  const auto is_inside_a_letter = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  while (bytes_max > 0 && is_inside_a_letter(bytes_max))
    --bytes_max;
  return std::string(text.substr(0, bytes_max)) + "…";
}

}  // namespace submix::show
