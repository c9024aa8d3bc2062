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

/// The messages that a node sends its plugin host besides the jobs: one way, in order, over a
/// SOCK_SEQPACKET pair.
namespace submix::host {

/// Most views that a host has at a time. A new view replaces an old view of the same number.
inline constexpr std::size_t kViewsMax = 64;
inline constexpr std::size_t kMessageBytesMax = std::size_t{128} * 1024;

/// Map a picture of the attached memory as view number `view`, in place of the view's former
/// picture.
struct MapView {
  std::uint32_t view = 0;
  bool is_writable = false;
  std::uint64_t offset_bytes = 0;  ///< offset in the memory; whole pages
  std::uint32_t margin_bytes = 0;  ///< bytes before the picture, mapped too: see media::SharedPlace
};

/// Set these values from the next job on. The first SetParameters names every parameter.
struct SetParameters {
  show::Parameters values;
};

/// Read the file whose descriptor is attached, or the series of pictures in the folder that is. A
/// decoder's first message, sent once.
struct ReadFile {
  std::string name;               ///< the file's name, for error messages
  std::uint32_t fit = 0;          ///< as in DecodeRequest: for a picture that is drawn, not decoded
  double series_rate = 0;         ///< as in io::OpenFile
  bool is_sound = false;          ///< the jobs ask for its sound, not for pictures
  std::uint32_t sound_track = 0;  ///< as in io::OpenFile
};

using Message = std::variant<MapView, SetParameters, ReadFile>;

/// A received message with its attached descriptor.
struct Received {
  Message message;
  Descriptor descriptor;
};

/// The node's end, then the host's end. Both are closed at exec.
[[nodiscard]] Result<std::pair<Descriptor, Descriptor>> make_channel();

/// Never waits.
///
/// Cost     A view allocates nothing.
/// Errors   The host takes no messages, or the message is longer than kMessageBytesMax.
[[nodiscard]] Result<void> send(int channel, const MapView& view, int memory);
[[nodiscard]] Result<void> send(int channel, const SetParameters& parameters);
[[nodiscard]] Result<void> send(int channel, const ReadFile& file, int descriptor);

/// Waits for the next message.
///
/// Errors   The node is gone, or the bytes are no message.
[[nodiscard]] Result<Received> receive(int channel);

/// The bytes of a message, as send() and receive() use them.
[[nodiscard]] std::vector<std::byte> encode(const SetParameters& parameters);
[[nodiscard]] std::vector<std::byte> encode(const ReadFile& file);
[[nodiscard]] Result<Message> decode(std::span<const std::byte> bytes);

}  // namespace submix::host
