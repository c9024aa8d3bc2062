// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/picture_views.hpp"

#include "common/base/descriptor.hpp"
#include "common/media/shared_memory.hpp"

#include <algorithm>

namespace submix::host {
namespace {

Result<void> show(const MapView& message, const media::SharedMemory& memory, int channel) {
  if (message.is_writable) return send(channel, message, memory.descriptor());
  const auto readable = memory.open_for_reading();
  SUBMIX_TRY(readable);
  return send(channel, message, readable->get());
}

}  // namespace

// A new picture replaces the least recently used one, which is never a picture of the same job.
Result<std::uint32_t> PictureViews::find(const media::SharedPlace& place, bool is_writable,
                                         int channel) {
  const auto id = place.memory.id();
  auto* found = std::find_if(views_.begin(), views_.end(), [&](const View& view) {
    return view.is(id, place.offset_bytes, is_writable);
  });
  if (found == views_.end()) {
    found = std::min_element(views_.begin(), views_.end(),
                             [](const View& a, const View& b) { return a.used < b.used; });
    const MapView message{.view = static_cast<std::uint32_t>(found - views_.begin()),
                          .is_writable = is_writable,
                          .offset_bytes = place.offset_bytes,
                          .margin_bytes = static_cast<std::uint32_t>(place.margin_bytes)};
    SUBMIX_TRY(show(message, place.memory, channel));
    *found = {.memory = id, .offset_bytes = place.offset_bytes, .is_writable = is_writable};
    ++messages_;
  }
  found->used = ++uses_;
  return static_cast<std::uint32_t>(found - views_.begin());
}

void PictureViews::forget() {
  views_ = {};
  uses_ = 0;
  messages_ = 0;
}

}  // namespace submix::host
