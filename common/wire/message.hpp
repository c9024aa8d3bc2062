// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/base/units.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

/// The messages of the data plane as plain structs. PROTOCOL.md defines every byte and every limit.
namespace submix::wire {

inline constexpr std::uint16_t kProtocolVersion = 4;

inline constexpr std::size_t kEnvelopeBytes = 8;
inline constexpr std::size_t kSealBytes = 16;          ///< sequence number and tag
inline constexpr std::size_t kStripeHeaderBytes = 80;  ///< with envelope and seal
/// Any message except a stripe, with its envelope.
inline constexpr std::size_t kControlBytesMax = 1024;
inline constexpr std::uint32_t kCellPixels = 1024;  ///< stripes start and end at multiples of it
/// 1,044,480 bytes of RGB24, 1,392,640 of RGBA
inline constexpr std::uint32_t kStripePixelsMax = 340 * kCellPixels;
inline constexpr std::size_t kNameBytesMax = 64;
inline constexpr std::size_t kTextBytesMax = 500;
inline constexpr std::size_t kLinksMax = 8;
inline constexpr std::size_t kMemoriesMax = 16;  ///< memories mapped by a receiver for one link
inline constexpr std::uint32_t kFramesLentMax = 64;
inline constexpr std::size_t kSeatsMax = 256;  ///< frames in one memory
/// limit of a rate's numerator and denominator
inline constexpr std::uint32_t kRateTermMax = 1'000'000;

using Nonce = std::array<std::uint8_t, 16>;
using Digest = std::array<std::uint8_t, 32>;
using PublicKey = std::array<std::uint8_t, 32>;  ///< of X25519; see EphemeralKey
using CipherTag = std::array<std::uint8_t, 16>;

enum class MessageType : std::uint8_t {
  hello = 1,
  welcome = 2,
  refusal = 3,
  proof = 4,
  stripe = 16,
  ack = 17,
  ping = 18,
  pong = 19,
  goodbye = 20,
  terms = 32,
  memory = 33,
  loan = 34,
  forget = 35,
};

/// How a frame's pixels lie in shared memory: rows from the top, without padding.
enum class PixelForm : std::uint32_t { rgba = 1 };  ///< four bytes a pixel: R, G, B, A

/// The header of each message.
struct Envelope {
  MessageType type = MessageType::hello;
  std::uint32_t body_bytes = 0;  ///< bytes after the envelope; of a stripe: with its pixels
};

/// Sender to receiver: the first message on each link.
struct Hello {
  std::string software;  ///< version of the program, for people
  std::string stream;
  std::string node;
  std::uint64_t epoch = 0;
  FrameIndex first_retained;  ///< the oldest frame that the sender still has
  std::uint8_t link_index = 0;
  std::uint8_t link_count = 1;
  Protection protection = Protection::none;  ///< of the stripes of this link
  PixelFormat format = PixelFormat::rgb24;   ///< of the stripes of this link
  Size size;
  FrameRate rate;
  Nonce nonce{};
  PublicKey public_key{};
  Digest proof{};  ///< see seal.hpp
};

/// Receiver to sender: the link is accepted.
struct Welcome {
  std::string software;
  std::string node;
  /// Life of the receiver. A new instance has none of the earlier stripes.
  std::uint64_t instance = 0;
  FrameIndex next_frame;    ///< all frames before it have been released
  FrameIndex credit_limit;  ///< frames before it may be sent
  Nonce nonce{};
  PublicKey public_key{};
  Digest proof{};
};

enum class RefusalCode : std::uint16_t {
  version = 1,
  key = 2,
  stream = 3,  ///< no receiver for this stream here, or not yet
  shape = 4,   ///< another size or rate
  epoch = 5,   ///< a newer sender has taken over
  malformed = 6,
};

/// Receiver to sender: the link is rejected. The receiver then closes the connection.
struct Refusal {
  RefusalCode code = RefusalCode::malformed;
  std::string text;
};

/// Sender to receiver: proves that the sender knows the key, and is not a recording.
struct Proof {
  Digest digest{};
};

/// Sender to receiver. The pixels follow, `pixels` times R, G, B or R, G, B, A, or the same number
/// of encrypted bytes.
struct StripeHeader {
  std::uint64_t epoch = 0;
  FrameIndex frame;
  std::chrono::nanoseconds pts{0};
  std::uint32_t offset_pixels = 0;
  std::uint32_t pixels = 0;
  std::uint64_t checksum = 0;               ///< of the pixels; 0 if the Hello states no checksum
  CipherTag tag{};                          ///< zeros if the Hello states no cipher
  PixelFormat format = PixelFormat::rgb24;  ///< not on the wire, as the Hello states it

  [[nodiscard]] std::size_t pixel_bytes() const { return pixels * bytes_per_pixel(format); }

  friend bool operator==(const StripeHeader&, const StripeHeader&) = default;
};

/// Receiver to sender. Cumulative: the greatest values count.
struct Ack {
  std::uint64_t epoch = 0;
  FrameIndex released;      ///< all frames before it have been released; the sender may drop them
  FrameIndex credit_limit;  ///< frames before it may be sent
  /// When the last released frame was released, in the receiver's monotonic clock.
  std::chrono::nanoseconds released_at{0};

  friend bool operator==(const Ack&, const Ack&) = default;
};

/// Both directions. Answered by a Pong with the same token, which is not 0.
struct Ping {
  std::uint64_t token = 0;

  friend bool operator==(const Ping&, const Ping&) = default;
};

struct Pong {
  std::uint64_t token = 0;
  std::chrono::nanoseconds clock{0};  ///< monotonic clock of the answering end at its answer

  friend bool operator==(const Pong&, const Pong&) = default;
};

enum class GoodbyeReason : std::uint16_t {
  stopped = 1,
  replaced = 2,
  protocol_error = 3,
  damaged = 4,  ///< a stripe's checksum or tag was wrong
};

/// Both directions: the last message on a link.
struct Goodbye {
  GoodbyeReason reason = GoodbyeReason::stopped;
  std::string text;

  friend bool operator==(const Goodbye&, const Goodbye&) = default;
};

// On a Unix socket only, all from sender to receiver.

/// The first of these messages. Its descriptor is the socket on which the receiver returns frames.
struct Terms {
  /// Released frames that the receiver may keep reading in shared memory.
  std::uint32_t frames_lent = 0;

  friend bool operator==(const Terms&, const Terms&) = default;
};

/// Announces a memory that will hold frames. Its descriptor comes with the message.
struct Memory {
  std::uint64_t memory = 0;  ///< its number, used once on this link
  std::uint64_t size_bytes = 0;

  friend bool operator==(const Memory&, const Memory&) = default;
};

/// Lends a whole frame in place of its stripes. The receiver reads it in shared memory, then
/// returns it.
struct Loan {
  std::uint64_t epoch = 0;
  FrameIndex frame;
  std::chrono::nanoseconds pts{0};
  std::uint64_t memory = 0;
  std::uint64_t offset_bytes = 0;  ///< of the first pixel, a multiple of 64
  PixelForm form = PixelForm::rgba;

  friend bool operator==(const Loan&, const Loan&) = default;
};

/// No further frame will lie in this memory.
struct Forget {
  std::uint64_t memory = 0;

  friend bool operator==(const Forget&, const Forget&) = default;
};

}  // namespace submix::wire
