// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the codec: the fields of telemetry::NodeReading, each named once.

#include "common/cluster/codec_limits.hpp"
#include "common/cluster/json_fields.hpp"
#include "common/cluster/messages.hpp"
#include "common/telemetry/jitter.hpp"
#include "common/telemetry/readings.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// `fields(archive, reading)`: see message_fields.hpp.
namespace submix::cluster {

// Frames are pairs, [number, references], because each message has many of them.
template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::QueueReading>& queue) {
  using telemetry::QueuedFrame;
  archive.text("from", queue.from);
  archive.integer("size", queue.size);
  archive.integer("capacity", queue.capacity);
  archive.pairs("frames", queue.frames, limits::kQueuedFrames, &QueuedFrame::number,
                &QueuedFrame::references);
  archive.integer("frames_put", queue.frames_put);
  archive.integer("frames_taken", queue.frames_taken);
  archive.integer("frames_dropped", queue.frames_dropped);
}

/// A counter of a plugin: its name and its value.
template <typename Archive>
void fields(Archive& archive, Item<Archive, std::pair<std::string, std::uint64_t>>& counter) {
  archive.text("name", counter.first);
  archive.integer("count", counter.second);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::StageReading>& stage) {
  archive.text("slot", stage.slot);
  archive.text("plugin", stage.plugin);
  archive.integer("helpers", stage.helpers);
  archive.integer("frames", stage.frames);
  archive.nanoseconds("working_ns", stage.working);
  archive.nanoseconds("starved_ns", stage.starved);
  archive.nanoseconds("blocked_ns", stage.blocked);
  archive.list("queues", stage.queues, limits::kQueues);
  archive.list("counters", stage.counters, limits::kCounters);
  archive.text("trouble", stage.trouble);
  archive.nanoseconds("frame_time_p50_ns", stage.frame_time.p50);
  archive.nanoseconds("frame_time_p99_ns", stage.frame_time.p99);
  archive.nanoseconds("frame_time_max_ns", stage.frame_time.max);
  archive.integer("frames_passed_by", stage.frames_passed_by);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::ShowCountReading>& count) {
  archive.integer("since_frame", count.since_frame);
  archive.integer("number", count.number);
}

/// A jitter bucket in a message. The end of the last bucket, which has no limit, is 0.
struct JitterBucket {
  std::uint32_t end_us = 0;
  std::uint64_t frames = 0;
};

/// The buckets that have frames.
[[nodiscard]] inline std::vector<JitterBucket> filled_buckets(
    const telemetry::JitterReading& jitter) {
  const auto& ends = telemetry::kJitterBuckets;
  std::vector<JitterBucket> buckets;
  for (std::size_t i = 0; i < jitter.frames.size(); ++i) {
    const auto end_us = i < ends.size() ? ends.at(i).count() : 0;
    const auto frames = jitter.frames.at(i);
    if (frames > 0) buckets.push_back({static_cast<std::uint32_t>(end_us), frames});
  }
  return buckets;
}

