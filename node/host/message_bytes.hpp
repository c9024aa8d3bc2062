// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Writes and reads the bytes of messages between a node and its plugin hosts. Both ends have one
/// build and one machine, so numbers keep their layout in memory. A length stands before each text
/// and row. The index of its type in show::ParameterValue stands before each value. Both classes:
/// Compatible.
namespace submix::host {

class MessageWriter {
 public:
  template <typename T>
  void number(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(std::as_bytes(std::span(&value, 1)));
  }
  void text(std::string_view value);
  void value(const show::ParameterValue& value);
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  void append(std::span<const std::byte> bytes);

  std::vector<std::byte> bytes_;
};

/// Sticky: once a read fails, all later reads return nothing. Ask is_good() and is_at_end() at the
/// end.
class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <typename T>
  T number() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const auto bytes = take(sizeof(T));
    if (bytes.size() == sizeof(T)) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  std::string text();
  show::ParameterValue value();
  [[nodiscard]] bool is_at_end() const { return rest_.empty(); }
  [[nodiscard]] bool is_good() const { return is_good_; }
  void refuse() { is_good_ = false; }

 private:
  std::vector<double> row();
  std::span<const std::byte> take(std::size_t count);

  std::span<const std::byte> rest_;
  bool is_good_ = true;
};

}  // namespace submix::host
