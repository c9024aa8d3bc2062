// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// What is measured, as plain structs. All counts and times are totals since the thing began, so that a
/// lost message costs no information.
namespace submix::telemetry {

/// Of the latest times of a kind; all 0 where none was measured.
struct LatencyReading {
  std::chrono::nanoseconds p50{0};
  std::chrono::nanoseconds p99{0};
  std::chrono::nanoseconds max{0};

  friend bool operator==(const LatencyReading&, const LatencyReading&) = default;
};

struct QueuedFrame {
  std::uint64_t number = 0;      ///< in its epoch
  std::uint32_t references = 0;  ///< who shares it: this queue, other queues, hands and taps

  friend bool operator==(const QueuedFrame&, const QueuedFrame&) = default;
};

struct QueueReading {
  std::string from;  ///< the slot that fills it
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;
  std::vector<QueuedFrame> frames = {};  ///< what is in it, the next one first
  /// Since the stage that takes from it began, former queues between the same two slots included; these three
  /// and the size are of one moment.
  std::uint64_t frames_put = 0;
  std::uint64_t frames_taken = 0;
  std::uint64_t frames_dropped = 0;  ///< were in a former queue when an edit ended that
};

/// A parameter that an oscillator moves, and what its node has worked out for it (show::in_step()).
struct MovingReading {
  std::string parameter;
  double phase = 0.0;
  double start = 0.0;

  friend bool operator==(const MovingReading&, const MovingReading&) = default;
};

/// How far a submix's oscillators' time has come, and how fast it goes on (show::Timeline).
struct TimelineReading {
  double beats_per_minute = 120.0;
  double master_speed = 1.0;
  std::uint64_t since_frame = 0;
  double seconds = 0.0;  ///< at that frame
  double beats = 0.0;

  friend bool operator==(const TimelineReading&, const TimelineReading&) = default;
};

struct StageReading {
  std::string slot;
  std::string plugin;
  std::uint64_t frames = 0;
  std::chrono::nanoseconds working{0};
  std::chrono::nanoseconds starved{0};  ///< waiting for input
  std::chrono::nanoseconds blocked{0};  ///< waiting for room behind it
  std::vector<QueueReading> queues;     ///< one for each input
  std::vector<std::pair<std::string, std::uint64_t>>
      counters;  ///< the plugin's own, e.g. {"lost", 0}
  std::string trouble =
      {};  ///< why the plugin does not work, and the remedy, for people; empty: it works
  LatencyReading frame_time =
      {};                     ///< what the plugin computed on one frame, waits left out; of late
  std::uint32_t helpers = 1;  ///< plugin instances that share the frames; the times are their sums
  std::uint64_t frames_passed_by =
      0;  ///< that its plugin did not make: bypassed, hurried, or it made none
  std::vector<MovingReading> moving = {};
};

/// Ends of the buckets in which frames are counted by their delay; finest where a person would begin to see
/// it.
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

/// Frames by how late they passed their deadlines; see jitter.hpp.
struct JitterReading {
  std::array<std::uint64_t, kJitterBuckets.size() + 1>
      frames{};  ///< the last: later than all buckets
  std::chrono::nanoseconds max{0};

  friend bool operator==(const JitterReading&, const JitterReading&) = default;
};

/// Where a seat's frame is. A frame that is in several places counts where the first of these has it.
enum class SeatPlace {
  free,
  making,     ///< its stage, or a stream's links, write it
  queue,      ///< from one slot to another
  stage,      ///< in the hands of a slot
  tap,        ///< a slot's newest one, for previews and snapshots; nobody else has it
  kept,       ///< by the plugin of a slot that had it: shown, or not yet acknowledged
  elsewhere,  ///< taken, and nobody known has it: somebody looks at a picture, or it is lost
};

struct SeatsReading {
  SeatPlace place = SeatPlace::free;
  std::string where = {};  ///< "clip to glow", "glow"; of several that may have it: "screen or out"
  std::uint32_t seats = 0;

