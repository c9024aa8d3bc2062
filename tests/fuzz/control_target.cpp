// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of the control plane, as anybody who has the key may write them. A message that can be
// read must be written and read again unchanged.
#include "common/cluster/codec.hpp"
#include "tests/fuzz/target.hpp"

#include <cstdlib>
#include <string_view>

namespace submix::fuzz {
namespace {

template <typename Message>
void take(std::string_view text) {
  const auto message = cluster::decode<Message>(text);
  if (!message) return;
  const auto written = cluster::encode(*message);
  const auto again = cluster::decode<Message>(written);
  if (again && cluster::encode(*again) != written) std::abort();
}

telemetry::NodeReading reading() {
  telemetry::NodeReading reading;
  reading.node = "left";
  reading.submixes.emplace_back();
  reading.submixes[0].name = "left";
  reading.submixes[0].stages.resize(2);
  reading.submixes[0].stages[0].slot = "clip";
  reading.submixes[0].stages[0].queues.resize(1);
  reading.submixes[0].stages[0].queues[0].frames = {{3, 1}};
  reading.submixes[0].pools.resize(1);
  reading.streams.resize(1);
  reading.streams[0].stream = "left";
  reading.streams[0].links.resize(2);
  reading.streams[0].epochs.resize(1);
  return reading;
}

}  // namespace

std::vector<std::string> seeds() {
  cluster::NodeReport report;
  report.node = "left";
  report.interfaces.resize(1);
  report.endpoints.resize(1);
  report.submixes.resize(1);
  report.displays.resize(1);
  cluster::PluginSummary plugin{"clip", "source"};
  plugin.parameters = {{"speed", "number", "", 1.0, -4, 4},
                       {"mode", "text", "", std::string("a"), 0, 1, {"a"}}};
  cluster::Command check;
  check.kind = cluster::CommandKind::check;
  check.show = "[show]\nname = \"duo\"\n[[node]]\nname = \"left\"\n";
  const std::vector<cluster::SubmixFault> faults{{"left", "clip", "no such file"},
                                                 {"", "", "too large"}};
  return {cluster::encode(cluster::DesiredShow{"[show]\nname = \"duo\"\n", "me"}),
          cluster::encode(cluster::DesiredTransport{}),
          cluster::encode(report),
          cluster::encode(cluster::Event{"left", Severity::fault, "show", "text"}),
          cluster::encode(cluster::Command{}),
          cluster::encode(check),
          cluster::encode(faults),
          cluster::encode(std::vector{plugin}),
          cluster::encode(reading()),
          cluster::encode_reply(Result<cluster::Snapshot>(cluster::Snapshot{{2, 1}, 7, "abcdef"})),
          cluster::encode_reply(Result<std::vector<cluster::PluginSummary>>(std::vector{plugin})),
          cluster::encode_reply(Result<cluster::TracePart>(cluster::TracePart{2, "text"})),
          cluster::encode_reply(Result<std::vector<cluster::SubmixFault>>(faults)),
          cluster::encode_reply(Result<cluster::Snapshot>(fail("no picture yet")))};
}

}  // namespace submix::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace submix;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fuzz::take<cluster::DesiredShow>(text);
  fuzz::take<cluster::DesiredTransport>(text);
  fuzz::take<cluster::NodeReport>(text);
  fuzz::take<cluster::Event>(text);
  fuzz::take<cluster::Command>(text);
  fuzz::take<std::vector<cluster::PluginSummary>>(text);
  fuzz::take<std::vector<cluster::SubmixFault>>(text);
  fuzz::take<telemetry::NodeReading>(text);
  static_cast<void>(cluster::decode_snapshot_reply(text));
  static_cast<void>(cluster::decode_plugins_reply(text));
  static_cast<void>(cluster::decode_trace_reply(text));
  static_cast<void>(cluster::decode_check_reply(text));
  static_cast<void>(cluster::is_part(text));
  return 0;
}
