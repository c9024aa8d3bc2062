// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/wire/byte_reader.hpp"
#include "common/wire/byte_writer.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

/// The two archives of fields.hpp: one writes the fields that it is given, the other reads them.
namespace submix::wire {

/// The bytes of a number on the wire: as wide as its type.
template <typename T>
concept WireNumber = std::is_unsigned_v<T> || std::is_enum_v<T>;

/// Writes fields. Too little room is a bug, see ByteWriter.
///
/// Threads  Compatible.
/// Cost     No allocation, except for a text that must be cut or made plain.
class FieldWriter {
 public:
  template <typename T>
  using Of = const T;

  explicit FieldWriter(ByteWriter& bytes) : bytes_(bytes) {}

  template <WireNumber T>
  void number(T value) {
    const auto wide = static_cast<std::uint64_t>(value);
    if constexpr (sizeof(T) == 1) bytes_.u8(static_cast<std::uint8_t>(wide));
    if constexpr (sizeof(T) == 2) bytes_.u16(static_cast<std::uint16_t>(wide));
    if constexpr (sizeof(T) == 4) bytes_.u32(static_cast<std::uint32_t>(wide));
    if constexpr (sizeof(T) == 8) bytes_.u64(wide);
  }
  void number(FrameIndex value) { bytes_.u64(value.value); }
  void number(std::chrono::nanoseconds value) {
    bytes_.u64(static_cast<std::uint64_t>(value.count()));
  }
  /// A width or height, 4 bytes.
  void dimension(int value) { bytes_.u32(static_cast<std::uint32_t>(value)); }
  void text8(const std::string& text, std::size_t bytes_max) { bytes_.text8(text, bytes_max); }
  void text16(const std::string& text, std::size_t bytes_max) { bytes_.text16(text, bytes_max); }
  template <std::size_t kSize>
  void bytes(const std::array<std::uint8_t, kSize>& value) {
    bytes_.bytes(value);
  }
  /// Zeros that get a meaning only with a new protocol number.
  template <WireNumber T>
  void reserved() {
    number(T{0});
  }

 private:
  ByteWriter& bytes_;
};

/// Reads fields into a message. Errors are sticky, see ByteReader: ask is_complete() at the end.
///
/// Threads  Compatible.
/// Cost     No allocation, except for a long text.
class FieldReader {
 public:
  template <typename T>
  using Of = T;

  explicit FieldReader(ByteReader bytes) : bytes_(bytes) {}

  template <WireNumber T>
  void number(T& value) {
    if constexpr (sizeof(T) == 1) value = static_cast<T>(bytes_.u8());
    if constexpr (sizeof(T) == 2) value = static_cast<T>(bytes_.u16());
    if constexpr (sizeof(T) == 4) value = static_cast<T>(bytes_.u32());
    if constexpr (sizeof(T) == 8) value = static_cast<T>(bytes_.u64());
  }
  void number(FrameIndex& value) { value.value = bytes_.u64(); }
  void number(std::chrono::nanoseconds& value) {
    value = std::chrono::nanoseconds(static_cast<std::int64_t>(bytes_.u64()));
  }
  /// A width or height. Values that do not fit become -1, which no limit allows.
  void dimension(int& value) {
    const auto read = bytes_.u32();
    value = read > 0x7fffffff ? -1 : static_cast<int>(read);
  }
  void text8(std::string& text, std::size_t bytes_max) { text = bytes_.text8(bytes_max); }
  void text16(std::string& text, std::size_t bytes_max) { text = bytes_.text16(bytes_max); }
  template <std::size_t kSize>
  void bytes(std::array<std::uint8_t, kSize>& value) {
    value = bytes_.array<std::array<std::uint8_t, kSize>>();
  }
  template <WireNumber T>
  void reserved() {
    T value{};
    number(value);
    has_reserved_bits_ = has_reserved_bits_ || value != T{0};
  }
  /// Skips the 16 bytes of a seal: Seal::check() has compared them.
  void skip_seal() {
    bytes_.u64();
    bytes_.u64();
  }

  /// Whether a read went past the end, or a text was bad.
  [[nodiscard]] bool has_failed() const { return bytes_.has_failed(); }
  /// Whether all reads succeeded, no bytes are left and all reserved bytes are 0.
  [[nodiscard]] bool is_complete() const { return bytes_.is_complete() && !has_reserved_bits_; }

 private:
  ByteReader bytes_;
  bool has_reserved_bits_ = false;
};

}  // namespace submix::wire
