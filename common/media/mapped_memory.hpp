// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <cstddef>
#include <cstdint>

namespace submix::media {

/// Whether memory has its pages from the beginning, or each page when it is first touched.
enum class Pages { now, later };

/// Memory for frames, in huge pages as far as the kernel grants them.
///
/// Shape    Begins at a huge page's boundary if the memory is large enough; a rest smaller than a
///          huge page has ordinary pages.
/// Threads  Immutable; the bytes belong to the owner of the frames in them.
/// Cost     With Pages::now, maps and touches everything at once, so that nothing is faulted in
///          later. With Pages::later, it takes address space only.
/// Errors   The system has no such memory left.
class MappedMemory {
 public:
  static constexpr std::size_t kHugePageBytes = 2U << 20U;

  /// Private memory, all zero.
  [[nodiscard]] static Result<MappedMemory> own(std::size_t bytes, Pages pages = Pages::now);
  /// A memfd's memory, for writing.
  [[nodiscard]] static Result<MappedMemory> writable(int descriptor, std::size_t bytes,
                                                     Pages pages = Pages::now);
  /// A memfd's memory, for reading only. Its pages are mapped as they are read.
  [[nodiscard]] static Result<MappedMemory> readable(int descriptor, std::size_t bytes);
  MappedMemory(MappedMemory&& other) noexcept;
  MappedMemory& operator=(MappedMemory&& other) = delete;
  ~MappedMemory();

  /// Creates the pages of a part that the caller owns. Whatever is written there stays.
  ///
  /// Errors   No memory is left. The part has pages as far as there was memory.
  [[nodiscard]] Result<void> touch(std::size_t offset_bytes, std::size_t bytes) const;
  /// Joins the present pages of a memfd's first `bytes` to huge pages, where the kernel can (since
  /// Linux 6.1). Only for pictures that fill huge pages: a page may take some milliseconds, in
  /// which the kernel lets no other thread run on this core.
  void join_pages(std::size_t bytes) const;

  /// Creates a memfd's first `bytes` as huge pages, as far as the kernel can (since Linux 6.1).
  /// Made at once they take a tenth of the time of small pages that are joined later. touch()
  /// creates what is left.
  void create_huge_pages(std::size_t bytes) const;

  [[nodiscard]] std::uint8_t* data() const { return data_; }
  [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }

 private:
  enum class Access { read, write };

  MappedMemory(std::uint8_t* data, std::size_t bytes) : data_(data), size_bytes_(bytes) {}
  [[nodiscard]] static Result<MappedMemory> map(int descriptor, std::size_t bytes, Access access,
                                                Pages pages);
  void ask_for_huge_pages() const;

  std::uint8_t* data_;
  std::size_t size_bytes_;
};

}  // namespace submix::media
