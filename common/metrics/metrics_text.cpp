// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/metrics/metrics_text.hpp"

#include "common/base/version.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <sstream>
#include <utility>

namespace submix::metrics {
namespace {

using prometheus::MetricType;
using Labels = std::vector<std::pair<const char*, std::string>>;

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

/// Metrics by their names: the format wants all values of a name together.
class Families {
 public:
  void count(const char* name, const char* help, const Labels& labels, double value) {
    auto& metric = add(name, help, MetricType::Counter, labels);
    metric.counter.value = value;
  }
  void count(const char* name, const char* help, const Labels& labels, std::uint64_t value) {
    count(name, help, labels, static_cast<double>(value));
  }
  void count(const char* name, const char* help, const Labels& labels,
             std::chrono::nanoseconds value) {
    count(name, help, labels, seconds(value));
  }
  void gauge(const char* name, const char* help, const Labels& labels, double value) {
    auto& metric = add(name, help, MetricType::Gauge, labels);
    metric.gauge.value = value;
  }
  void latency(const char* name, const char* help, Labels labels,
               const telemetry::LatencyReading& latency) {
    labels.emplace_back("statistic", "");
    for (const auto& [statistic, value] :
         {std::pair{"p50", latency.p50}, std::pair{"p99", latency.p99},
          std::pair{"max", latency.max}}) {
      labels.back().second = statistic;
      gauge(name, help, labels, seconds(value));
    }
  }

  [[nodiscard]] std::string text() const {
    std::vector<prometheus::MetricFamily> families;
    for (const auto& [name, family] : families_)
      families.push_back(family);
    std::ostringstream out;
    prometheus::TextSerializer().Serialize(out, families);
    return out.str();
  }

 private:
  prometheus::ClientMetric& add(const char* name, const char* help, MetricType type,
                                const Labels& labels) {
    auto& family = families_[name];
    family.name = name;
    family.help = help;
    family.type = type;
    auto& metric = family.metric.emplace_back();
    for (const auto& [label, value] : labels)
      metric.label.push_back({label, value});
    return metric;
  }

