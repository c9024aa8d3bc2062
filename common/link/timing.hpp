// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

/// The data plane's constants, each with its reason.
namespace submix::link {

using namespace std::chrono_literals;

/// One clock for all that is looked at now and then. Long enough to cost nothing, and three of them are
/// shorter than what an audience notices.
inline constexpr auto kTick = 50ms;

/// Ticks without a word or progress on a link while another link of its stream makes progress: it is dead,
/// and the other one takes over. Plain TCP would tell 8 s later or never. Counted in our own ticks, so that a
/// stall of this machine does not look like one of the network.
inline constexpr int kSilentTicksWithSibling = 3;

/// The same when no link makes progress: then the peer's machine is more likely held up than every network
/// cut, and there is nothing to take over to.
inline constexpr int kSilentTicksAlone = 18;

/// A LAN answers in a millisecond; a peer that is gone answers never. With a tick on top, people hear of it
/// within a second.
inline constexpr auto kConnectTimeout = 500ms;
inline constexpr auto kHandshakeTimeout = 900ms;

/// Reconnect at once for a person, without hammering a node that is away for long.
inline constexpr auto kRetryFirst = 100ms;
inline constexpr auto kRetryMax = 2000ms;

/// A link that has damaged a stripe and is lost again sooner than this is tried less and less often, though
/// it connects each time.
inline constexpr auto kSuspectTime = 10s;

/// Between two attempts at one link when its card comes back: a card that flaps twenty times a second makes
/// five connections of it, two links' ten.
inline constexpr auto kFlapPause = 200ms;

/// Between two attempts at a local link that did not work while TCP carries its stream: what stands against
/// it rarely goes away.
inline constexpr auto kLocalTrialPause = 2000ms;

/// A local link that was open for so long and is lost was no failure of its kind.
inline constexpr auto kLocalTrust = 1000ms;

/// The cards are looked at once in this time, however many announcements come: a lost carrier is told in 20
/// ms.
inline constexpr auto kCardsPause = 20ms;

/// A card that has not changed for so long is called back, or lost, for good.
inline constexpr auto kCardsSettle = 1000ms;

/// Connections that have not proven themselves, for all streams of a node: eight links of sixteen streams may
/// come at the same time, a flood may not take memory or descriptors. When all places are taken, an older
/// connection gives way: a sender says hello within milliseconds.
inline constexpr std::size_t kStrangersMax = 128;

/// Connections that the kernel keeps until this program takes them. A sender whose connection finds no room
/// there tries again a second later only.
inline constexpr int kBacklog = 512;

/// The same complaint at most once in this time; the next one says how many there were.
inline constexpr auto kEventPause = 1000ms;

/// While something is on its way, the plan is looked at anew so often: a link that has become late must not
/// hold a frame for longer than that before another one takes over.
inline constexpr auto kPlanPeriod = 1ms;

/// 63 KiB of pixels for a gigabit and less: measured for 1 + 1 and 1 + 0.5 Gbit/s, 64 KiB beats 16 and 256.
inline constexpr std::uint32_t kStripeCellsMin = 21;

/// 1020 KiB, the wire's limit, for links of 16 Gbit/s and more, where the calls count: XGA over two links on
/// loopback, 510 KiB: 0.95 of the rate, 1.06 times the CPU time. Over one link both are alike.
inline constexpr std::uint32_t kStripeCellsMax = 340;

/// Bytes handed to TCP beyond those on the wire: what a link carries in this time, within these limits. What
/// is committed to a slow link holds the frame (without it 1 + 0.1 Gbit/s carry 0.46 of their sum); a fast
/// one must not run dry while this program is not looking.
inline constexpr auto kNotSentTime = 3ms;
inline constexpr int kNotSentBytesMin = 16 * 1024;
inline constexpr int kNotSentBytesFirst = 128 * 1024;  ///< before a rate is known
inline constexpr int kNotSentBytesMax = 2 * 1024 * 1024;

/// Receive buffer in this program: stays in a core's cache between the kernel's copy and the unpacking.
inline constexpr std::size_t kReceiveBytes = std::size_t{256} * 1024;

/// Buffers in which a peer's reason is looked for after it has closed.
inline constexpr int kLastReads = 64;

/// Stripes or buffers that a link handles before others have their turn.
inline constexpr int kTurn = 2;

}  // namespace submix::link
