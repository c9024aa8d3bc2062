// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/heard_tempo.hpp"
#include "common/base/network.hpp"
#include "common/base/sound.hpp"
#include "common/base/units.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The measurements as plain structs. All counts and times are totals since their subject began, so
/// a lost message costs no information.
namespace submix::telemetry {

/// Statistics of the latest durations of one kind. All 0 if nothing was measured.
struct LatencyReading {
  std::chrono::nanoseconds p50{0};
  std::chrono::nanoseconds p99{0};
  std::chrono::nanoseconds max{0};

  friend bool operator==(const LatencyReading&, const LatencyReading&) = default;
};

struct QueuedFrame {
  std::uint64_t number = 0;  ///< in its epoch
  /// Holders of the frame: this queue, other queues, workers and taps
  std::uint32_t references = 0;

  friend bool operator==(const QueuedFrame&, const QueuedFrame&) = default;
};

struct QueueReading {
  std::string from;  ///< the slot that fills the queue
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;
  std::vector<QueuedFrame> frames = {};  ///< the queued frames, the next one first
  /// Totals since the taking stage began, over all queues between the same two slots. These three
  /// and the size are of one moment.
  std::uint64_t frames_put = 0;
  std::uint64_t frames_taken = 0;
  std::uint64_t frames_dropped = 0;  ///< were in an earlier queue when an edit replaced it
};

/// From a frame of a submix on, the show's numbers of its frames count from `number`
/// (engine::ShowCount).
struct ShowCountReading {
  std::uint64_t since_frame = 0;
  std::uint64_t number = 0;

