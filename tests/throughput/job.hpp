// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/wire/message.hpp"
#include "tests/throughput/sequence_check.hpp"
#include "tests/throughput/usage.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What the processes of a measurement tell each other, and its form as JSON.
namespace submix::throughput {

enum class Side { send, receive };

/// How frames travel.
enum class Transport {
  submix,  ///< this project's streams: RGB24 on the way
  plain,   ///< one TCP connection, whole RGB24 frames, blocking, cubic
  mptcp,   ///< the same program over multipath TCP
};

/// What one side is to do.
struct Job {
  Side side = Side::send;
  Transport transport = Transport::submix;
  Size size{1024, 768};
  media::PixelFormat pixel = media::PixelFormat::rgba;  ///< of the frames of this project's streams
  std::optional<FrameRate> rate;                        ///< empty: as fast as it goes
  std::size_t streams = 1;
  std::size_t credits = 4;
  std::chrono::milliseconds warm_up{1000};
  std::uint64_t frames = 0;               ///< measured, of each stream; 0: for `duration`
  std::chrono::milliseconds duration{0};  ///< measured
  std::vector<std::string> addresses;     ///< of this side, one for each link
  std::vector<DataEndpoint> endpoints;    ///< of the receiving side, known once that has begun
  LocalEndpoint door;                     ///< the same
  bool is_local = false;                  ///< by shared memory
  std::array<std::uint8_t, 32> key{};
  bool has_key = false;
  std::string congestion = "cubic";      ///< empty (plain sockets only): the system's own
  Checksum checksum = Checksum::none;    ///< of this project's streams
  int send_buffer_bytes = 0;             ///< of plain sockets; 0: as the kernel sees fit
  std::array<std::uint8_t, 16> token{};  ///< that the other side's sockets must show first
  bool is_remote = false;  ///< the sides share no ledger: the receiving one chooses its own window
  bool is_realtime = false;  ///< all threads; fails where that is not permitted
  int ledger = -1;           ///< an inherited descriptor
};

/// What the receiving side says once it listens.
struct Listening {
  std::vector<DataEndpoint> endpoints;
  LocalEndpoint door{};
};

struct LinkTotal {
  std::uint64_t bytes = 0;
  std::uint64_t reconnects = 0;
};

/// What a side says when all is over.
struct SideReport {
  std::vector<std::uint64_t> frames;  ///< of each stream: sent, or received of any kind
  FrameFaults faults;                 ///< receiving side
  bool is_measured = false;           ///< the measured window has begun and ended
  Usage used;                         ///< in it
  std::uint64_t frames_measured = 0;  ///< of all streams in that time
  std::vector<LinkTotal> links;       ///< sending side, of the first stream
  /// Sending side, of the first stream: the receiver's monotonic clock less the own one; empty: not known.
  std::optional<std::chrono::nanoseconds> clock_offset{};
  std::string complaints;  ///< sending side, of the transport; empty: none
};

/// The starting process to the receiving one, when the sending one has ended.
struct Ending {
  std::vector<std::uint64_t> frames_sent;
};

[[nodiscard]] std::string encode(const Job& job);
[[nodiscard]] std::string encode(const Listening& listening);
[[nodiscard]] std::string encode(const SideReport& report);
[[nodiscard]] std::string encode(const Ending& ending);
/// Instead of any answer.
[[nodiscard]] std::string encode_failure(const Error& error);

/// Each fails with the other side's error, where it has sent one.
[[nodiscard]] Result<Job> decode_job(const std::string& text);
[[nodiscard]] Result<Listening> decode_listening(const std::string& text);
[[nodiscard]] Result<SideReport> decode_report(const std::string& text);
[[nodiscard]] Result<Ending> decode_ending(const std::string& text);

/// Bytes of a frame's pixels on the wire.
[[nodiscard]] constexpr std::size_t wire_bytes(Size size) {
  return size.pixels() * 3;
}

}  // namespace submix::throughput
