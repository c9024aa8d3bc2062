// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

/// The constants of the data plane, each with its reason.
namespace submix::link {

using namespace std::chrono_literals;

/// The period of all regular checks. It is long enough to cost nothing. Three periods are shorter
/// than an interruption that an audience notices.
inline constexpr auto kTick = 50ms;

/// Ticks without a message or progress until a link counts as dead, while another link of its
/// stream makes progress and can take over. Plain TCP would tell 8 s later or never. The count uses
/// this machine's own ticks, so that a stall of this machine does not look like one of the network.
inline constexpr int kSilentTicksWithSibling = 3;

/// The same when no link makes progress. Then a stall of the peer's machine is more likely than a
/// cut of all networks, and no other link could take over.
inline constexpr int kSilentTicksAlone = 18;

/// A LAN answers within a millisecond. A missing peer never answers. With one more tick,
/// people learn of it within a second.
inline constexpr auto kConnectTimeout = 500ms;
inline constexpr auto kHandshakeTimeout = 900ms;

/// Fast enough for a waiting person, without flooding a node that is away for long.
inline constexpr auto kRetryFirst = 100ms;
inline constexpr auto kRetryMax = 2000ms;

/// A link that has damaged a stripe and is lost again sooner than this is retried less and less
/// often, although each attempt connects.
inline constexpr auto kSuspectTime = 10s;

/// Between two attempts at one link when its card comes back. A card that flaps twenty times a
/// second causes five connections a second; with two links, ten.
inline constexpr auto kFlapPause = 200ms;

/// Between two attempts at a local link that has failed, while TCP carries the stream. The cause
/// rarely goes away.
inline constexpr auto kLocalTrialPause = 2000ms;

/// A local link that was open for this time has proved that shared memory works; its loss is not
/// counted.
inline constexpr auto kLocalTrust = 1000ms;

/// The cards are read once in this time, however many announcements come. So a lost carrier is
/// known within 20 ms.
inline constexpr auto kCardsPause = 20ms;

/// A card without a change for this time is reported as back, or as lost for good.
inline constexpr auto kCardsSettle = 1000ms;

/// Pending connections, for all streams of a node. Eight links of sixteen streams may come at once;
/// a flood must not take all memory or descriptors. When all places are taken, an older connection
/// gives way, because a real sender says hello within milliseconds.
inline constexpr std::size_t kPendingMax = 128;

/// Connections that the kernel keeps until this program accepts them. A sender that finds no room
/// there tries again only a second later.
inline constexpr int kBacklog = 512;

/// The same event is reported at most once in this time. The next event says how many there were.
inline constexpr auto kEventPause = 1000ms;

/// The plan is renewed this often while bytes are under way. A link that has become late must not
/// hold a frame for longer before another link takes over.
inline constexpr auto kPlanPeriod = 1ms;

/// 63 KiB of RGB24, for links up to 1 Gbit/s. Measured for 1 + 1 and 1 + 0.5 Gbit/s: 64 KiB is
/// better than 16 and 256.
inline constexpr std::uint32_t kStripeCellsMin = 21;

/// 1020 KiB of RGB24, the wire's limit, for links of 16 Gbit/s and more, where system calls count.
/// Measured with XGA over two links on loopback: 510 KiB reaches 0.95 of the rate with 1.06 times
/// the CPU time. Over one link both are alike.
inline constexpr std::uint32_t kStripeCellsMax = 340;

/// Bytes handed to TCP beyond the bytes on the wire: as many as the link carries in this time,
/// within these limits. Bytes committed to a slow link hold up the frame: without this limit 1 +
/// 0.1 Gbit/s carry 0.46 of their sum. A fast link must not run dry before this program runs again.
inline constexpr auto kNotSentTime = 3ms;
inline constexpr int kNotSentBytesMin = 16 * 1024;
inline constexpr int kNotSentBytesFirst = 128 * 1024;  ///< before a rate is known
inline constexpr int kNotSentBytesMax = 2 * 1024 * 1024;

/// Size of the receive buffer in this program. It stays in a core's cache between the kernel's copy
/// and the unpacking.
inline constexpr std::size_t kReceiveBytes = std::size_t{256} * 1024;

/// Reads after a failed write, to find the reason that the peer sent before it closed.
inline constexpr int kLastReads = 64;

/// Stripes or buffers that a link handles before other links have their turn.
inline constexpr int kStepsPerTurn = 2;

}  // namespace submix::link
