// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/status_json.hpp"

#include "common/show/text.hpp"
#include "controller/model/bottleneck.hpp"
#include "controller/model/holdup.hpp"

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

namespace submix::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kLinkStates{"connecting", "open", "refused"};
constexpr std::array<std::string_view, 3> kSeverities{"note", "warning", "fault"};

template <typename Items, typename ToJson>
Json list_of(const Items& items, ToJson to_json) {
  auto list = Json::array();
  for (const auto& item : items)
    list.push_back(to_json(item));
  return list;
}

template <typename Pairs>
Json object_of(const Pairs& pairs) {
  auto object = Json::object();
  for (const auto& [name, value] : pairs)
    object[name] = value;
  return object;
}

Json show_json(const model::ClusterView& view) {
  if (!view.show && view.show_error.empty()) return nullptr;
  const auto show = view.show ? *view.show : show::Show();
  return {{"name", show.name},
          {"revision", view.show_revision},
          {"author", view.show_author},
          {"size", {show.size.width, show.size.height}},
          {"rate", show::to_string(show.rate)},
          {"error", view.show_error}};
}

Json node_json(const model::NodeView& node) {
  return {{"name", node.name},
          {"health", to_string(node.health)},
          {"host", node.host},
          {"version", node.version},
          {"cores", node.cores},
          {"cpu_cores", node.cpu_cores},
          {"memory_bytes", node.memory_bytes},
          {"page_faults", node.page_faults},
          {"page_faults_per_second", node.page_faults_per_second},
          {"allocations", node.allocations},
          {"allocations_per_second", node.allocations_per_second},
          {"uptime_s", std::chrono::duration<double>(node.uptime).count()},
          {"show_revision", node.show_revision},
          {"is_paused", node.is_paused}};
}

Json slot_json(const model::StageView& stage) {
  return {{"slot", stage.slot},
          {"plugin", stage.plugin},
          {"frames", stage.frames},
          {"fps", stage.fps},
          {"working", stage.shares.working},
          {"starved", stage.shares.starved},
          {"blocked", stage.shares.blocked},
          {"queues", list_of(stage.queues,
                             [](const telemetry::QueueReading& queue) {
                               return Json{
                                   {"from", queue.from}, {"size", queue.size}, {"capacity", queue.capacity}};
                             })},
          {"counters", object_of(stage.counters)},
          {"trouble", stage.trouble}};
}

Json submix_json(const model::SubmixView& submix) {
  return {{"name", submix.name},
          {"node", submix.node},
          {"state", to_string(submix.state)},
          {"error", submix.error},
          {"fps", submix.fps},
          {"frames", submix.frames},
          {"late_frames", submix.late_frames},
          {"slots", list_of(submix.stages, slot_json)}};
}

Json link_json(const model::LinkView& link) {
  return {{"index", link.index},
          {"state", kLinkStates.at(static_cast<std::size_t>(link.state))},
          {"local", link.local},
          {"remote", link.remote},
          {"error", link.error},
          {"warning", link.warning},
          {"bytes", link.bytes},
          {"mb_per_second", link.mb_per_second},
          {"queue_fill", link.queue_fill()},
          {"queue_bytes", link.queue_bytes},
          {"queue_limit_bytes", link.queue_limit_bytes},
          {"sending", link.shares.sending},
          {"blocked", link.shares.blocked},
          {"idle", link.shares.idle},
          {"reconnects", link.reconnects},
          {"stripes_damaged", link.stripes_damaged}};
}

Json end_json(const model::StreamEndView& end) {
  return {{"node", end.node},
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

double milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

Json stream_json(const model::StreamView& stream) {
  const auto& latency = stream.sender.latency;
  return {{"name", stream.name},
          {"from", show::to_string(stream.from)},
          {"to", show::to_string(stream.to)},
          {"policy", show::to_string(stream.policy)},
          {"mb_per_second", stream.mb_per_second()},
          {"latency_ms_p50", milliseconds(latency.p50)},
          {"latency_ms_p99", milliseconds(latency.p99)},
          {"latency_ms_max", milliseconds(latency.max)},
          {"round_trip_ms", milliseconds(stream.sender.round_trip)},
          {"clock_offset_ms", milliseconds(stream.sender.clock_offset)},
          {"sender", end_json(stream.sender)},
          {"receiver", end_json(stream.receiver)},
          {"links", list_of(stream.links(), link_json)}};
}

Json event_json(const model::EventView& view) {
  return {{"node", view.event.node},
          {"severity", kSeverities.at(static_cast<std::size_t>(view.event.severity))},
          {"about", view.event.about},
          {"text", view.event.text},
          {"count", view.count}};
}

Json to_json(const model::Bottleneck& bottleneck) {
  return {{"kind", to_string(bottleneck.kind)},
          {"sentence", bottleneck.sentence},
          {"fps", bottleneck.fps},
          {"wanted_fps", bottleneck.wanted_fps},
          {"path", bottleneck.path},
          {"node", bottleneck.node},
          {"submix", bottleneck.submix},
          {"slot", bottleneck.slot},
          {"frame_ms", bottleneck.frame_ms},
          {"stream", bottleneck.stream},
          {"link", bottleneck.link ? Json(*bottleneck.link) : Json()},
          {"mb_per_second", bottleneck.mb_per_second},
          {"mb_per_second_needed", bottleneck.mb_per_second_needed}};
}

// Texts of others may be no UTF-8; what is written is JSON all the same.
std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string bottleneck_json(const model::Bottleneck& bottleneck) {
  return to_text(to_json(bottleneck));
}

std::string status_json(const model::ClusterView& view) {
  const Json status{{"connection", {{"state", to_string(view.connection)}, {"text", view.connection_text}}},
                    {"show", show_json(view)},
                    {"transport",
                     {{"is_paused", view.transport.is_paused},
                      {"steps", view.transport.steps},
                      {"author", view.transport.author}}},
                    {"fps", view.master_fps},
                    {"waits_for", model::find_holdups(view)},
                    {"bottleneck", to_json(model::find_bottleneck(view))},
                    {"nodes", list_of(view.nodes, node_json)},
                    {"submixes", list_of(view.submixes, submix_json)},
                    {"streams", list_of(view.streams, stream_json)},
                    {"checks", object_of(view.checker_counters())},
                    {"events", list_of(view.events, event_json)}};
  return to_text(status);
}

}  // namespace submix::cli