  friend bool operator==(const SeatsReading&, const SeatsReading&) = default;
};

struct PoolReading {
  std::string slot;  ///< whose frames; "left (received)": those of its stream
  std::uint32_t capacity = 0;
  std::vector<SeatsReading> seats = {};  ///< where holders have them; free ones as the pool says
  std::uint32_t taken = 0;  ///< as the pool itself says: all but those that it can lend
  std::uint32_t free_but_held =
      0;  ///< that it can lend, though somebody has them: there must be none
  /// All of one moment: meanwhile no seat was lent or came back. Else frames flowed too fast for the looks.
  bool is_steady = false;
};

struct SubmixReading {
  std::string name;
  std::vector<StageReading> stages;
  std::uint64_t frames = 0;       ///< that have passed all of its terminal slots
  std::uint64_t late_frames = 0;  ///< so late that the rate was lowered for them
  std::uint64_t late_frame = 0;   ///< the last one of these
  /// Passed after their deadlines, by more than a wake-up takes; a slot that keeps a display's time takes its
  /// own with it when it goes.
  std::uint64_t missed_frames = 0;
  std::uint64_t missed_frame = 0;  ///< the last one of these
  JitterReading jitter = {};  ///< of all that were paced by the rate, or shown at a display's pace
  TimelineReading timeline = {};
  std::vector<PoolReading> pools = {};
};

enum class LinkState { connecting, open, refused };

struct LinkReading {
  std::uint32_t index = 0;
  LinkState state = LinkState::connecting;
  std::string local;  ///< "198.18.0.1:40000"
  std::string remote;
  std::string error;        ///< why it is not open, for people
  std::string warning;      ///< what makes it slower than it could be, for people
  std::uint64_t bytes = 0;  ///< sent or received, headers included
  std::uint64_t stripes = 0;
  std::uint64_t queue_bytes = 0;  ///< committed to the kernel and not yet acknowledged by TCP
  std::uint64_t queue_limit_bytes = 0;
  std::uint64_t capacity_bytes_per_second = 0;  ///< measured while it was busy; 0: not yet
  /// Carried in a second between the same two addresses, so far; 0: not known.
  std::uint64_t greatest_bytes_per_second = 0;
  /// Sender: carried of late while more waited than the way takes; 0: of late nothing had to wait.
  std::uint64_t limit_bytes_per_second = 0;
  std::chrono::nanoseconds sending{0};
  std::chrono::nanoseconds blocked{0};  ///< the link was full
  std::chrono::nanoseconds idle{0};     ///< nothing to send
  std::uint64_t reconnects = 0;
  std::uint64_t stripes_damaged = 0;  ///< receiver: their checksums were wrong
  std::chrono::nanoseconds round_trip{
      0};  ///< sender: smoothed by TCP, queues on the way included; 0: none yet
  std::uint64_t segments_retransmitted = 0;  ///< sender: by TCP
  std::uint64_t bytes_retransmitted = 0;     ///< likewise
};

/// What one end of a stream has of one epoch. All of one moment.
struct EpochReading {
  std::uint64_t epoch = 0;
  std::uint64_t first_frame = 0;  ///< receiver: where it began
  std::uint64_t next_frame =
      0;  ///< sender: of the next one that it numbers; receiver: that it releases
  std::uint64_t frames_lost = 0;          ///< receiver: of those between, can never come
  std::uint64_t frames_acknowledged = 0;  ///< sender: that many, from 0 on
  std::uint64_t frames_skipped = 0;       ///< sender: never numbered, a newer one took their place
  std::uint64_t frames_skipped_detached = 0;  ///< of these, while the receiver was detached

