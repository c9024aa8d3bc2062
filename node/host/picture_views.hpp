// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/media/frame.hpp"
#include "common/media/shared_memory.hpp"
#include "node/host/channel.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace submix::host {

/// Knows which pictures a host has mapped, so that each is shown to the host once.
///
/// Threads  Confined (the slot's owner thread).
/// Cost     find(): no allocation. A picture new to the host costs a message.
class PictureViews {
 public:
  /// The view of the picture at `place`, which starts at a whole page. Tells the host first if the
  /// picture is new.
  ///
  /// Errors   The host takes no messages, or no descriptor is left.
  [[nodiscard]] Result<std::uint32_t> find(const media::SharedPlace& place, bool is_writable,
                                           int channel);
  /// Messages sent since the host began.
  [[nodiscard]] std::uint32_t messages() const { return messages_; }
  void count_message() { ++messages_; }
  /// Another host begins with no views.
  void forget();

 private:
  struct View {
    std::uint64_t memory = 0;  // id of the memory; 0: none
    std::size_t offset_bytes = 0;
    bool is_writable = false;
    std::uint64_t used = 0;  // last use, counted in uses

    [[nodiscard]] bool is(std::uint64_t id, std::size_t offset, bool writable) const {
      return memory == id && offset_bytes == offset && is_writable == writable;
    }
  };

  std::array<View, kViewsMax> views_{};
  std::uint64_t uses_ = 0;
  std::uint32_t messages_ = 0;
};

}  // namespace submix::host
