// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"
#include "common/show/document.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// What a node tells its plugin host beside the jobs: one way, in order, over a SOCK_SEQPACKET pair.
namespace submix::host {

/// Views that a host has at a time; a new one takes an old one's place.
inline constexpr std::size_t kViewsMax = 64;
inline constexpr std::size_t kMessageBytesMax = std::size_t{128} * 1024;

/// Map a picture of the memory that comes along, as view number `view`, in place of what was there.
struct MapView {
  std::uint32_t view = 0;
  bool is_writable = false;
  std::uint64_t offset_bytes = 0;  ///< in the memory; whole pages
  std::uint32_t margin_bytes = 0;  ///< to be mapped as well, before it: see media::SharedPlace
};

/// Set these, from the next job on; the first one states all.
struct SetParameters {
  show::Parameters values;
};

/// Read the file whose descriptor comes along; a decoder's first message, and sent once.
struct ReadFile {
  std::string name;  ///< for messages
};

using Message = std::variant<MapView, SetParameters, ReadFile>;

/// A message as it was received, with the descriptor that came along.
struct Received {
  Message message;
  Descriptor descriptor;
};

/// The node's end, then the host's; both are closed at exec.
[[nodiscard]] Result<std::pair<Descriptor, Descriptor>> make_channel();

/// Never waits. Errors: the host takes nothing (any more), or the message is longer than kMessageBytesMax.
/// Cost: a view allocates nothing.
[[nodiscard]] Result<void> send(int channel, const MapView& view, int memory);
[[nodiscard]] Result<void> send(int channel, const SetParameters& parameters);
[[nodiscard]] Result<void> send(int channel, const ReadFile& file, int descriptor);

/// Waits for the next message. Errors: the node is gone, or what came is no message.
[[nodiscard]] Result<Received> receive(int channel);

/// The messages' bytes, for those who send and receive them.
[[nodiscard]] std::vector<std::byte> encode(const SetParameters& parameters);
[[nodiscard]] std::vector<std::byte> encode(const ReadFile& file);
[[nodiscard]] Result<Message> decode(std::span<const std::byte> bytes);

}  // namespace submix::host