  friend bool operator==(const EpochReading&, const EpochReading&) = default;
};

/// One end of a stream. `frames_queued` are in flight at the sender, or waiting for the patch at the
/// receiver.
struct StreamReading {
  std::string stream;
  std::string peer;  ///< node at the other end
  bool is_sender = false;
  Size size;  ///< these two: of its frames; 0 x 0: the sender has ended
  FrameRate rate{};
  /// Of another size or rate than the show's: its patch goes on as it was until the next one runs, which has
  /// an end of its own.
  bool is_former = false;
  std::uint64_t epoch = 0;   ///< that it is in; 0: the receiver has met none, the sender has ended
  std::uint64_t frames = 0;  ///< sender: acknowledged; receiver: handed to the patch
  std::uint64_t frames_produced = 0;  ///< sender: taken from the patch; receiver: released in order
  std::uint64_t frames_dropped = 0;   ///< never anything but 0 within an epoch
  std::uint64_t frames_duplicated = 0;  ///< receiver: repeated by the hold policy
  std::uint64_t frames_skipped =
      0;  ///< sender: gave way to a newer one (policy latest, or detached)
  std::uint32_t frames_unsent = 0;  ///< sender: of the queued ones, those that no link has begun
  std::uint32_t frames_left_over =
      0;  ///< receiver: of the queued ones, released before an epoch ended
  std::uint64_t frames_copied =
      0;  ///< in shared memory: into it, or out of it because the patch keeps too many
  std::string
      detached;  ///< for people; sender: why frames pass it by; receiver: why none is waited for
  std::uint32_t frames_queued = 0;
  std::uint32_t credits = 0;            ///< frames the sender may still start
  std::chrono::nanoseconds blocked{0};  ///< sender: waited for credit; receiver: waited for frames
  LatencyReading latency;  ///< sender: from when it takes a frame until the receiver's patch has it
  std::chrono::nanoseconds round_trip{0};  ///< sender: the least of late
  std::chrono::nanoseconds clock_offset{
      0};  ///< sender: the receiver's monotonic clock less the own one
  std::vector<LinkReading> links;
  std::vector<EpochReading>
      epochs;  ///< the last ones that have ended, then `epoch`, where that is not 0
  std::uint64_t frames_forgotten = 0;  ///< receiver: released in ended epochs before these
};

/// What one network card has carried, for whomever.
struct CardReading {
  std::string name;
  std::uint64_t bytes_received = 0;
  std::uint64_t bytes_sent = 0;

  friend bool operator==(const CardReading&, const CardReading&) = default;
};

/// The whole machine of a node: what other programs do counts, too.
struct MachineReading {
  std::vector<std::chrono::nanoseconds>
      cores_busy;                  ///< in the kernel's order; a core that is off stands still
  std::uint64_t memory_bytes = 0;  ///< 0: the kernel does not say
  std::uint64_t memory_available_bytes = 0;  ///< without swapping
  std::vector<CardReading> cards;

  friend bool operator==(const MachineReading&, const MachineReading&) = default;
};

/// Whether the node's threads keep the right to go ahead of other programs. A machine that never gave the
/// right has lost nothing.
struct RealtimeReading {
  bool is_lost =
      false;  ///< a thread computed for too long without a pause, and is an ordinary one for now
  std::string reason = {};  ///< which thread, and the remedy, for people; empty: nothing is lost

  friend bool operator==(const RealtimeReading&, const RealtimeReading&) = default;
};

struct NodeReading {
  std::string node;
  std::string instance;
  std::uint64_t sequence = 0;
  std::chrono::nanoseconds uptime{0};
  bool is_paused = false;
  std::chrono::nanoseconds cpu{0};  ///< of the process and its plugin hosts
  std::uint64_t memory_bytes = 0;   ///< resident
  std::uint64_t page_faults = 0;    ///< of the process; none for a frame once its streams run
  std::uint64_t allocations =
      0;  ///< of the threads that compute and carry frames, plugins included
  std::vector<SubmixReading> submixes;
  std::vector<StreamReading> streams;
  MachineReading machine = {};
  RealtimeReading realtime = {};
};

}  // namespace submix::telemetry
