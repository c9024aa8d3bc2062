// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"
#include "common/media/mapped_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace submix::media {

/// The page size. A picture that begins and ends on a page boundary can be mapped by itself.
inline constexpr std::size_t kPageBytes = 4096;

/// `bytes`, rounded up to whole pages.
[[nodiscard]] constexpr std::size_t whole_pages(std::size_t bytes) {
  return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

/// Memory that two processes can map: a memfd, sealed so that its size is fixed. No process can
/// make another process fault in it.
///
/// Threads  Immutable; the bytes belong to the owner of the frames in them.
class SharedMemory : public std::enable_shared_from_this<SharedMemory> {
 public:
  /// New memory, for writing.
  ///
  /// Errors   The system has no such memory left.
  [[nodiscard]] static Result<std::shared_ptr<SharedMemory>> create(std::size_t bytes,
                                                                    Pages pages = Pages::now);
  /// Another process's memory, for reading.
  ///
  /// Errors   It is not sealed, or not `bytes` long.
  [[nodiscard]] static Result<std::shared_ptr<SharedMemory>> adopt(Descriptor descriptor,
                                                                   std::size_t bytes);
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// A read-only descriptor for another process: it cannot be mapped for writing.
  [[nodiscard]] Result<Descriptor> open_for_reading() const;

  [[nodiscard]] int descriptor() const { return descriptor_.get(); }
  /// Adopted memory may only be read.
  [[nodiscard]] std::uint8_t* data() const { return mapped_.data(); }
  [[nodiscard]] std::size_t size_bytes() const { return mapped_.size_bytes(); }
  /// See MappedMemory::touch().
  [[nodiscard]] Result<void> touch(std::size_t offset_bytes, std::size_t bytes) const {
    return mapped_.touch(offset_bytes, bytes);
  }
  /// See MappedMemory::create_huge_pages().
  void create_huge_pages(std::size_t bytes) const { mapped_.create_huge_pages(bytes); }
  /// See MappedMemory::join_pages().
  void join_pages(std::size_t bytes) const { mapped_.join_pages(bytes); }
  /// Unique within this process's life.
  [[nodiscard]] std::uint64_t id() const { return id_; }

 private:
  SharedMemory(Descriptor descriptor, MappedMemory mapped);

  const Descriptor descriptor_;
  const MappedMemory mapped_;
  const std::uint64_t id_;
};

}  // namespace submix::media
