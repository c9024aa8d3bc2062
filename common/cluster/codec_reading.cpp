// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/codec.hpp"
#include "common/cluster/json_fields.hpp"
#include "common/telemetry/jitter.hpp"

namespace submix::cluster {
namespace {

using namespace telemetry;

// A node's limits with room to spare; they bound what a hostile message can make us hold.
constexpr std::size_t kSubmixesMax = 256;
constexpr std::size_t kStagesMax = 256;
constexpr std::size_t kQueuesMax = 64;
constexpr std::size_t kQueuedFramesMax = 64;
constexpr std::size_t kJitterBucketsMax = 256;
constexpr std::size_t kSeatsMax = 1024;
constexpr std::size_t kCountersMax = 64;
constexpr std::size_t kMovingMax = 256;
constexpr std::size_t kStreamsMax = 512;
constexpr std::size_t kLinksMax = 64;
constexpr std::size_t kEpochsMax = 64;
constexpr std::size_t kCoresMax = 4096;

constexpr Names<7> kSeatPlaces{"free", "making", "queue", "stage", "tap", "kept", "elsewhere"};
constexpr Names<3> kLinkStates{"connecting", "open", "refused"};

// Frames as pairs, [number, references]: there are many of them in each message.
Json queue_to_json(const QueueReading& queue) {
  auto frames = Json::array();
  for (const auto& frame : queue.frames)
    frames.push_back(Json::array({frame.number, frame.references}));
  return {{"from", queue.from},
          {"size", queue.size},
          {"capacity", queue.capacity},
          {"frames", std::move(frames)},
          {"frames_put", queue.frames_put},
          {"frames_taken", queue.frames_taken},
          {"frames_dropped", queue.frames_dropped}};
}

void read_queue(Fields& fields, QueueReading& queue) {
  fields.text("from", queue.from);
  fields.integer("size", queue.size);
  fields.integer("capacity", queue.capacity);
  fields.integer("frames_put", queue.frames_put);
  fields.integer("frames_taken", queue.frames_taken);
  fields.integer("frames_dropped", queue.frames_dropped);
  fields.pairs<std::uint64_t, std::uint32_t>(
      "frames", kQueuedFramesMax, [&queue](std::uint64_t number, std::uint32_t references) {
        queue.frames.push_back({number, references});
      });
}

Json stage_to_json(const StageReading& stage) {
  auto queues = Json::array();
  for (const auto& queue : stage.queues)
    queues.push_back(queue_to_json(queue));
  auto counters = Json::array();
  for (const auto& [name, count] : stage.counters)
    counters.push_back({{"name", name}, {"count", count}});
  auto moving = Json::array();
  for (const auto& [parameter, phase, start] : stage.moving)
    moving.push_back({{"parameter", parameter}, {"phase", phase}, {"start", start}});
  return {{"slot", stage.slot},
          {"plugin", stage.plugin},
          {"helpers", stage.helpers},
          {"frames", stage.frames},
          {"working_ns", stage.working.count()},
          {"starved_ns", stage.starved.count()},
          {"blocked_ns", stage.blocked.count()},
          {"queues", std::move(queues)},
          {"counters", std::move(counters)},
          {"trouble", stage.trouble},
          {"frame_time_p50_ns", stage.frame_time.p50.count()},
          {"frame_time_p99_ns", stage.frame_time.p99.count()},
          {"frame_time_max_ns", stage.frame_time.max.count()},
          {"frames_passed_by", stage.frames_passed_by},
          {"moving", std::move(moving)}};
}

void read_stage(Fields& fields, StageReading& stage) {
  fields.text("slot", stage.slot);
  fields.text("plugin", stage.plugin);
  fields.integer("helpers", stage.helpers);
  fields.integer("frames", stage.frames);
  fields.nanoseconds("working_ns", stage.working);
  fields.nanoseconds("starved_ns", stage.starved);
  fields.nanoseconds("blocked_ns", stage.blocked);
  fields.text("trouble", stage.trouble);
  fields.nanoseconds("frame_time_p50_ns", stage.frame_time.p50);
  fields.nanoseconds("frame_time_p99_ns", stage.frame_time.p99);
  fields.nanoseconds("frame_time_max_ns", stage.frame_time.max);
  fields.integer("frames_passed_by", stage.frames_passed_by);
  fields.list("queues", stage.queues, kQueuesMax, read_queue);
  fields.list("counters", stage.counters, kCountersMax,
              [](Fields& item, std::pair<std::string, std::uint64_t>& counter) {
                item.text("name", counter.first);
                item.integer("count", counter.second);
              });
  fields.list("moving", stage.moving, kMovingMax, [](Fields& item, MovingReading& moving) {
    item.text("parameter", moving.parameter);
    item.number("phase", moving.phase);
    item.number("start", moving.start);
  });
}

Json timeline_to_json(const TimelineReading& timeline) {
  return {{"beats_per_minute", timeline.beats_per_minute},
          {"master_speed", timeline.master_speed},
          {"since_frame", timeline.since_frame},
          {"seconds", timeline.seconds},
          {"beats", timeline.beats}};
}

void read_timeline(Fields& fields, TimelineReading& timeline) {
  fields.number("beats_per_minute", timeline.beats_per_minute);
  fields.number("master_speed", timeline.master_speed);
  fields.integer("since_frame", timeline.since_frame);
  fields.number("seconds", timeline.seconds);
  fields.number("beats", timeline.beats);
}

// Pairs, [end of the bucket in µs, frames], of those that have any; 0: of what is later than all buckets. So
// versions with other buckets can meet.
Json jitter_to_json(const JitterReading& jitter) {
  auto buckets = Json::array();
  for (std::size_t i = 0; i < jitter.frames.size(); ++i) {
    const auto end = i < kJitterBuckets.size() ? kJitterBuckets.at(i).count() : 0;
    if (jitter.frames.at(i) > 0) buckets.push_back(Json::array({end, jitter.frames.at(i)}));
  }
  return buckets;
}

void read_jitter(Fields& fields, JitterReading& jitter) {
  fields.nanoseconds("jitter_max_ns", jitter.max);
  fields.pairs<std::uint32_t, std::uint64_t>(
      "jitter", kJitterBucketsMax, [&jitter](std::uint32_t end_us, std::uint64_t frames) {
        const auto bucket =
            end_us == 0 ? kJitterBuckets.size() : jitter_bucket(std::chrono::microseconds(end_us));
        jitter.frames.at(bucket) += frames;
      });
}

Json pool_to_json(const PoolReading& pool) {
  auto seats = Json::array();
  for (const auto& each : pool.seats) {
    seats.push_back({{"place", kSeatPlaces.at(static_cast<std::size_t>(each.place))},
                     {"where", each.where},
                     {"seats", each.seats}});
  }
  return {{"slot", pool.slot},         {"capacity", pool.capacity},
          {"taken", pool.taken},       {"free_but_held", pool.free_but_held},
          {"seats", std::move(seats)}, {"is_steady", pool.is_steady}};
}

void read_pool(Fields& fields, PoolReading& pool) {
  fields.text("slot", pool.slot);
  fields.integer("capacity", pool.capacity);
  fields.integer("taken", pool.taken);
  fields.integer("free_but_held", pool.free_but_held);
  fields.boolean("is_steady", pool.is_steady);
  fields.list("seats", pool.seats, kSeatsMax, [](Fields& item, SeatsReading& seats) {
    item.choice("place", seats.place, kSeatPlaces);
    item.text("where", seats.where);
    item.integer("seats", seats.seats);
  });
}

Json submix_to_json(const SubmixReading& submix) {
  auto stages = Json::array();
  for (const auto& stage : submix.stages)
    stages.push_back(stage_to_json(stage));
  auto pools = Json::array();
  for (const auto& pool : submix.pools)
    pools.push_back(pool_to_json(pool));
  return {{"name", submix.name},
          {"stages", std::move(stages)},
          {"frames", submix.frames},
          {"late_frames", submix.late_frames},
          {"late_frame", submix.late_frame},
          {"missed_frames", submix.missed_frames},
          {"missed_frame", submix.missed_frame},
          {"jitter", jitter_to_json(submix.jitter)},
          {"jitter_max_ns", submix.jitter.max.count()},
          {"timeline", timeline_to_json(submix.timeline)},
          {"pools", std::move(pools)}};
}

void read_submix(Fields& fields, SubmixReading& submix) {
  fields.text("name", submix.name);
  fields.list("stages", submix.stages, kStagesMax, read_stage);
  fields.integer("frames", submix.frames);
  fields.integer("late_frames", submix.late_frames);
  fields.integer("late_frame", submix.late_frame);
  fields.integer("missed_frames", submix.missed_frames);
  fields.integer("missed_frame", submix.missed_frame);
  read_jitter(fields, submix.jitter);
  fields.object("timeline", submix.timeline, read_timeline);
  fields.list("pools", submix.pools, 2 * kStagesMax, read_pool);
}

Json link_to_json(const LinkReading& link) {
  return {{"index", link.index},
          {"state", kLinkStates.at(static_cast<std::size_t>(link.state))},
          {"local", link.local},
          {"remote", link.remote},
          {"error", link.error},
          {"warning", link.warning},
          {"bytes", link.bytes},
          {"stripes", link.stripes},
          {"queue_bytes", link.queue_bytes},
          {"queue_limit_bytes", link.queue_limit_bytes},
          {"capacity_bytes_per_second", link.capacity_bytes_per_second},
          {"greatest_bytes_per_second", link.greatest_bytes_per_second},
          {"limit_bytes_per_second", link.limit_bytes_per_second},
          {"sending_ns", link.sending.count()},
          {"blocked_ns", link.blocked.count()},
          {"idle_ns", link.idle.count()},
          {"reconnects", link.reconnects},
          {"stripes_damaged", link.stripes_damaged},
          {"round_trip_ns", link.round_trip.count()},
          {"segments_retransmitted", link.segments_retransmitted},
          {"bytes_retransmitted", link.bytes_retransmitted}};
}

void read_link(Fields& fields, LinkReading& link) {
  fields.integer("index", link.index);
  fields.choice("state", link.state, kLinkStates);
  fields.text("local", link.local);
  fields.text("remote", link.remote);
  fields.text("error", link.error);
  fields.text("warning", link.warning);
  fields.integer("bytes", link.bytes);
  fields.integer("stripes", link.stripes);
  fields.integer("queue_bytes", link.queue_bytes);
  fields.integer("queue_limit_bytes", link.queue_limit_bytes);
  fields.integer("capacity_bytes_per_second", link.capacity_bytes_per_second);
  fields.integer("greatest_bytes_per_second", link.greatest_bytes_per_second);
  fields.integer("limit_bytes_per_second", link.limit_bytes_per_second);
  fields.nanoseconds("sending_ns", link.sending);
  fields.nanoseconds("blocked_ns", link.blocked);
  fields.nanoseconds("idle_ns", link.idle);
  fields.integer("reconnects", link.reconnects);
  fields.integer("stripes_damaged", link.stripes_damaged);
  fields.nanoseconds("round_trip_ns", link.round_trip);
  fields.integer("segments_retransmitted", link.segments_retransmitted);
  fields.integer("bytes_retransmitted", link.bytes_retransmitted);
}

Json epoch_to_json(const EpochReading& epoch) {
  return {{"epoch", epoch.epoch},
          {"first_frame", epoch.first_frame},
          {"next_frame", epoch.next_frame},
          {"frames_lost", epoch.frames_lost},
          {"frames_acknowledged", epoch.frames_acknowledged},
          {"frames_skipped", epoch.frames_skipped},
          {"frames_skipped_detached", epoch.frames_skipped_detached}};
}

void read_epoch(Fields& fields, EpochReading& epoch) {
  fields.integer("epoch", epoch.epoch);
  fields.integer("first_frame", epoch.first_frame);
  fields.integer("next_frame", epoch.next_frame);
  fields.integer("frames_lost", epoch.frames_lost);
  fields.integer("frames_acknowledged", epoch.frames_acknowledged);
  fields.integer("frames_skipped", epoch.frames_skipped);
  fields.integer("frames_skipped_detached", epoch.frames_skipped_detached);
}

Json stream_to_json(const StreamReading& stream) {
  auto links = Json::array();
  for (const auto& link : stream.links)
    links.push_back(link_to_json(link));
  auto epochs = Json::array();
  for (const auto& epoch : stream.epochs)
    epochs.push_back(epoch_to_json(epoch));
  return {{"stream", stream.stream},
          {"peer", stream.peer},
          {"is_sender", stream.is_sender},
          {"width", stream.size.width},
          {"height", stream.size.height},
          {"rate_numerator", stream.rate.numerator},
          {"rate_denominator", stream.rate.denominator},
          {"is_former", stream.is_former},
          {"epoch", stream.epoch},
          {"frames", stream.frames},
          {"frames_produced", stream.frames_produced},
          {"frames_dropped", stream.frames_dropped},
          {"frames_duplicated", stream.frames_duplicated},
          {"frames_copied", stream.frames_copied},
          {"frames_skipped", stream.frames_skipped},
          {"detached", stream.detached},
          {"frames_queued", stream.frames_queued},
          {"frames_unsent", stream.frames_unsent},
          {"frames_left_over", stream.frames_left_over},
          {"frames_forgotten", stream.frames_forgotten},
          {"credits", stream.credits},
          {"blocked_ns", stream.blocked.count()},
          {"latency_p50_ns", stream.latency.p50.count()},
          {"latency_p99_ns", stream.latency.p99.count()},
          {"latency_max_ns", stream.latency.max.count()},
          {"round_trip_ns", stream.round_trip.count()},
          {"clock_offset_ns", stream.clock_offset.count()},
          {"links", std::move(links)},
          {"epochs", std::move(epochs)}};
}

void read_stream(Fields& fields, StreamReading& stream) {
  fields.text("stream", stream.stream);
  fields.text("peer", stream.peer);
  fields.boolean("is_sender", stream.is_sender);
  fields.integer("width", stream.size.width);
  fields.integer("height", stream.size.height);
  fields.integer("rate_numerator", stream.rate.numerator);
  fields.integer("rate_denominator", stream.rate.denominator);
  fields.boolean("is_former", stream.is_former);
  fields.integer("epoch", stream.epoch);
  fields.integer("frames", stream.frames);
  fields.integer("frames_produced", stream.frames_produced);
  fields.integer("frames_dropped", stream.frames_dropped);
  fields.integer("frames_duplicated", stream.frames_duplicated);
  fields.integer("frames_copied", stream.frames_copied);
  fields.integer("frames_skipped", stream.frames_skipped);
  fields.text("detached", stream.detached);
  fields.integer("frames_queued", stream.frames_queued);
  fields.integer("frames_unsent", stream.frames_unsent);
  fields.integer("frames_left_over", stream.frames_left_over);
  fields.integer("frames_forgotten", stream.frames_forgotten);
  fields.integer("credits", stream.credits);
  fields.nanoseconds("blocked_ns", stream.blocked);
  fields.nanoseconds("latency_p50_ns", stream.latency.p50);
  fields.nanoseconds("latency_p99_ns", stream.latency.p99);
  fields.nanoseconds("latency_max_ns", stream.latency.max);
  fields.nanoseconds("round_trip_ns", stream.round_trip);
  fields.nanoseconds("clock_offset_ns", stream.clock_offset);
  fields.list("links", stream.links, kLinksMax, read_link);
  fields.list("epochs", stream.epochs, kEpochsMax, read_epoch);
}

Json machine_to_json(const MachineReading& machine) {
  auto cores = Json::array();
  for (const auto busy : machine.cores_busy)
    cores.push_back(busy.count());
  auto cards = Json::array();
  for (const auto& card : machine.cards) {
    cards.push_back({{"name", card.name},
                     {"bytes_received", card.bytes_received},
                     {"bytes_sent", card.bytes_sent}});
  }
  return {{"cores_busy_ns", std::move(cores)},
          {"memory_bytes", machine.memory_bytes},
          {"memory_available_bytes", machine.memory_available_bytes},
          {"cards", std::move(cards)}};
}

void read_machine(Fields& fields, MachineReading& machine) {
  fields.integers<std::int64_t>("cores_busy_ns", kCoresMax, [&machine](std::int64_t busy) {
    machine.cores_busy.emplace_back(busy);
  });
  fields.integer("memory_bytes", machine.memory_bytes);
  fields.integer("memory_available_bytes", machine.memory_available_bytes);
  fields.list("cards", machine.cards, kCardsMax, [](Fields& item, CardReading& card) {
    item.text("name", card.name);
    item.integer("bytes_received", card.bytes_received);
    item.integer("bytes_sent", card.bytes_sent);
  });
}

Json realtime_to_json(const RealtimeReading& realtime) {
  return {{"is_lost", realtime.is_lost}, {"reason", realtime.reason}};
}

void read_realtime(Fields& fields, RealtimeReading& realtime) {
  fields.boolean("is_lost", realtime.is_lost);
  fields.text("reason", realtime.reason);
}

}  // namespace

std::string encode(const NodeReading& message) {
  auto submixes = Json::array();
  for (const auto& submix : message.submixes)
    submixes.push_back(submix_to_json(submix));
  auto streams = Json::array();
  for (const auto& stream : message.streams)
    streams.push_back(stream_to_json(stream));
  return dump({{"node", message.node},
               {"instance", message.instance},
               {"sequence", message.sequence},
               {"uptime_ns", message.uptime.count()},
               {"is_paused", message.is_paused},
               {"cpu_ns", message.cpu.count()},
               {"memory_bytes", message.memory_bytes},
               {"page_faults", message.page_faults},
               {"allocations", message.allocations},
               {"submixes", std::move(submixes)},
               {"streams", std::move(streams)},
               {"machine", machine_to_json(message.machine)},
               {"realtime", realtime_to_json(message.realtime)}});
}

template <>
Result<NodeReading> decode(std::string_view text) {
  return decode_object<NodeReading>(
      text, kMessageBytesMax, "reading", [](Fields& fields, NodeReading& message) {
        fields.text("node", message.node);
        if (message.node.empty()) fields.complain("node", "is missing");
        fields.text("instance", message.instance);
        fields.integer("sequence", message.sequence);
        fields.nanoseconds("uptime_ns", message.uptime);
        fields.boolean("is_paused", message.is_paused);
        fields.nanoseconds("cpu_ns", message.cpu);
        fields.integer("memory_bytes", message.memory_bytes);
        fields.integer("page_faults", message.page_faults);
        fields.integer("allocations", message.allocations);
        fields.list("submixes", message.submixes, kSubmixesMax, read_submix);
        fields.list("streams", message.streams, kStreamsMax, read_stream);
        fields.object("machine", message.machine, read_machine);
        fields.object("realtime", message.realtime, read_realtime);
      });
}

}  // namespace submix::cluster
