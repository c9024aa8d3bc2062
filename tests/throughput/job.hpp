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

/// The messages between the processes of a measurement, and their JSON form.
namespace submix::throughput {

enum class Side { send, receive };

/// How frames travel.
enum class Transport {
  submix,  ///< this project's streams
  plain,   ///< one TCP connection, whole RGB24 frames, blocking, cubic
  mptcp,   ///< the same program over multipath TCP
};

/// The work of one side.
struct Job {
  Side side = Side::send;
  Transport transport = Transport::submix;
  Size size{1024, 768};
  media::PixelFormat pixel = media::PixelFormat::rgba;  ///< of this project's frames at both ends
  media::PixelFormat wire = media::PixelFormat::rgb24;  ///< of this project's streams
  std::optional<FrameRate> rate;                        ///< empty: full speed
  std::size_t streams = 1;
  std::size_t credits = 4;
  std::chrono::milliseconds warm_up{1000};
  std::uint64_t frames = 0;               ///< measured frames of each stream; 0: for `duration`
  std::chrono::milliseconds duration{0};  ///< measured
  std::vector<std::string> addresses;     ///< of this side, one for each link
  std::vector<DataEndpoint> endpoints;    ///< of the receiving side, known once it listens
  LocalEndpoint local;                    ///< likewise
  bool is_local = false;                  ///< by shared memory
  std::array<std::uint8_t, 32> key{};
  bool has_key = false;
  std::string congestion = "cubic";      ///< empty (plain sockets only): the system's default
  Checksum checksum = Checksum::none;    ///< of this project's streams
  bool is_encrypted = false;             ///< likewise
  int send_buffer_bytes = 0;             ///< of plain sockets; 0: chosen by the kernel
  std::array<std::uint8_t, 16> token{};  ///< the other side's sockets must send it first
  /// The sides share no ledger: the receiving side chooses its own window.
  bool is_remote = false;
  bool is_realtime = false;  ///< all threads; fails if not permitted
  int ledger = -1;           ///< an inherited descriptor
};

/// The receiving side's message when it listens.
struct Listening {
  std::vector<DataEndpoint> endpoints;
  LocalEndpoint local{};
};

struct LinkTotal {
  std::uint64_t bytes = 0;
  std::uint64_t reconnects = 0;
};

/// The final report of a side.
struct SideReport {
  /// Of each stream: frames sent, or frames received, valid or not
  std::vector<std::uint64_t> frames;
  FrameFaults faults;                 ///< receiving side
  bool is_measured = false;           ///< the measured window has begun and ended
  Usage used;                         ///< in the measured window
  std::uint64_t frames_measured = 0;  ///< of all streams in the measured window
  std::vector<LinkTotal> links;       ///< sending side, of the first stream
  /// Sending side, of the first stream: the receiver's monotonic clock minus the local clock.
  /// Empty: unknown.
  std::optional<std::chrono::nanoseconds> clock_offset{};
  std::string complaints;  ///< sending side, of the transport; empty: none
};

/// The starting process to the receiving process, when the sending process has ended.
struct Ending {
  std::vector<std::uint64_t> frames_sent;
};

[[nodiscard]] std::string encode(const Job& job);
[[nodiscard]] std::string encode(const Listening& listening);
[[nodiscard]] std::string encode(const SideReport& report);
[[nodiscard]] std::string encode(const Ending& ending);
/// Sent in place of any answer.
[[nodiscard]] std::string encode_failure(const Error& error);

/// Each decoder fails with the other side's error if that side has sent one.
[[nodiscard]] Result<Job> decode_job(const std::string& text);
[[nodiscard]] Result<Listening> decode_listening(const std::string& text);
[[nodiscard]] Result<SideReport> decode_report(const std::string& text);
[[nodiscard]] Result<Ending> decode_ending(const std::string& text);

/// Bytes of a frame's pixels on the wire.
[[nodiscard]] constexpr std::size_t wire_bytes(
    Size size, media::PixelFormat wire = media::PixelFormat::rgb24) {
  return size.pixels() * media::bytes_per_pixel(wire);
}

}  // namespace submix::throughput
