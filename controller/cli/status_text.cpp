// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/status_text.hpp"

#include "common/base/plain_text.hpp"
#include "common/cluster/names.hpp"
#include "common/show/text.hpp"
#include "common/telemetry/jitter.hpp"
#include "controller/cli/table.hpp"
#include "controller/model/edit/last_good_show.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/verdict/standstill.hpp"
#include "controller/model/view/delays.hpp"
#include "controller/model/view/oscillation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

namespace submix::cli {
namespace {

std::string percent(double share) {
  return fmt::format("{:.0f} %", share * 100.0);
}

/// A standing output does not describe the others.
std::string rate_now(const model::ClusterView& view) {
  const model::SubmixView* slowest = nullptr;
  double fastest = 0;
  std::size_t outputs = 0;
  for (const auto& submix : view.submixes) {
    if (!submix.is_final) continue;
    ++outputs;
    fastest = std::max(fastest, submix.fps);
    if (slowest == nullptr || submix.fps < slowest->fps) slowest = &submix;
  }
  const bool is_one_rate = outputs < 2 || fastest - slowest->fps < 1;
  if (is_one_rate) return fmt::format("{:.1f} fps now", view.master_fps);
  return fmt::format("{:.1f} fps now at {}, up to {:.1f} at the other {}", slowest->fps,
                     slowest->name, fastest, outputs - 1);
}

std::string transport_words(const cluster::DesiredTransport& transport) {
  auto words =
      transport.is_paused ? fmt::format("paused by {}", transport.author) : std::string("running");
  if (transport.is_black) words += ", all outputs black (submix blackout off)";
  if (transport.has_test_cards) words += ", all outputs show test cards (submix identify off)";
  if (transport.is_frozen) words += ", all outputs frozen (submix freeze off)";
  return words;
}

std::string show_line(const model::ClusterView& view) {
  if (!view.show_error.empty())
    return fmt::format("the show cannot be read:\n{}\n", view.show_error);
  if (!view.show) return "no show is applied; run: submix apply FILE\n";
  const auto& show = *view.show;
  return fmt::format("show \"{}\", revision {} by {}: {} x {} at {} fps, {} ({})\n", show.name,
                     view.show_revision, view.show_author.empty() ? "somebody" : view.show_author,
                     show.size.width, show.size.height, show::to_string(show.rate),
                     transport_words(view.transport), rate_now(view));
}

std::string way_back_text(const model::ClusterView& view) {
  if (!model::can_go_back(view)) return {};
  return fmt::format("the last show that ran without a fault is {}; go back: submix show back\n",
                     model::good_show_text(view));
}

std::string holdups_text(const model::ClusterView& view) {
  const auto bottleneck = model::find_bottleneck(view);
  const bool stands = bottleneck.kind == model::Bottleneck::Kind::standstill;
  return stands ? bottleneck.sentence + "\n" : std::string();
}

std::string bottleneck_text(const model::ClusterView& view) {
  const auto bottleneck = model::find_bottleneck(view);
  if (bottleneck.is_slow()) return bottleneck.sentence + "\n";
  std::string text;
  for (const auto& line : model::lines_of(view, bottleneck.held))
    text += line + "\n";
  return text;
}

/// Free of the machine's memory.
std::string free_text(const model::NodeView& node) {
  if (node.machine_memory_bytes == 0) return "-";
  return fmt::format("{:.1f} of {:.1f} GB",
                     static_cast<double>(node.machine_memory_available_bytes) / 1e9,
                     static_cast<double>(node.machine_memory_bytes) / 1e9);
}

std::string unheard_text(const model::ClusterView& view) {
  std::string text;
  for (const auto& node : view.nodes) {
    if (node.health != model::Health::unheard) continue;
    text += fmt::format(
        "node {} has not been heard for {} s, but its streams carry {:.1f} MB/s: check its cable "
        "to NATS\n",
        node.name, std::chrono::duration_cast<std::chrono::seconds>(node.silence).count(),
        node.unheard_mb_per_second);
  }
  return text;
}

std::string nodes_text(const model::ClusterView& view) {
  Table table({"NODE", "HEALTH", "HOST", "VERSION", ">CPU", ">TOP CORE", ">MEMORY", ">FREE",
               ">FAULTS/S", ">ALLOCS/S", ">UP"});
  for (const auto& node : view.nodes) {
    if (node.instance.empty() && node.host.empty()) {  // the show names it, but no report ever came
      table.add({node.name, std::string(to_string(node.health)), "-", "-", "-", "-", "-", "-", "-",
                 "-", "-"});
      continue;
    }
    const bool is_measured = node.uptime.count() > 0;  // else only its report is known
    const auto up = std::chrono::duration_cast<std::chrono::seconds>(node.uptime).count();
    table.add({node.name, std::string(to_string(node.health)), node.host,
               node.version + (node.is_other_version ? " (differs)" : ""),
               is_measured ? fmt::format("{:.2f} of {}", node.cpu_cores, node.cores) : "-",
               is_measured && !node.core_shares.empty() ? percent(node.busiest_core_share()) : "-",
               is_measured ? fmt::format("{} MB", node.memory_bytes / 1'000'000) : "-",
               is_measured ? free_text(node) : "-",
               is_measured ? fmt::format("{:.0f}", node.page_faults_per_second) : "-",
               is_measured ? fmt::format("{:.0f}", node.allocations_per_second) : "-",
               is_measured ? fmt::format("{} s", up) : "-"});
  }
  if (table.is_empty()) return "no node is here; start one with: submix-node --name NAME\n";
  return table.text() + unheard_text(view);
}

std::string cards_text(const model::ClusterView& view) {
  Table table({"NODE", "CARD", "STATE", ">MBIT/S", ">MTU", ">IN MB/S", ">OUT MB/S", ">OF SPEED",
               "ADDRESSES"});
  for (const auto& node : view.nodes) {
    for (const auto& card : node.cards) {
      const auto share = card.share();
      table.add({node.name, card.name, card.is_up ? "up" : "down",
                 card.speed_mbit > 0 ? fmt::format("{}", card.speed_mbit) : "-",
                 fmt::format("{}", card.mtu_bytes),
                 fmt::format("{:.1f}", card.received_mb_per_second),
                 fmt::format("{:.1f}", card.sent_mb_per_second), share ? percent(*share) : "-",
                 fmt::format("{}", fmt::join(card.addresses, ", "))});
    }
  }
  return table.text();
}

/// Time of a frame; "-" where none was measured.
std::string latency_text(std::chrono::nanoseconds time) {
  if (time.count() == 0) return "-";
  return fmt::format("{:.1f} ms", std::chrono::duration<double, std::milli>(time).count());
}

std::string submixes_text(const model::ClusterView& view) {
  Table table({"SUBMIX", "NODE", "STATE", ">FPS", "BUSIEST SLOT", ">WORKING", ">FRAME P50", ">P99",
               ">MAX", "REMARK"});
  for (const auto& submix : view.submixes) {
    const model::StageView* busiest = nullptr;
    for (const auto& stage : submix.stages) {
      if (busiest == nullptr || stage.shares.working > busiest->shares.working) busiest = &stage;
    }
    const auto time = busiest == nullptr ? telemetry::LatencyReading() : busiest->frame_time;
    table.add({submix.name, submix.node.empty() ? "-" : submix.node,
               std::string(to_string(submix.state)), fmt::format("{:.1f}", submix.fps),
               busiest == nullptr ? "-" : busiest->slot,
               busiest == nullptr ? "-" : percent(busiest->shares.working), latency_text(time.p50),
               latency_text(time.p99), latency_text(time.max), submix.error});
  }
  return table.text();
}

/// The punctuality of shown frames.
std::string jitter_text(const model::ClusterView& view) {
  const auto milliseconds = [](std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
  };
  std::string text;
  for (const auto& submix : view.submixes) {
    if (!submix.is_final || telemetry::frame_count(submix.jitter) == 0) continue;
    text += fmt::format(
        "\"{}\" comes {:.2f} ms late at most in half of its frames, {:.2f} ms in 99 %, {:.2f} ms "
        "in all; {} "
        "of {} missed their deadlines\n",
        submix.name, milliseconds(telemetry::jitter_within(submix.jitter, 0.5)),
        milliseconds(telemetry::jitter_within(submix.jitter, 0.99)),
        milliseconds(submix.jitter.max), submix.missed_frames,
        telemetry::frame_count(submix.jitter));
  }
  return text;
}

/// How old each performer's picture is when it is shown.
std::string delays_text(const model::ClusterView& view) {
  std::string text;
  for (const auto& delay : model::find_delays(view)) {
    const auto whose =
        delay.performer == delay.output
            ? fmt::format("\"{}\" shows its own pictures", delay.output)
            : fmt::format("\"{}\" shows pictures of \"{}\"", delay.output, delay.performer);
    text += fmt::format("{} {} after they begin, {} at most in 99 %\n", whose,
                        latency_text(delay.p50), latency_text(delay.p99));
  }
  return text;
}

/// "wait", "latest, 12 skipped", "wait, detached, 12 skipped", "hold, too slow".
std::string policy_text(const model::StreamView& stream) {
  const auto& sender = stream.sender;
  return fmt::format(
      "{}{}{}{}", show::to_string(stream.policy), sender.detached.empty() ? "" : ", detached",
      stream.receiver.detached.empty() ? "" : ", too slow",
      sender.frames_skipped == 0 ? "" : fmt::format(", {} skipped", sender.frames_skipped));
}

std::string detached_text(const model::ClusterView& view) {
  std::string text;
  for (const auto& stream : view.streams) {
    if (!stream.sender.detached.empty())
      text += fmt::format("stream \"{}\": {}\n", stream.name, stream.sender.detached);
  }
  return text;
}

/// Streams with ends of several sizes or rates, because a submix runs on with its former ones.
std::string formats_text(const model::ClusterView& view) {
  std::string text;
  const auto format = [](const model::StreamEndView& end) {
    return fmt::format("{}x{} at {} fps (node {})", end.size.width, end.size.height,
                       show::to_string(end.rate), end.node);
  };
  for (const auto& stream : view.streams) {
    const auto& sender = stream.sender;
    const auto& receiver = stream.receiver;
    if (sender.size == Size{} || receiver.size == Size{}) continue;
    if (sender.size == receiver.size && sender.rate == receiver.rate) continue;
    text += fmt::format("stream \"{}\" stands still: it is sent as {} and received as {}\n",
                        stream.name, format(sender), format(receiver));
  }
  return text;
}

std::string troubles_text(const model::ClusterView& view) {
  std::string text;
  for (const auto& submix : view.submixes) {
    for (const auto& stage : submix.stages) {
      if (!stage.trouble.empty())
        text += fmt::format("slot \"{}.{}\": {}\n", submix.name, stage.slot, stage.trouble);
    }
  }
  return text;
}

/// "in the clear; 12 stripes damaged; MTU 1500 here, 9000 there".
std::string remark_text(const model::LinkView& link) {
  std::vector<std::string> remarks;
  if (link.is_in_clear()) remarks.emplace_back("in the clear");
  if (link.stripes_damaged > 0)
    remarks.push_back(fmt::format("{} stripe{} damaged", link.stripes_damaged,
                                  link.stripes_damaged == 1 ? "" : "s"));
  const auto& remark = link.error.empty() ? link.warning : link.error;
  if (!remark.empty()) remarks.push_back(remark);
  return fmt::format("{}", fmt::join(remarks, "; "));
}

std::string streams_text(const model::ClusterView& view) {
  Table table({"STREAM", "POLICY", "LINK", "STATE", ">MB/S", ">SHARE", ">QUEUE", ">BLOCKED", ">RTT",
               ">RESENT/S", ">LATENCY", "FROM", "TO", "REMARK"});
  for (const auto& stream : view.streams) {
    const auto name = fmt::format("{} ({} to {})", stream.name, show::to_string(stream.from),
                                  show::to_string(stream.to));
    if (stream.links().empty())
      table.add({name, policy_text(stream), "-", "no link", "-", "-", "-", "-", "-", "-", "-", "",
                 "", ""});
    // else `local` is the receiver's address
    const bool is_senders = stream.are_links_of_sender();
    for (const auto& link : stream.links()) {
      const bool is_first = &link == stream.links().data();
      table.add({is_first ? name : "", is_first ? policy_text(stream) : "",
                 fmt::format("{}", link.index), std::string(cluster::name_of(link.state)),
                 fmt::format("{:.1f}", link.mb_per_second), percent(link.share),
                 percent(link.queue_fill()), percent(link.shares.blocked),
                 latency_text(link.round_trip), fmt::format("{:.0f}", link.retransmits_per_second),
                 is_first ? latency_text(stream.sender.latency.p50) : "",
                 is_senders ? link.local : link.remote, is_senders ? link.remote : link.local,
                 remark_text(link)});
    }
  }
  return table.text();
}

std::string oscillators_text(const model::ClusterView& view) {
  Table table({"OSCILLATOR", "WAVEFORM", "PERIOD", ">FROM", ">TO", "STATE"});
  const auto submixes = view.show ? view.show->submixes : std::vector<show::Submix>();
  for (const auto& submix : submixes) {
    for (const auto& slot : submix.slots) {
      for (const auto& [name, oscillator] : slot.oscillators) {
        table.add({fmt::format("{}.{}.{}", submix.name, slot.name, name),
                   std::string(show::to_string(oscillator.waveform)),
                   model::period_text(oscillator), fmt::format("{:.4g}", oscillator.from),
                   fmt::format("{:.4g}", oscillator.to), oscillator.is_on ? "on" : "off"});
      }
    }
  }
  if (table.is_empty()) return {};
  return fmt::format("{}{}\n", table.text(), title(model::SetTempo{view.show->tempo}));
}

std::string checks_text(const model::ClusterView& view) {
  std::string text;
  for (const auto& [name, count] : view.checker_counters())
    text += fmt::format("  {} {}", name, count);
  return text.empty() ? text : "checked:" + text + "\n";
}

constexpr std::size_t kWarningsMax = 5;

// The newest warnings and faults. Notes are for the logs.
std::string warnings_text(const model::ClusterView& view) {
  std::vector<const model::EventView*> shown;
  for (auto event = view.events.rbegin();
       event != view.events.rend() && shown.size() < kWarningsMax; ++event) {
    if (event->event.severity != Severity::note) shown.push_back(&*event);
  }
  std::string text;
  for (auto event = shown.rbegin(); event != shown.rend(); ++event) {
    const auto& [node, severity, about, what] = (*event)->event;
    const auto times = (*event)->count > 1 ? fmt::format(" ({} times)", (*event)->count) : "";
    text +=
        fmt::format("{}: node {}: {}: {}{}\n", severity == Severity::fault ? "fault" : "warning",
                    one_line(node), one_line(about), indented(what), times);
  }
  return text;
}

void append_part(std::string& text, const std::string& part) {
  if (!part.empty()) text += "\n" + part;
}

}  // namespace

std::string status_text(const model::ClusterView& view) {
  auto text =
      fmt::format("NATS {}: {}{}\n{}", to_string(view.connection), view.connection_text,
                  view.is_store_silent ? "; its store does not answer" : "", show_line(view));
  text += way_back_text(view);
  text += holdups_text(view);
  text += bottleneck_text(view);
  text += detached_text(view);
  text += formats_text(view);
  text += troubles_text(view);
  append_part(text, nodes_text(view));
  append_part(text, cards_text(view));
  append_part(text, submixes_text(view));
  text += jitter_text(view);
  text += delays_text(view);
  append_part(text, streams_text(view));
  append_part(text, oscillators_text(view));
  append_part(text, checks_text(view));
  append_part(text, warnings_text(view));
  return text;
}

}  // namespace submix::cli