  std::map<std::string, prometheus::MetricFamily> families_;
};

Labels with(Labels labels, const char* name, std::string value) {
  labels.emplace_back(name, std::move(value));
  return labels;
}

// Two inputs may come from the same slot.
void add_queue(Families& out, Labels labels, std::size_t input,
               const telemetry::QueueReading& queue) {
  labels.emplace_back("input", std::to_string(input + 1));
  labels.emplace_back("from", queue.from);
  out.gauge("submix_queue_frames", "Frames that wait in front of a slot.", labels, queue.size);
  out.gauge("submix_queue_capacity_frames", "Frames that a queue holds at most.", labels,
            queue.capacity);
}

void add_slot(Families& out, Labels labels, const telemetry::StageReading& stage) {
  labels.emplace_back("slot", stage.slot);
  labels.emplace_back("plugin", stage.plugin);
  out.count("submix_slot_frames_total", "Frames that a slot has made.", labels, stage.frames);
  out.count("submix_slot_frames_passed_by_total",
            "Frames of a slot that its plugin did not make: bypassed, late or failed.", labels,
            stage.frames_passed_by);
  constexpr const char* kTime = "submix_slot_seconds_total";
  constexpr const char* kTimeHelp =
      "What a slot does: working, starved (waits for input) or blocked (waits for room).";
  out.count(kTime, kTimeHelp, with(labels, "state", "working"), stage.working);
  out.count(kTime, kTimeHelp, with(labels, "state", "starved"), stage.starved);
  out.count(kTime, kTimeHelp, with(labels, "state", "blocked"), stage.blocked);
  out.latency("submix_slot_frame_seconds", "Computing time of a slot's recent frames.", labels,
              stage.frame_time);
  out.gauge("submix_slot_failed", "1 while a slot's plugin does not work.", labels,
            stage.trouble.empty() ? 0 : 1);
  for (std::size_t input = 0; input < stage.queues.size(); ++input)
    add_queue(out, labels, input, stage.queues[input]);
}

void add_submix(Families& out, Labels labels, const telemetry::SubmixReading& submix) {
  labels.emplace_back("submix", submix.name);
  out.count("submix_frames_total", "Frames that have passed a submix's last slot.", labels,
            submix.frames);
  out.count("submix_frames_late_total", "Frames so late that the rate was lowered for them.",
            labels, submix.late_frames);
  out.count("submix_frames_missed_total", "Frames that missed their deadlines.", labels,
            submix.missed_frames);
  out.latency("submix_delay_seconds", "Time from a source's start of a frame to the last slot.",
              labels, submix.delay);
  for (const auto& stage : submix.stages)
    add_slot(out, labels, stage);
}

void add_link(Families& out, Labels labels, const telemetry::LinkReading& link) {
  labels.emplace_back("link", std::to_string(link.index));
  out.gauge("submix_link_up", "1 while a link is open.", labels,
            link.state == telemetry::LinkState::open ? 1 : 0);
  out.count("submix_link_bytes_total", "Bytes that a link has carried, with headers.", labels,
            link.bytes);
  constexpr const char* kTime = "submix_link_seconds_total";
  constexpr const char* kTimeHelp =
      "What a link does: sending, blocked (it was full) or idle (nothing to send).";
  out.count(kTime, kTimeHelp, with(labels, "state", "sending"), link.sending);
  out.count(kTime, kTimeHelp, with(labels, "state", "blocked"), link.blocked);
  out.count(kTime, kTimeHelp, with(labels, "state", "idle"), link.idle);
  out.gauge("submix_link_queue_bytes", "Bytes given to the kernel, and not acknowledged.", labels,
            static_cast<double>(link.queue_bytes));
  out.gauge("submix_link_round_trip_seconds", "Round trip as TCP measures it.", labels,
            seconds(link.round_trip));
  out.count("submix_link_reconnects_total", "Times that a link was lost and came back.", labels,
            link.reconnects);
  out.count("submix_link_retransmitted_bytes_total", "Bytes that TCP sent again.", labels,
            link.bytes_retransmitted);
  out.count("submix_link_damaged_stripes_total", "Stripes with wrong checksums or tags.", labels,
            link.stripes_damaged);
}

std::uint64_t frames_lost(const telemetry::StreamReading& stream) {
  std::uint64_t lost = 0;
  for (const auto& epoch : stream.epochs)
    lost += epoch.frames_lost;
  return lost;
}

// While a stream changes its size, it has a former and a current end.
bool is_replaced(const telemetry::StreamReading& stream, const telemetry::NodeReading& node) {
  return stream.is_former && std::ranges::any_of(node.streams, [&stream](const auto& other) {
           return !other.is_former && other.stream == stream.stream &&
                  other.is_sender == stream.is_sender;
         });
}

void add_stream(Families& out, Labels labels, const telemetry::StreamReading& stream) {
  labels.emplace_back("stream", stream.stream);
  labels.emplace_back("end", stream.is_sender ? "sender" : "receiver");
  out.count("submix_stream_frames_total",
            "Frames of a stream: acknowledged at the sender, handed on at the receiver.", labels,
            stream.frames);
  out.count("submix_stream_frames_skipped_total",
            "Frames that the sender replaced by newer ones, as the show wants it.", labels,
            stream.frames_skipped);
  out.count("submix_stream_frames_repeated_total",
            "Frames that the receiver showed again because the next one was late.", labels,
            stream.frames_duplicated);
  out.gauge("submix_stream_frames_lost", "Frames of the last epochs that can never come.", labels,
            static_cast<double>(frames_lost(stream)));
  out.count("submix_stream_blocked_seconds_total",
            "Time in which the sender waited for credit, or the receiver for frames.", labels,
            stream.blocked);
  out.gauge("submix_stream_queued_frames", "Frames in flight, or waiting at the receiver.", labels,
            stream.frames_queued);
  out.gauge("submix_stream_credits", "Frames that the sender may still start.", labels,
            stream.credits);
  if (stream.is_sender)
    out.latency("submix_stream_latency_seconds",
                "Time from taking a frame until the receiver's patch has it.", labels,
                stream.latency);
  for (const auto& link : stream.links)
    add_link(out, labels, link);
}

void add_machine(Families& out, const Labels& labels, const telemetry::MachineReading& machine) {
  out.gauge("submix_machine_memory_bytes", "Memory of a node's computer.", labels,
            static_cast<double>(machine.memory_bytes));
  out.gauge("submix_machine_memory_available_bytes", "Memory that programs may still take.", labels,
            static_cast<double>(machine.memory_available_bytes));
  for (std::size_t core = 0; core < machine.cores_busy.size(); ++core)
    out.count("submix_machine_busy_seconds_total", "Time in which a core was busy.",
              with(labels, "core", std::to_string(core)), machine.cores_busy[core]);
  for (const auto& card : machine.cards) {
    const auto of_card = with(labels, "card", card.name);
    out.count("submix_card_received_bytes_total", "Bytes that a card has received.", of_card,
              card.bytes_received);
    out.count("submix_card_sent_bytes_total", "Bytes that a card has sent.", of_card,
              card.bytes_sent);
  }
}

void add_node(Families& out, const Labels& labels, const telemetry::NodeReading& node) {
  out.count("submix_node_processor_seconds_total", "Processor time of a node and its hosts.",
            labels, node.cpu);
  out.gauge("submix_node_memory_bytes", "Resident memory of a node.", labels,
            static_cast<double>(node.memory_bytes));
  out.gauge("submix_node_uptime_seconds", "Time since a node started.", labels,
            seconds(node.uptime));
  out.gauge("submix_node_paused", "1 while a node is paused.", labels, node.is_paused ? 1 : 0);
  out.gauge("submix_node_realtime_lost", "1 while a thread has lost its real-time priority.",
            labels, node.realtime.is_lost ? 1 : 0);
  add_machine(out, labels, node.machine);
  for (const auto& submix : node.submixes)
    add_submix(out, labels, submix);
  for (const auto& stream : node.streams) {
    if (!is_replaced(stream, node)) add_stream(out, labels, stream);
  }
}

}  // namespace

std::string metrics_text(const std::vector<KnownNode>& nodes) {
  Families out;
  out.gauge("submix_build_info", "The version of the program that answers.",
            {{"version", std::string(version())}}, 1);
  for (const auto& node : nodes) {
    const Labels labels{{"node", node.reading->node}};
    out.gauge("submix_node_up", "1 while a node sends readings.", labels, node.is_up ? 1 : 0);
    if (node.is_up) add_node(out, labels, *node.reading);
  }
  return out.text();
}

}  // namespace submix::metrics