/// Adds frames to the bucket that contains the end of the sender's bucket, so that versions with
/// different buckets can work together.
inline void add_buckets(telemetry::JitterReading& jitter,
                        const std::vector<JitterBucket>& buckets) {
  for (const auto& [end_us, frames] : buckets) {
    const auto bucket = end_us == 0 ? telemetry::kJitterBuckets.size()
                                    : telemetry::jitter_bucket(std::chrono::microseconds(end_us));
    jitter.frames.at(bucket) += frames;
  }
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::JitterReading>& jitter) {
  std::vector<JitterBucket> buckets;
  if constexpr (!Archive::kIsReader) buckets = filled_buckets(jitter);

  archive.pairs("jitter", buckets, limits::kJitterBuckets, &JitterBucket::end_us,
                &JitterBucket::frames);
  archive.nanoseconds("jitter_max_ns", jitter.max);

  if constexpr (Archive::kIsReader) add_buckets(jitter, buckets);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::SeatsReading>& seats) {
  archive.choice("place", seats.place);
  archive.text("where", seats.where);
  archive.integer("seats", seats.seats);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::PoolReading>& pool) {
  archive.text("slot", pool.slot);
  archive.integer("capacity", pool.capacity);
  archive.integer("taken", pool.taken);
  archive.integer("free_but_held", pool.free_but_held);
  archive.list("seats", pool.seats, limits::kSeats);
  archive.boolean("is_steady", pool.is_steady);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::SubmixReading>& submix) {
  archive.text("name", submix.name);
  archive.list("stages", submix.stages, limits::kStages);
  archive.integer("frames", submix.frames);
  archive.integer("late_frames", submix.late_frames);
  archive.integer("late_frame", submix.late_frame);
  archive.integer("missed_frames", submix.missed_frames);
  archive.integer("missed_frame", submix.missed_frame);
  fields(archive, submix.jitter);
  archive.nanoseconds("delay_p50_ns", submix.delay.p50);
  archive.nanoseconds("delay_p99_ns", submix.delay.p99);
  archive.nanoseconds("delay_max_ns", submix.delay.max);
  archive.object("show_count", submix.show_count);
  archive.list("pools", submix.pools, limits::kPools);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::LinkReading>& link) {
  archive.integer("index", link.index);
  archive.choice("state", link.state);
  archive.text("local", link.local);
  archive.text("remote", link.remote);
  archive.text("error", link.error);
  archive.text("warning", link.warning);
  archive.integer("bytes", link.bytes);
  archive.integer("stripes", link.stripes);
  archive.integer("queue_bytes", link.queue_bytes);
  archive.integer("queue_limit_bytes", link.queue_limit_bytes);
  archive.integer("capacity_bytes_per_second", link.capacity_bytes_per_second);
  archive.integer("greatest_bytes_per_second", link.greatest_bytes_per_second);
  archive.integer("limit_bytes_per_second", link.limit_bytes_per_second);
  archive.nanoseconds("sending_ns", link.sending);
  archive.nanoseconds("blocked_ns", link.blocked);
  archive.nanoseconds("idle_ns", link.idle);
  archive.integer("reconnects", link.reconnects);
  archive.integer("stripes_damaged", link.stripes_damaged);
  archive.choice("protection", link.protection);
  archive.nanoseconds("round_trip_ns", link.round_trip);
  archive.integer("segments_retransmitted", link.segments_retransmitted);
  archive.integer("bytes_retransmitted", link.bytes_retransmitted);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::EpochReading>& epoch) {
  archive.integer("epoch", epoch.epoch);
  archive.integer("first_frame", epoch.first_frame);
  archive.integer("next_frame", epoch.next_frame);
  archive.integer("frames_lost", epoch.frames_lost);
  archive.integer("frames_acknowledged", epoch.frames_acknowledged);
  archive.integer("frames_skipped", epoch.frames_skipped);
  archive.integer("frames_skipped_detached", epoch.frames_skipped_detached);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::StreamReading>& stream) {
  archive.text("stream", stream.stream);
  archive.text("peer", stream.peer);
  archive.boolean("is_sender", stream.is_sender);
  archive.integer("width", stream.size.width);
  archive.integer("height", stream.size.height);
  archive.integer("rate_numerator", stream.rate.numerator);
  archive.integer("rate_denominator", stream.rate.denominator);
  archive.boolean("is_former", stream.is_former);
  archive.integer("epoch", stream.epoch);
  archive.integer("frames", stream.frames);
  archive.integer("frames_produced", stream.frames_produced);
  archive.integer("frames_dropped", stream.frames_dropped);
  archive.integer("frames_duplicated", stream.frames_duplicated);
  archive.integer("frames_copied", stream.frames_copied);
  archive.integer("frames_skipped", stream.frames_skipped);
  archive.text("detached", stream.detached);
  archive.integer("frames_queued", stream.frames_queued);
  archive.integer("frames_unsent", stream.frames_unsent);
  archive.integer("frames_left_over", stream.frames_left_over);
  archive.integer("frames_forgotten", stream.frames_forgotten);
  archive.integer("credits", stream.credits);
  archive.nanoseconds("blocked_ns", stream.blocked);
  archive.nanoseconds("latency_p50_ns", stream.latency.p50);
  archive.nanoseconds("latency_p99_ns", stream.latency.p99);
  archive.nanoseconds("latency_max_ns", stream.latency.max);
  archive.nanoseconds("round_trip_ns", stream.round_trip);
  archive.nanoseconds("clock_offset_ns", stream.clock_offset);
  archive.list("links", stream.links, limits::kLinks);
  archive.list("epochs", stream.epochs, limits::kEpochs);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::CardReading>& card) {
  archive.text("name", card.name);
  archive.integer("bytes_received", card.bytes_received);
  archive.integer("bytes_sent", card.bytes_sent);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::MachineReading>& machine) {
  archive.nanoseconds_list("cores_busy_ns", machine.cores_busy, limits::kCores);
  archive.integer("memory_bytes", machine.memory_bytes);
  archive.integer("memory_available_bytes", machine.memory_available_bytes);
  archive.list("cards", machine.cards, kCardsMax);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::RealtimeReading>& realtime) {
  archive.boolean("is_lost", realtime.is_lost);
  archive.text("reason", realtime.reason);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, Sound>& sound) {
  archive.number("level", sound.level);
  archive.number("bass", sound.bass);
  archive.number("mids", sound.mids);
  archive.number("highs", sound.highs);
  archive.number("onset", sound.onset);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, HeardTempo>& tempo) {
  archive.number("beats_per_minute", tempo.beats_per_minute);
  archive.number("confidence", tempo.confidence);
  archive.nanoseconds("last_beat_ns", tempo.last_beat);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::SoundReading>& sound) {
  archive.boolean("is_listening", sound.is_listening);
  archive.object("sound", sound.sound);
  archive.cut_text("trouble", sound.trouble, kTextMax - 16);
  archive.object("tempo", sound.tempo);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, telemetry::NodeReading>& reading) {
  archive.required_text("node", reading.node);
  archive.text("instance", reading.instance);
  archive.integer("sequence", reading.sequence);
  archive.nanoseconds("uptime_ns", reading.uptime);
  archive.boolean("is_paused", reading.is_paused);
  archive.nanoseconds("cpu_ns", reading.cpu);
  archive.integer("memory_bytes", reading.memory_bytes);
  archive.integer("page_faults", reading.page_faults);
  archive.integer("allocations", reading.allocations);
  archive.list("submixes", reading.submixes, limits::kSubmixes);
  archive.list("streams", reading.streams, limits::kStreams);
  archive.object("machine", reading.machine);
  archive.object("realtime", reading.realtime);
  archive.object("sound", reading.sound);
}

}  // namespace submix::cluster
