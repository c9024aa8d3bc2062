// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/assert.hpp"
#include "common/base/plain_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace submix::wire {

/// Writes little-endian fields in order. Too little room is a bug, because all messages are
/// bounded.
class ByteWriter {
 public:
  explicit ByteWriter(std::span<std::uint8_t> room) : room_(room) {}

  void u8(std::uint8_t value) { little_endian(value, 1); }
  void u16(std::uint16_t value) { little_endian(value, 2); }
  void u32(std::uint32_t value) { little_endian(value, 4); }
  void u64(std::uint64_t value) { little_endian(value, 8); }
  /// A length of one or two bytes, then the text: made one plain line and cut at `bytes_max`.
  void text8(std::string_view text, std::size_t bytes_max) {
    const auto plain = fit(text, bytes_max);
    u8(static_cast<std::uint8_t>(plain.size()));
    bytes({reinterpret_cast<const std::uint8_t*>(plain.data()), plain.size()});
  }
  void text16(std::string_view text, std::size_t bytes_max) {
    const auto plain = fit(text, bytes_max);
    u16(static_cast<std::uint16_t>(plain.size()));
    bytes({reinterpret_cast<const std::uint8_t*>(plain.data()), plain.size()});
  }
  void bytes(std::span<const std::uint8_t> from) {
    std::copy(from.begin(), from.end(), advance(from.size()).begin());
  }

  [[nodiscard]] std::size_t size() const { return written_; }

 private:
  static std::string fit(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max && is_one_plain_line(text)) return std::string(text);
    constexpr std::size_t kEllipsisBytes = 3;
    return plain_text(one_line(text), bytes_max - kEllipsisBytes);
  }
  std::span<std::uint8_t> advance(std::size_t count) {
    SUBMIX_ASSERT(count <= room_.size() - written_);
    const auto place = room_.subspan(written_, count);
    written_ += count;
    return place;
  }
  void little_endian(std::uint64_t value, std::size_t count) {
    for (auto& byte : advance(count)) {
      byte = static_cast<std::uint8_t>(value);
      value >>= 8;
    }
  }

  std::span<std::uint8_t> room_;
  std::size_t written_ = 0;
};

}  // namespace submix::wire
