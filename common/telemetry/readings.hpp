// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// What is measured, as plain structs. All counts and times are totals since the thing began, so that a
/// lost message costs no information.
namespace submix::telemetry {

struct QueueReading {
  std::string from;  ///< the slot that fills it
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;
};

struct StageReading {
  std::string slot;
  std::string plugin;
  std::uint64_t frames = 0;
  std::chrono::nanoseconds working{0};
  std::chrono::nanoseconds starved{0};                          ///< waiting for input
  std::chrono::nanoseconds blocked{0};                          ///< waiting for room behind it
  std::vector<QueueReading> queues;                             ///< one for each input
  std::vector<std::pair<std::string, std::uint64_t>> counters;  ///< the plugin's own, e.g. {"lost", 0}
  std::string trouble = {};  ///< why the plugin does not work, and the remedy, for people; empty: it works
};

struct SubmixReading {
  std::string name;
  std::vector<StageReading> stages;
  std::uint64_t frames = 0;       ///< that have passed all of its terminal slots
  std::uint64_t late_frames = 0;  ///< so late that the rate was lowered for them
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
  std::chrono::nanoseconds sending{0};
  std::chrono::nanoseconds blocked{0};  ///< the link was full
  std::chrono::nanoseconds idle{0};     ///< nothing to send
  std::uint64_t reconnects = 0;
  std::uint64_t stripes_damaged = 0;  ///< receiver: their checksums were wrong
};

/// Of the latest delays of a kind; all 0 where none was measured.
struct LatencyReading {
  std::chrono::nanoseconds p50{0};
  std::chrono::nanoseconds p99{0};
  std::chrono::nanoseconds max{0};

  friend bool operator==(const LatencyReading&, const LatencyReading&) = default;
};

/// One end of a stream. `frames_queued` are in flight at the sender, or waiting for the patch at the
/// receiver.
struct StreamReading {
  std::string stream;
  std::string peer;  ///< node at the other end
  bool is_sender = false;
  std::uint64_t epoch = 0;
  std::uint64_t frames = 0;             ///< sender: acknowledged; receiver: handed to the patch
  std::uint64_t frames_produced = 0;    ///< sender: taken from the patch; receiver: released in order
  std::uint64_t frames_dropped = 0;     ///< never anything but 0 within an epoch
  std::uint64_t frames_duplicated = 0;  ///< receiver: repeated by the hold policy
  std::uint64_t frames_skipped = 0;     ///< sender: gave way to a newer one (policy latest, or detached)
  std::uint64_t frames_copied =
      0;                 ///< in shared memory: into it, or out of it because the patch keeps too many
  std::string detached;  ///< sender: why frames pass it by, for people; empty: they do not
  std::uint32_t frames_queued = 0;
  std::uint32_t credits = 0;            ///< frames the sender may still start
  std::chrono::nanoseconds blocked{0};  ///< sender: waited for credit; receiver: waited for frames
  LatencyReading latency;  ///< sender: from when it takes a frame until the receiver's patch has it
  std::chrono::nanoseconds round_trip{0};    ///< sender: the least of late
  std::chrono::nanoseconds clock_offset{0};  ///< sender: the receiver's monotonic clock less the own one
  std::vector<LinkReading> links;
};

struct NodeReading {
  std::string node;
  std::string instance;
  std::uint64_t sequence = 0;
  std::chrono::nanoseconds uptime{0};
  bool is_paused = false;
  std::chrono::nanoseconds cpu{0};  ///< of the process, all threads
  std::uint64_t memory_bytes = 0;   ///< resident
  std::uint64_t page_faults = 0;    ///< of the process; none for a frame once its streams run
  std::uint64_t allocations = 0;    ///< of the threads that compute and carry frames, plugins included
  std::vector<SubmixReading> submixes;
  std::vector<StreamReading> streams;
};

}  // namespace submix::telemetry