  friend bool operator==(const ShowCountReading&, const ShowCountReading&) = default;
};

/// A plugin's own figures, e.g. {"lost", 0}.
using Counters = std::vector<std::pair<std::string, std::uint64_t>>;

/// 0: there is none of this name.
[[nodiscard]] inline std::uint64_t counter_of(const Counters& counters, std::string_view name) {
  const auto found = std::find_if(counters.begin(), counters.end(),
                                  [&](const auto& each) { return each.first == name; });
  return found == counters.end() ? 0 : found->second;
}

struct StageReading {
  std::string slot;
  std::string plugin;
  std::uint64_t frames = 0;
  std::chrono::nanoseconds working{0};
  std::chrono::nanoseconds starved{0};  ///< waiting for input
  std::chrono::nanoseconds blocked{0};  ///< waiting for room in the queues behind it
  std::vector<QueueReading> queues;     ///< one for each input
  Counters counters;
  /// Why the plugin does not work, and the remedy, for people. Empty: it works.
  std::string trouble = {};
  LatencyReading frame_time = {};  ///< computing time of the plugin on recent frames, without waits
  std::uint32_t helpers = 1;  ///< plugin instances that share the frames; the times are their sums
  /// Frames not made by the plugin: bypassed, hurried, or the plugin made none.
  std::uint64_t frames_passed_by = 0;
};

/// Upper ends of the buckets that count frames by their delay. The finest steps are near the delays
/// that a person begins to see.
inline constexpr std::array<std::chrono::microseconds, 20> kJitterBuckets{
    {std::chrono::microseconds(20),      std::chrono::microseconds(50),
     std::chrono::microseconds(100),     std::chrono::microseconds(200),
     std::chrono::microseconds(300),     std::chrono::microseconds(500),
     std::chrono::microseconds(700),     std::chrono::microseconds(1'000),
     std::chrono::microseconds(1'500),   std::chrono::microseconds(2'000),
     std::chrono::microseconds(3'000),   std::chrono::microseconds(4'000),
     std::chrono::microseconds(6'000),   std::chrono::microseconds(8'000),
     std::chrono::microseconds(12'000),  std::chrono::microseconds(16'000),
     std::chrono::microseconds(25'000),  std::chrono::microseconds(50'000),
     std::chrono::microseconds(100'000), std::chrono::microseconds(1'000'000)}};

/// Frames counted by how late they passed their deadlines; see jitter.hpp.
struct JitterReading {
  /// The last: later than all buckets
  std::array<std::uint64_t, kJitterBuckets.size() + 1> frames{};
  std::chrono::nanoseconds max{0};

  friend bool operator==(const JitterReading&, const JitterReading&) = default;
};

/// Where a seat's frame is. If several holders have the frame, the first place of this list counts.
enum class SeatPlace {
  free,
  making,     ///< its stage, or the links of a stream, write it
  queue,      ///< from one slot to another
  stage,      ///< in use by a slot's workers
  tap,        ///< only a slot's tap has it: its newest frame, for previews and snapshots
  kept,       ///< kept by the plugin of an earlier slot: shown, or not yet acknowledged
  elsewhere,  ///< taken without a known holder: a picture is being looked at, or the seat is lost
};

struct SeatsReading {
  SeatPlace place = SeatPlace::free;
  /// "clip to glow", "glow"; with several possible holders: "screen or out"
  std::string where = {};
  std::uint32_t seats = 0;

  friend bool operator==(const SeatsReading&, const SeatsReading&) = default;
};

struct PoolReading {
  std::string slot;  ///< owner of the frames; "left (received)": frames of its stream
  std::uint32_t capacity = 0;
  /// By place, as the holders say; free seats as the pool says
  std::vector<SeatsReading> seats = {};
  std::uint32_t taken = 0;  ///< as the pool says: all seats that it cannot lend
  /// Seats that the pool can lend although a holder has them: must be 0
  std::uint32_t free_but_held = 0;
  /// Whether all counts are of one moment: no seat was lent or returned while they were taken.
  /// False: frames flowed too fast.
  bool is_steady = false;
};

struct SubmixReading {
  std::string name;
  std::vector<StageReading> stages;
  std::uint64_t frames = 0;       ///< frames that have passed all terminal slots
  std::uint64_t late_frames = 0;  ///< frames so late that the rate was lowered for them
  std::uint64_t late_frame = 0;   ///< the last late frame
  /// Frames that passed after their deadlines by more than a wake-up takes. A slot that keeps a
  /// display's time takes its own share of the count with it when it is removed.
  std::uint64_t missed_frames = 0;
  std::uint64_t missed_frame = 0;  ///< the last missed frame
  JitterReading jitter = {};       ///< of all frames paced by the rate or shown at a display's pace
  LatencyReading delay = {};       ///< from a source's start of a frame to the frame's last slot
  ShowCountReading show_count = {};
  std::vector<PoolReading> pools = {};
};

/// The address of the own end of a local link.
inline constexpr std::string_view kSharedMemory = "shared memory";

enum class LinkState { connecting, open, refused };

struct LinkReading {
  std::uint32_t index = 0;
  LinkState state = LinkState::connecting;
  std::string local;  ///< "198.18.0.1:40000"
  std::string remote;
  std::string error;        ///< why the link is not open, for people
  std::string warning;      ///< why the link is slower than it could be, for people
  std::uint64_t bytes = 0;  ///< sent or received, headers included
  std::uint64_t stripes = 0;
  std::uint64_t queue_bytes = 0;  ///< committed to the kernel and not yet acknowledged by TCP
  std::uint64_t queue_limit_bytes = 0;
  std::uint64_t capacity_bytes_per_second = 0;  ///< measured while the link was busy; 0: not yet
  /// The most carried in one second between the same two addresses so far. 0: unknown.
  std::uint64_t greatest_bytes_per_second = 0;
  /// Sender: rate of late while more data waited than the path holds. 0: of late no data had to
  /// wait.
  std::uint64_t limit_bytes_per_second = 0;
  std::chrono::nanoseconds sending{0};
  std::chrono::nanoseconds blocked{0};  ///< the link was full
  std::chrono::nanoseconds idle{0};     ///< nothing to send
  std::uint64_t reconnects = 0;
  std::uint64_t stripes_damaged = 0;  ///< receiver: wrong checksums or tags
  Protection protection = Protection::none;
  /// Sender: smoothed by TCP, with queueing delay. 0: no measurement yet.
  std::chrono::nanoseconds round_trip{0};
  std::uint64_t segments_retransmitted = 0;  ///< sender: by TCP
  std::uint64_t bytes_retransmitted = 0;     ///< sender: by TCP
};

/// The progress of one end of a stream in one epoch. All fields are of one moment.
struct EpochReading {
  std::uint64_t epoch = 0;
  std::uint64_t first_frame = 0;  ///< receiver: the first frame of the epoch here
  /// Sender: the next frame to number. Receiver: the next frame to release.
  std::uint64_t next_frame = 0;
  std::uint64_t frames_lost = 0;  ///< receiver: frames between these two that can never come
  std::uint64_t frames_acknowledged = 0;  ///< sender: acknowledged frames, counted from 0
  std::uint64_t frames_skipped = 0;       ///< sender: never numbered, replaced by a newer frame
  /// Part of frames_skipped: while the receiver was detached
  std::uint64_t frames_skipped_detached = 0;

  friend bool operator==(const EpochReading&, const EpochReading&) = default;
};

/// One end of a stream. `frames_queued` are in flight at the sender, or wait for the patch at the
/// receiver.
struct StreamReading {
  std::string stream;
  std::string peer;  ///< node at the other end
  bool is_sender = false;
  Size size;  ///< size and rate of its frames; 0 x 0: the sender has ended
  FrameRate rate{};
  /// Whether size or rate differ from the show's. The old patch then continues until the next patch
  /// runs, which has its own end of the stream.
  bool is_former = false;
  /// The current epoch; 0: the receiver has met none, or the sender has ended
  std::uint64_t epoch = 0;
  std::uint64_t frames = 0;           ///< sender: acknowledged; receiver: handed to the patch
  std::uint64_t frames_produced = 0;  ///< sender: taken from the patch; receiver: released in order
  std::uint64_t frames_dropped = 0;   ///< always 0 within an epoch
  std::uint64_t frames_duplicated = 0;  ///< receiver: repeated by the hold policy
  /// Sender: replaced by a newer frame (policy latest, or detached).
  std::uint64_t frames_skipped = 0;
  std::uint32_t frames_unsent = 0;  ///< sender: queued frames that no link has begun
  /// Receiver: queued frames that were released before an epoch ended.
  std::uint32_t frames_left_over = 0;
  /// Copied into or within shared memory, or out of it because the patch keeps too many frames.
  std::uint64_t frames_copied = 0;
  /// For people. Sender: why frames pass the receiver by. Receiver: why the sender does not wait.
  std::string detached;
  std::uint32_t frames_queued = 0;
  std::uint32_t credits = 0;            ///< frames that the sender may still start
  std::chrono::nanoseconds blocked{0};  ///< sender: waited for credit; receiver: waited for frames
  LatencyReading latency;  ///< sender: from taking a frame until the receiver's patch has it
  std::chrono::nanoseconds round_trip{0};  ///< sender: the shortest of late
  /// Sender: the receiver's monotonic clock minus the local clock.
  std::chrono::nanoseconds clock_offset{0};
  std::vector<LinkReading> links;
  std::vector<EpochReading> epochs;    ///< The last ended epochs, then `epoch` unless it is 0.
  std::uint64_t frames_forgotten = 0;  ///< receiver: released in earlier epochs than these
};

/// All traffic of one network card, of any program.
struct CardReading {
  std::string name;
  std::uint64_t bytes_received = 0;
  std::uint64_t bytes_sent = 0;

  friend bool operator==(const CardReading&, const CardReading&) = default;
};

/// The whole machine of a node, other programs included.
struct MachineReading {
  /// In the kernel's order. The count of an offline core stands still.
  std::vector<std::chrono::nanoseconds> cores_busy;
  std::uint64_t memory_bytes = 0;            ///< 0: the kernel does not say
  std::uint64_t memory_available_bytes = 0;  ///< without swapping
  std::vector<CardReading> cards;

  friend bool operator==(const MachineReading&, const MachineReading&) = default;
};

/// Whether the node's threads keep the right to run before other programs. A machine without the
/// right has lost nothing.
struct RealtimeReading {
  /// A thread computed for too long without a pause and has normal priority for now.
  bool is_lost = false;
  std::string reason = {};  ///< which thread, and the remedy, for people; empty: nothing is lost

  friend bool operator==(const RealtimeReading&, const RealtimeReading&) = default;
};

/// Of the node that listens for the show.
struct SoundReading {
  bool is_listening = false;  ///< wanted by the show, whether it succeeds or not
  Sound sound = {};
  std::string trouble = {};  ///< why nothing is heard, for people; empty: nothing is wrong
  HeardTempo tempo = {};

  friend bool operator==(const SoundReading&, const SoundReading&) = default;
};

struct NodeReading {
  std::string node;
  std::string instance;
  std::uint64_t sequence = 0;
  std::chrono::nanoseconds uptime{0};
  bool is_paused = false;
  std::chrono::nanoseconds cpu{0};  ///< of the process and its plugin hosts
  std::uint64_t memory_bytes = 0;   ///< resident
  std::uint64_t page_faults = 0;    ///< of the process; 0 for each frame once its streams run
  std::uint64_t allocations = 0;    ///< By threads that compute and carry frames, plugins included.
  std::vector<SubmixReading> submixes;
  std::vector<StreamReading> streams;
  MachineReading machine = {};
  RealtimeReading realtime = {};
  SoundReading sound = {};
};

}  // namespace submix::telemetry
