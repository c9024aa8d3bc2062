// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"
#include "common/media/mapped_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace submix::media {

/// A picture that begins and ends on a page of its own can be mapped by itself.
inline constexpr std::size_t kPageBytes = 4096;

/// So many bytes and what is left of their last page.
[[nodiscard]] constexpr std::size_t whole_pages(std::size_t bytes) {
  return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

/// Memory that two processes can map: a memfd, sealed so that it neither shrinks nor grows. Nobody who maps
/// it can be made to fault by the other.
///
/// Threads  Immutable; the bytes belong to whoever the frames in them belong to.
/// Cost     create() and adopt() map all pages at once, so that none is faulted in later.
class SharedMemory : public std::enable_shared_from_this<SharedMemory> {
 public:
  /// New memory, to be written here. Errors: the system has no such memory left.
  [[nodiscard]] static Result<std::shared_ptr<SharedMemory>> create(std::size_t bytes);
  /// Another process's, for reading. Errors: it is not sealed, or not as long as was said.
  [[nodiscard]] static Result<std::shared_ptr<SharedMemory>> adopt(Descriptor descriptor,
                                                                   std::size_t bytes);
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// A descriptor for another process that must not write there: nothing makes its mapping writable.
  [[nodiscard]] Result<Descriptor> open_for_reading() const;

  [[nodiscard]] int descriptor() const { return descriptor_.get(); }
  [[nodiscard]] std::uint8_t* data() const {
    return mapped_.data();
  }  ///< of adopt()ed memory: to be read only
  [[nodiscard]] std::size_t size_bytes() const { return mapped_.size_bytes(); }
  /// Unlike any other's in this process's life.
  [[nodiscard]] std::uint64_t id() const { return id_; }

 private:
  SharedMemory(Descriptor descriptor, MappedMemory mapped);

  const Descriptor descriptor_;
  const MappedMemory mapped_;
  const std::uint64_t id_;
};

}  // namespace submix::media
