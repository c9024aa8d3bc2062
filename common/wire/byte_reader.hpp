// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/plain_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace submix::wire {

/// Reads little-endian fields in order. Errors are sticky: after a read past the end, or a bad
/// text, has_failed() is true. Fields beyond the end read as 0.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint8_t u8() { return static_cast<std::uint8_t>(little_endian(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(little_endian(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(little_endian(4)); }
  std::uint64_t u64() { return little_endian(8); }
  /// A length of one or two bytes, then the text. A text longer than `bytes_max`, or not one plain
  /// line, is a failure, because texts of peers end up in logs and terminals.
  std::string text8(std::size_t bytes_max) { return text(u8(), bytes_max); }
  std::string text16(std::size_t bytes_max) { return text(u16(), bytes_max); }
  template <typename Array>
  Array array() {
    Array value{};
    const auto from = take(value.size());
    std::copy(from.begin(), from.end(), value.begin());
    return value;
  }

  /// The next `count` bytes. Valid as long as the message.
  std::span<const std::uint8_t> bytes(std::size_t count) { return take(count); }

  [[nodiscard]] bool has_failed() const { return has_failed_; }
  /// Whether all reads succeeded and no bytes are left.
  [[nodiscard]] bool is_complete() const { return !has_failed_ && bytes_.empty(); }

 private:
  std::span<const std::uint8_t> take(std::size_t count) {
    if (has_failed_ || bytes_.size() < count) {
      has_failed_ = true;
      return {};
    }
    const auto taken = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return taken;
  }
  std::uint64_t little_endian(std::size_t count) {
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (const auto byte : take(count)) {
      value |= std::uint64_t{byte} << shift;
      shift += 8;
    }
    return value;
  }
  std::string text(std::size_t count, std::size_t bytes_max) {
    if (count > bytes_max) has_failed_ = true;
    const auto from = take(count);
    std::string text(from.begin(), from.end());
    if (!is_one_plain_line(text)) has_failed_ = true;
    return has_failed_ ? std::string() : text;
  }

  std::span<const std::uint8_t> bytes_;
  bool has_failed_ = false;
};

}  // namespace submix::wire
