// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/media/shared_memory.hpp"
#include "node/host/control_block.hpp"
#include "node/host/picture_views.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace submix::host {

/// Shows a job's pictures to the host: where they lie if that is shared memory and a page of their own, else
/// in copies.
///
/// Threads  Confined (the slot's owner thread), but copies(): any.
/// Cost     No allocation after the first copy; no copy where the engine made the pools for it.
/// Errors   There is no shared memory left, or the host takes no messages.
class PictureTransit {
 public:
  explicit PictureTransit(Size size);

  /// Fills in the job's views.
  [[nodiscard]] Result<void> show(std::span<const media::Frame> inputs,
                                  const media::WritableFrame& output, int channel, Job& job);
  /// After the job: what the host drew is in `output`.
  void collect(media::WritableFrame& output);

  [[nodiscard]] std::uint64_t copies() const { return copies_.load(std::memory_order_relaxed); }
  [[nodiscard]] PictureViews& views() { return views_; }

 private:
  [[nodiscard]] Result<media::SharedPlace> copied(const media::Frame& frame, std::size_t place);
  [[nodiscard]] Result<media::SharedPlace> copy_place(std::size_t place);

  const std::size_t picture_bytes_;  // in whole pages
  std::shared_ptr<media::SharedMemory>
      copies_memory_{};  // inputs, then the output; made when first needed
  bool is_output_copied_ = false;
  PictureViews views_;
  std::atomic<std::uint64_t> copies_ = 0;  // relaxed: stands alone
};

}  // namespace submix::host
