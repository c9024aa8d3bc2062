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

/// Shows a job's pictures to the host. A picture in shared memory that starts at a whole page is
/// shown in place; any other picture is copied.
///
/// Threads  Confined (the slot's owner thread). copies(): any.
/// Cost     No allocation after the first copy. No copy where the engine made the pools shared.
/// Errors   No shared memory is left, or the host takes no messages.
class PictureTransit {
 public:
  explicit PictureTransit(Size size);

  /// Fills in the job's views.
  [[nodiscard]] Result<void> show(std::span<const media::Frame> inputs,
                                  const media::WritableFrame& output, int channel, Job& job);
  /// Call after the job: copies the host's picture into `output` where it was drawn elsewhere.
  void collect(media::WritableFrame& output);

  [[nodiscard]] std::uint64_t copies() const { return copies_.load(std::memory_order_relaxed); }
  [[nodiscard]] PictureViews& views() { return views_; }

 private:
  [[nodiscard]] Result<media::SharedPlace> copied(const media::Frame& frame, std::size_t place);
  [[nodiscard]] Result<media::SharedPlace> copy_place(std::size_t place);

  const std::size_t picture_bytes_;  // in whole pages
  // The inputs, then the output; made when first needed.
  std::shared_ptr<media::SharedMemory> copies_memory_{};
  bool is_output_copied_ = false;
  PictureViews views_;
  std::atomic<std::uint64_t> copies_ = 0;  // relaxed: stands alone
};

}  // namespace submix::host
