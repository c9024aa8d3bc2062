// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/borrowed_frames.hpp"
#include "common/media/shared_memory.hpp"
#include "common/wire/message.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace submix::link {

/// The receiving side of a local link's memory: knows the memory that the sender shares with this
/// process.
///
/// Threads  Confined (net).
/// Cost     No allocation for a frame.
/// Errors   Input that breaks the rules of PROTOCOL.md ends the link before a byte of memory is
///          read.
class Borrower {
 public:
  explicit Borrower(Size size) : size_(size) { mapped_.reserve(wire::kMemoriesMax); }

  [[nodiscard]] Result<void> take(const wire::Terms& terms, Descriptor returns);
  [[nodiscard]] Result<void> take(const wire::Memory& memory, Descriptor descriptor);
  [[nodiscard]] Result<void> take(const wire::Forget& forget);
  /// Finds the memory of a lent frame. The result is made for BorrowedFrames.
  [[nodiscard]] Result<media::BorrowedPlace> loan_of(const wire::Loan& loan, LocalTime now) const;

 private:
  struct MappedMemory {
    std::uint64_t id;
    std::shared_ptr<const media::SharedMemory> memory;
  };

  [[nodiscard]] const MappedMemory* find(std::uint64_t id) const;
  [[nodiscard]] std::uint64_t frame_bytes() const;

  const Size size_;
  std::shared_ptr<media::FrameLender> sender_;  // null before the terms have come
  std::vector<MappedMemory> mapped_;
};

}  // namespace submix::link
