// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/local/borrower.hpp"

#include "common/media/frame_pool.hpp"
#include "common/wire/byte_writer.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <utility>

namespace submix::link {
namespace {

constexpr std::uint64_t kAlignment = 64;

/// Reports each returned frame to the sender, on any thread. The socket closes with the last frame,
/// which reports the end.
class ReturnSocket final : public media::FrameLender {
 public:
  explicit ReturnSocket(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

  void take_back(std::uint64_t number) override {
    std::array<std::uint8_t, 8> bytes{};
    wire::ByteWriter(bytes).u64(number);
    // A sender that does not read the numbers, or is gone, keeps its own frames too long and harms
    // nobody else.
    static_cast<void>(
        ::send(descriptor_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  }

 private:
  const Descriptor descriptor_;
};

}  // namespace

std::uint64_t Borrower::frame_bytes() const {
  return size_.pixels() * media::kBytesPerRgbaPixel;
}

const Borrower::MappedMemory* Borrower::find(std::uint64_t id) const {
  const auto found = std::find_if(mapped_.begin(), mapped_.end(),
                                  [&](const MappedMemory& mapped) { return mapped.id == id; });
  return found == mapped_.end() ? nullptr : &*found;
}

Result<void> Borrower::take(const wire::Terms& terms, Descriptor returns) {
  if (sender_) return fail("terms: a second time on one link");
  if (!returns) return fail("terms: no descriptor has come with them");
  if (terms.frames_lent > wire::kFramesLentMax)
    return fail("terms: {} frames lent > {}", terms.frames_lent, wire::kFramesLentMax);
  sender_ = std::make_shared<ReturnSocket>(std::move(returns));
  return {};
}

Result<void> Borrower::take(const wire::Memory& memory, Descriptor descriptor) {
  const auto limit = media::FramePool::seat_bytes(size_, media::Backing::shared) * wire::kSeatsMax;
  if (!sender_) return fail("memory: the terms have not come");
  if (!descriptor) return fail("memory: no descriptor has come with it");
  if (memory.size_bytes < frame_bytes() || memory.size_bytes > limit)
    return fail("memory: {} bytes are not within {} to {}", memory.size_bytes, frame_bytes(),
                limit);
  if (mapped_.size() == wire::kMemoriesMax)
    return fail("memory: more than {} at a time", wire::kMemoriesMax);
  if (find(memory.memory) != nullptr) return fail("memory: number {} a second time", memory.memory);
  auto mapped = media::SharedMemory::adopt(std::move(descriptor), memory.size_bytes);
  SUBMIX_TRY(mapped);
  mapped_.push_back({memory.memory, std::move(*mapped)});
  return {};
}

Result<void> Borrower::take(const wire::Forget& forget) {
  const auto erased = std::erase_if(
      mapped_, [&](const MappedMemory& mapped) { return mapped.id == forget.memory; });
  if (erased == 0) return fail("forget: memory {} is not known here", forget.memory);
  return {};
}

Result<media::BorrowedPlace> Borrower::loan_of(const wire::Loan& loan, LocalTime now) const {
  const auto* mapped = find(loan.memory);
  if (mapped == nullptr) return fail("loan: memory {} is not known here", loan.memory);
  const auto size_bytes = mapped->memory->size_bytes();
  if (loan.offset_bytes % kAlignment != 0 || loan.offset_bytes > size_bytes ||
      size_bytes - loan.offset_bytes < frame_bytes()) {
    return fail("loan: a frame of {} bytes at {} in memory of {}", frame_bytes(), loan.offset_bytes,
                size_bytes);
  }
  return media::BorrowedPlace{mapped->memory,
                              static_cast<std::size_t>(loan.offset_bytes),
                              {loan.epoch, loan.frame, loan.pts, now},
                              sender_,
                              loan.frame.value};
}

}  // namespace submix::link
