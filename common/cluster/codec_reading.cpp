// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/codec.hpp"
#include "common/cluster/json_fields.hpp"

namespace submix::cluster {
namespace {

using namespace telemetry;

// A node's limits with room to spare; they bound what a hostile message can make us hold.
constexpr std::size_t kSubmixesMax = 256;
constexpr std::size_t kStagesMax = 256;
constexpr std::size_t kQueuesMax = 64;
constexpr std::size_t kCountersMax = 64;
constexpr std::size_t kStreamsMax = 512;
constexpr std::size_t kLinksMax = 64;

constexpr Names<3> kLinkStates{"connecting", "open", "refused"};

Json stage_to_json(const StageReading& stage) {
  auto queues = Json::array();
  for (const auto& queue : stage.queues) {
    queues.push_back({{"from", queue.from}, {"size", queue.size}, {"capacity", queue.capacity}});
  }
  auto counters = Json::array();
  for (const auto& [name, count] : stage.counters)
    counters.push_back({{"name", name}, {"count", count}});
  return {{"slot", stage.slot},
          {"plugin", stage.plugin},
          {"frames", stage.frames},
          {"working_ns", stage.working.count()},
          {"starved_ns", stage.starved.count()},
          {"blocked_ns", stage.blocked.count()},
          {"queues", std::move(queues)},
          {"counters", std::move(counters)},
          {"trouble", stage.trouble}};
}

void read_stage(Fields& fields, StageReading& stage) {
  fields.text("slot", stage.slot);
  fields.text("plugin", stage.plugin);
  fields.integer("frames", stage.frames);
  fields.nanoseconds("working_ns", stage.working);
  fields.nanoseconds("starved_ns", stage.starved);
  fields.nanoseconds("blocked_ns", stage.blocked);
  fields.text("trouble", stage.trouble);
  fields.list("queues", stage.queues, kQueuesMax, [](Fields& item, QueueReading& queue) {
    item.text("from", queue.from);
    item.integer("size", queue.size);
    item.integer("capacity", queue.capacity);
  });
  fields.list("counters", stage.counters, kCountersMax,
              [](Fields& item, std::pair<std::string, std::uint64_t>& counter) {
                item.text("name", counter.first);
                item.integer("count", counter.second);
              });
}

void read_submix(Fields& fields, SubmixReading& submix) {
  fields.text("name", submix.name);
  fields.list("stages", submix.stages, kStagesMax, read_stage);
  fields.integer("frames", submix.frames);
  fields.integer("late_frames", submix.late_frames);
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
          {"sending_ns", link.sending.count()},
          {"blocked_ns", link.blocked.count()},
          {"idle_ns", link.idle.count()},
          {"reconnects", link.reconnects},
          {"stripes_damaged", link.stripes_damaged}};
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
  fields.nanoseconds("sending_ns", link.sending);
  fields.nanoseconds("blocked_ns", link.blocked);
  fields.nanoseconds("idle_ns", link.idle);
  fields.integer("reconnects", link.reconnects);
  fields.integer("stripes_damaged", link.stripes_damaged);
}

Json stream_to_json(const StreamReading& stream) {
  auto links = Json::array();
  for (const auto& link : stream.links)
    links.push_back(link_to_json(link));
  return {{"stream", stream.stream},
          {"peer", stream.peer},
          {"is_sender", stream.is_sender},
          {"epoch", stream.epoch},
          {"frames", stream.frames},
          {"frames_produced", stream.frames_produced},
          {"frames_dropped", stream.frames_dropped},
          {"frames_duplicated", stream.frames_duplicated},
          {"frames_copied", stream.frames_copied},
          {"frames_skipped", stream.frames_skipped},
          {"detached", stream.detached},
          {"frames_queued", stream.frames_queued},
          {"credits", stream.credits},
          {"blocked_ns", stream.blocked.count()},
          {"latency_p50_ns", stream.latency.p50.count()},
          {"latency_p99_ns", stream.latency.p99.count()},
          {"latency_max_ns", stream.latency.max.count()},
          {"round_trip_ns", stream.round_trip.count()},
          {"clock_offset_ns", stream.clock_offset.count()},
          {"links", std::move(links)}};
}

void read_stream(Fields& fields, StreamReading& stream) {
  fields.text("stream", stream.stream);
  fields.text("peer", stream.peer);
  fields.boolean("is_sender", stream.is_sender);
  fields.integer("epoch", stream.epoch);
  fields.integer("frames", stream.frames);
  fields.integer("frames_produced", stream.frames_produced);
  fields.integer("frames_dropped", stream.frames_dropped);
  fields.integer("frames_duplicated", stream.frames_duplicated);
  fields.integer("frames_copied", stream.frames_copied);
  fields.integer("frames_skipped", stream.frames_skipped);
  fields.text("detached", stream.detached);
  fields.integer("frames_queued", stream.frames_queued);
  fields.integer("credits", stream.credits);
  fields.nanoseconds("blocked_ns", stream.blocked);
  fields.nanoseconds("latency_p50_ns", stream.latency.p50);
  fields.nanoseconds("latency_p99_ns", stream.latency.p99);
  fields.nanoseconds("latency_max_ns", stream.latency.max);
  fields.nanoseconds("round_trip_ns", stream.round_trip);
  fields.nanoseconds("clock_offset_ns", stream.clock_offset);
  fields.list("links", stream.links, kLinksMax, read_link);
}

}  // namespace

std::string encode(const NodeReading& message) {
  auto submixes = Json::array();
  for (const auto& submix : message.submixes) {
    auto stages = Json::array();
    for (const auto& stage : submix.stages)
      stages.push_back(stage_to_json(stage));
    submixes.push_back({{"name", submix.name},
                        {"stages", std::move(stages)},
                        {"frames", submix.frames},
                        {"late_frames", submix.late_frames}});
  }
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
               {"streams", std::move(streams)}});
}

template <>
Result<NodeReading> decode(std::string_view text) {
  return decode_object<NodeReading>(text, kMessageBytesMax, "reading",
                                    [](Fields& fields, NodeReading& message) {
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
                                    });
}

}  // namespace submix::cluster
