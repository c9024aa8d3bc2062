// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/status_json.hpp"

#include "common/cluster/names.hpp"
#include "common/show/text.hpp"
#include "common/telemetry/jitter.hpp"
#include "controller/model/edit/last_good_show.hpp"
#include "controller/model/verdict/alerts.hpp"
#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/verdict/critical_path.hpp"
#include "controller/model/verdict/standstill.hpp"
#include "controller/model/view/delays.hpp"
#include "controller/model/view/machine_use.hpp"
#include "controller/model/view/oscillation.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

namespace submix::cli {
namespace {

using Json = nlohmann::ordered_json;

template <typename Items, typename ToJson>
Json list_of(const Items& items, ToJson to_json) {
  auto list = Json::array();
  for (const auto& item : items)
    list.push_back(to_json(item));
  return list;
}

double milliseconds_of(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

double seconds(std::chrono::milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

template <typename Pairs>
Json object_of(const Pairs& pairs) {
  auto object = Json::object();
  for (const auto& [name, value] : pairs)
    object[name] = value;
  return object;
}

Json oscillators_json(const model::ClusterView& view, const show::Show& show) {
  auto list = Json::array();
  for (const auto& submix : show.submixes) {
    for (const auto& slot : submix.slots) {
      for (const auto& [name, oscillator] : slot.oscillators) {
        const auto value = model::value_now(view, {submix.name, slot.name}, name);
        list.push_back({{"parameter", fmt::format("{}.{}.{}", submix.name, slot.name, name)},
                        {"waveform", show::to_string(oscillator.waveform)},
                        {"period", model::period_text(oscillator)},
                        {"from", oscillator.from},
                        {"to", oscillator.to},
                        {"is_on", oscillator.is_on},
                        {"value", value ? Json(*value) : Json(nullptr)}});
      }
    }
  }
  return list;
}

Json show_json(const model::ClusterView& view) {
  if (!view.show && view.show_error.empty()) return nullptr;
  const auto show = view.show ? *view.show : show::Show();
  return {{"name", show.name},
          {"revision", view.show_revision},
          {"author", view.show_author},
          {"size", {show.size.width, show.size.height}},
          {"rate", show::to_string(show.rate)},
          {"tempo", show.tempo.beats_per_minute},
          {"master_speed", show.tempo.master_speed},
          {"oscillators", oscillators_json(view, show)},
          {"error", view.show_error}};
}

// Null: none is known.
Json good_show_json(const model::ClusterView& view) {
  if (view.good_show == nullptr) return nullptr;
  return {{"name", view.good_show->name}, {"is_present", !model::can_go_back(view)}};
}

Json card_json(const model::CardView& card) {
  const auto share = card.share();
  return {{"name", card.name},
          {"addresses", card.addresses},
          {"mtu_bytes", card.mtu_bytes},
          {"speed_mbit", card.speed_mbit},
          {"speed_max_mbit", card.speed_max_mbit},
          {"is_up", card.is_up},
          {"received_mb_per_second", card.received_mb_per_second},
          {"sent_mb_per_second", card.sent_mb_per_second},
          {"share", share ? Json(*share) : Json()}};
}

Json node_json(const model::NodeView& node) {
  return {{"name", node.name},
          {"health", to_string(node.health)},
          {"silent_s", seconds(node.silence)},
          {"unheard_mb_per_second", node.unheard_mb_per_second},
          {"host", node.host},
          {"version", node.version},
          {"cores", node.cores},
          {"cpu_cores", node.cpu_cores},
          {"core_shares", node.core_shares},
          {"machine_memory_bytes", node.machine_memory_bytes},
          {"machine_memory_available_bytes", node.machine_memory_available_bytes},
          {"cards", list_of(node.cards, card_json)},
          {"memory_bytes", node.memory_bytes},
          {"page_faults", node.page_faults},
          {"page_faults_per_second", node.page_faults_per_second},
          {"allocations", node.allocations},
          {"allocations_per_second", node.allocations_per_second},
          {"uptime_s", std::chrono::duration<double>(node.uptime).count()},
          {"show_revision", node.show_revision},
          {"is_paused", node.is_paused}};
}

Json queue_json(const telemetry::QueueReading& queue) {
  const auto frames = list_of(queue.frames, [](const telemetry::QueuedFrame& frame) {
    return Json{{"number", frame.number}, {"references", frame.references}};
  });
  return {
      {"from", queue.from}, {"size", queue.size}, {"capacity", queue.capacity}, {"frames", frames}};
}

Json slot_json(const model::StageView& stage) {
  return {{"slot", stage.slot},
          {"plugin", stage.plugin},
          {"helpers", stage.helpers},
          {"frames", stage.frames},
          {"fps", stage.fps},
          {"working", stage.shares.working},
          {"run_delay", stage.run_delay},
          {"starved", stage.shares.starved},
          {"blocked", stage.shares.blocked},
          {"frame_ms_p50", milliseconds_of(stage.frame_time.p50)},
          {"frame_ms_p99", milliseconds_of(stage.frame_time.p99)},
          {"frame_ms_max", milliseconds_of(stage.frame_time.max)},
          {"frames_passed_by", stage.frames_passed_by},
          {"still_s", seconds(stage.still_for)},
          {"queues", list_of(stage.queues, queue_json)},
          {"counters", object_of(stage.counters)},
          {"trouble", stage.trouble}};
}

// The last bucket has no upper bound: all later frames.
Json jitter_json(const telemetry::JitterReading& jitter) {
  auto buckets = Json::array();
  for (std::size_t i = 0; i < jitter.frames.size(); ++i) {
    const auto end = i < telemetry::kJitterBuckets.size()
                         ? Json(milliseconds_of(telemetry::kJitterBuckets.at(i)))
                         : Json();
    buckets.push_back({{"ms", end}, {"frames", jitter.frames.at(i)}});
  }
  return {{"frames", telemetry::frame_count(jitter)},
          {"ms_p50", milliseconds_of(telemetry::jitter_within(jitter, 0.5))},
          {"ms_p99", milliseconds_of(telemetry::jitter_within(jitter, 0.99))},
          {"ms_max", milliseconds_of(jitter.max)},
          {"buckets", std::move(buckets)}};
}

Json pool_json(const telemetry::PoolReading& pool) {
  const auto seats = list_of(pool.seats, [](const telemetry::SeatsReading& each) {
    return Json{
        {"place", cluster::name_of(each.place)}, {"where", each.where}, {"seats", each.seats}};
  });
  return {
      {"slot", pool.slot}, {"capacity", pool.capacity},           {"taken", pool.taken},
      {"seats", seats},    {"free_but_held", pool.free_but_held}, {"is_steady", pool.is_steady}};
}

Json submix_json(const model::SubmixView& submix) {
  return {{"name", submix.name},
          {"node", submix.node},
          {"state", to_string(submix.state)},
          {"error", submix.error},
          {"fps", submix.fps},
          {"frames", submix.frames},
          {"late_frames", submix.late_frames},
          {"missed_frames", submix.missed_frames},
          {"still_s", seconds(submix.still_for)},
          {"delay_ms_p50", milliseconds_of(submix.delay.p50)},
          {"delay_ms_p99", milliseconds_of(submix.delay.p99)},
          {"jitter", jitter_json(submix.jitter)},
          {"pools", list_of(submix.pools, pool_json)},
          {"slots", list_of(submix.stages, slot_json)}};
}

Json delay_json(const model::PerformerDelay& delay) {
  return {{"performer", delay.performer},
          {"output", delay.output},
          {"ms_p50", milliseconds_of(delay.p50)},
          {"ms_p99", milliseconds_of(delay.p99)}};
}

Json link_json(const model::LinkView& link) {
  return {{"index", link.index},
          {"state", cluster::name_of(link.state)},
          {"local", link.local},
          {"remote", link.remote},
          {"error", link.error},
          {"warning", link.warning},
          {"bytes", link.bytes},
          {"mb_per_second", link.mb_per_second},
          {"capacity_mb_per_second", link.capacity_mb_per_second},
          {"limit_mb_per_second", link.limit_mb_per_second},
          {"best_mb_per_second", link.best_mb_per_second()},
          {"share", link.share},
          {"round_trip_ms", milliseconds_of(link.round_trip)},
          {"segments_retransmitted", link.segments_retransmitted},
          {"bytes_retransmitted", link.bytes_retransmitted},
          {"retransmits_per_second", link.retransmits_per_second},
          {"queue_fill", link.queue_fill()},
          {"queue_bytes", link.queue_bytes},
          {"queue_limit_bytes", link.queue_limit_bytes},
          {"sending", link.shares.sending},
          {"blocked", link.shares.blocked},
          {"idle", link.shares.idle},
          {"reconnects", link.reconnects},
          {"stripes_damaged", link.stripes_damaged},
          {"protection", cluster::name_of(link.protection)}};
}

Json end_json(const model::StreamEndView& end) {
  return {{"node", end.node},
          {"size", {end.size.width, end.size.height}},
          {"epoch", end.epoch},
          {"frames", end.frames},
          {"frames_produced", end.frames_produced},
          {"frames_dropped", end.frames_dropped},
          {"frames_duplicated", end.frames_duplicated},
          {"frames_skipped", end.frames_skipped},
          {"frames_copied", end.frames_copied},
          {"detached", end.detached},
          {"frames_queued", end.frames_queued},
          {"credits", end.credits},
          {"fps", end.fps},
          {"blocked", end.blocked_share}};
}

Json next_end_json(const model::StreamEndView& end) {
  return end.node.empty() ? Json() : end_json(end);
}

Json stream_json(const model::StreamView& stream) {
  const auto& latency = stream.sender.latency;
  return {{"name", stream.name},
          {"from", show::to_string(stream.from)},
          {"to", show::to_string(stream.to)},
          {"policy", show::to_string(stream.policy)},
          {"mb_per_second", stream.mb_per_second()},
          {"latency_ms_p50", milliseconds_of(latency.p50)},
          {"latency_ms_p99", milliseconds_of(latency.p99)},
          {"latency_ms_max", milliseconds_of(latency.max)},
          {"round_trip_ms", milliseconds_of(stream.sender.round_trip)},
          {"clock_offset_ms", milliseconds_of(stream.sender.clock_offset)},
          {"sender", end_json(stream.sender)},
          {"receiver", end_json(stream.receiver)},
          {"next_sender", next_end_json(stream.next_sender)},
          {"next_receiver", next_end_json(stream.next_receiver)},
          {"links", list_of(stream.links(), link_json)}};
}

Json event_json(const model::EventView& view) {
  return {{"node", view.event.node},
          {"severity", model::word_of(view.event.severity)},
          {"about", view.event.about},
          {"text", view.event.text},
          {"count", view.count}};
}

Json step_json(const model::BottleneckStep& step) {
  return {{"name", step.name},
          {"node", step.node},
          {"fps", step.fps},
          {"working", step.working},
          {"starved", step.starved},
          {"blocked", step.blocked},
          {"mb_per_second", step.mb_per_second}};
}

Json held_json(const model::HeldInput& held) {
  return {
      {"stream", held.stream}, {"node", held.node}, {"fps", held.fps}, {"sentence", held.sentence}};
}

constexpr std::array<std::string_view, 4> kBoxKinds{"slot", "queue", "links", "submix"};

/// A box on the way back from the output: a slot, queue, stream or submix.
Json box_json(const model::PathBox& box) {
  return {{"kind", kBoxKinds.at(static_cast<std::size_t>(box.kind))},
          {"name", box.name},
          {"node", box.node},
          {"state", to_string(box.state)},
          {"is_limit", box.is_limit},
          {"queued", box.queued},
          {"capacity", box.capacity},
          {"remark", box.remark}};
}

Json machine_json(const model::ClusterView& view, const model::NodeView& node) {
  const auto use = model::machine_use(view, node);
  return {{"node", node.name},
          {"host", node.host},
          {"cores", node.cores},
          {"cores_used", use.all_cores},
          {"cores_used_by_nodes", use.node_cores},
          {"nodes", use.nodes},
          {"share", use.share_of(node.cores)},
          {"core_shares", node.core_shares},
          {"memory_available_bytes", node.machine_memory_available_bytes}};
}

/// The places of frames in a standstill: queues, and ends of streams.
Json waiting_json(const model::ClusterView& view) {
  auto list = Json::array();
  for (const auto& submix : view.submixes) {
    for (const auto& stage : submix.stages) {
      for (const auto& queue : stage.queues) {
        if (queue.size == 0) continue;
        list.push_back({{"edge", fmt::format("{}.{} to {}.{}", submix.name, queue.from, submix.name,
                                             stage.slot)},
                        {"frames", queue.size},
                        {"capacity", queue.capacity}});
      }
    }
  }
  for (const auto& stream : view.streams) {
    const auto in_flight = stream.sender.frames_queued;
    const auto waiting = stream.receiver.frames_queued;
    if (in_flight + waiting == 0) continue;
    list.push_back({{"edge", "stream " + stream.name},
                    {"frames", in_flight},
                    {"capacity", in_flight + stream.sender.credits},
                    {"at_receiver", waiting}});
  }
  return list;
}

Json standstill_json(const model::ClusterView& view) {
  const auto causes =
      list_of(model::find_standstill_causes(view), [](const model::StandstillCause& cause) {
        return Json{{"text", cause.text},
                    {"node", cause.node},
                    {"submix", cause.submix},
                    {"slot", cause.slot},
                    {"stream", cause.stream}};
      });
  return {{"causes", causes}, {"waiting", waiting_json(view)}};
}

/// The measurements behind the verdict. Null where the verdict has no slot, stream or node.
Json figures_json(const model::ClusterView& view, const model::Bottleneck& bottleneck) {
  using Kind = model::Bottleneck::Kind;
  Json figures{
      {"slot", nullptr}, {"stream", nullptr}, {"machine", nullptr}, {"standstill", nullptr}};
  if (const auto* submix = view.find_submix(bottleneck.submix)) {
    const auto* stage = submix->find_stage(bottleneck.slot);
    if (stage != nullptr) figures["slot"] = slot_json(*stage);
  }
  if (const auto* stream = view.find_stream(bottleneck.stream))
    figures["stream"] = stream_json(*stream);
  if (const auto* node = view.find_node(bottleneck.node)) {
    figures["machine"] = machine_json(view, *node);
    figures["machine"]["health"] = to_string(node->health);
    figures["machine"]["silent_s"] = seconds(node->silence);
  }
  if (bottleneck.kind == Kind::standstill) figures["standstill"] = standstill_json(view);
  return figures;
}

// Without a limit, the steps lead to a source.
Json to_json(const model::ClusterView& view, const model::Bottleneck& bottleneck) {
  const auto steps = bottleneck.steps.empty() ? model::way_to_the_source(view) : bottleneck.steps;
  return {
      {"kind", to_string(bottleneck.kind)},
      {"sentence", bottleneck.sentence},
      {"fps", bottleneck.fps},
      {"wanted_fps", bottleneck.wanted_fps},
      {"still_s", seconds(bottleneck.still_for)},
      {"path", list_of(steps, [](const model::BottleneckStep& step) { return Json(step.name); })},
      {"steps", list_of(steps, step_json)},
      {"boxes", list_of(model::critical_path(view, bottleneck), box_json)},
      {"figures", figures_json(view, bottleneck)},
      {"node", bottleneck.node},
      {"submix", bottleneck.submix},
      {"slot", bottleneck.slot},
      {"frame_ms", bottleneck.frame_ms},
      {"stream", bottleneck.stream},
      {"link", bottleneck.link ? Json(*bottleneck.link) : Json()},
      {"mb_per_second", bottleneck.mb_per_second},
      {"mb_per_second_needed", bottleneck.mb_per_second_needed},
      {"held", list_of(bottleneck.held, held_json)}};
}

// Foreign texts may be no UTF-8, but the output must be JSON.
std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string bottleneck_json(const model::ClusterView& view, const model::Bottleneck& bottleneck,
                            const std::string& remedy) {
  Json json = to_json(view, bottleneck);
  json["remedy"] = remedy.empty() ? Json() : Json(remedy);
  return to_text(json);
}

std::string status_json(const model::ClusterView& view) {
  const Json status{{"connection",
                     {{"state", to_string(view.connection)},
                      {"text", view.connection_text},
                      {"is_store_silent", view.is_store_silent}}},
                    {"show", show_json(view)},
                    {"last_good_show", good_show_json(view)},
                    {"transport",
                     {{"is_paused", view.transport.is_paused},
                      {"steps", view.transport.steps},
                      {"is_black", view.transport.is_black},
                      {"is_frozen", view.transport.is_frozen},
                      {"has_test_cards", view.transport.has_test_cards},
                      {"author", view.transport.author}}},
                    {"fps", view.master_fps},
                    {"waits_for", model::standstill_lines(view)},
                    {"bottleneck", to_json(view, model::find_bottleneck(view))},
                    {"nodes", list_of(view.nodes, node_json)},
                    {"submixes", list_of(view.submixes, submix_json)},
                    {"delays", list_of(model::find_delays(view), delay_json)},
                    {"streams", list_of(view.streams, stream_json)},
                    {"checks", object_of(view.checker_counters())},
                    {"events", list_of(view.events, event_json)}};
  return to_text(status);
}

}  // namespace submix::cli
