// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <cstddef>
#include <cstdint>

namespace submix::media {

/// Pages for frames, all present from the beginning, in huge pages as far as the kernel grants
/// them.
///
/// Shape    Begins at a huge page's boundary if the memory is large enough; a rest smaller than a
///          huge page has ordinary pages.
/// Threads  Immutable; the bytes belong to the owner of the frames in them.
/// Cost     Maps and touches everything at once, so that nothing is faulted in later.
/// Errors   The system has no such memory left.
class MappedMemory {
 public:
  static constexpr std::size_t kHugePageBytes = 2U << 20U;

  /// Private memory, all zero.
  [[nodiscard]] static Result<MappedMemory> own(std::size_t bytes);
  /// A memfd's memory, for writing. This call creates its pages.
  [[nodiscard]] static Result<MappedMemory> writable(int descriptor, std::size_t bytes);
  /// A memfd's memory, for reading only.
  [[nodiscard]] static Result<MappedMemory> readable(int descriptor, std::size_t bytes);
  MappedMemory(MappedMemory&& other) noexcept;
  MappedMemory& operator=(MappedMemory&& other) = delete;
  ~MappedMemory();

  /// Joins the present pages of a memfd to huge pages, where the kernel can (since Linux 6.1). One
  /// page may take some milliseconds, in which the kernel lets no other thread run on this core, so
  /// this is only for pictures that fill huge pages.
  void join_pages() const;

  [[nodiscard]] std::uint8_t* data() const { return data_; }
  [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }

 private:
  enum class Access { read, write };

  MappedMemory(std::uint8_t* data, std::size_t bytes) : data_(data), size_bytes_(bytes) {}
  [[nodiscard]] static Result<MappedMemory> map(int descriptor, std::size_t bytes, Access access);
  void ask_for_huge_pages() const;
  [[nodiscard]] Result<void> touch(int descriptor, Access access) const;

  std::uint8_t* data_;
  std::size_t size_bytes_;
};

}  // namespace submix::media
