// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/plot_command.hpp"

#include "common/base/files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <utility>

namespace submix::throughput {
namespace {

using nlohmann::json;

/// A bar of `object`'s figure, with its range over the rounds.
Bar bar_of(const json& object, const char* figure, std::string label, bool is_own) {
  Bar bar{std::move(label), object.at(figure).get<double>(), {}, {}, is_own};
  if (!object.contains("rounds")) return bar;
  for (const auto& round : object.at("rounds")) {
    if (!round.contains(figure)) continue;
    const double value = round.at(figure);
    bar.low = std::min(bar.low.value_or(value), value);
    bar.high = std::max(bar.high.value_or(value), value);
  }
  return bar;
}

std::string machine_text(const json& object) {
  const auto& machine = object.at("machine");
  return fmt::format("{}, {} cores, Linux {}, {}", machine.at("processor").get<std::string>(),
                     machine.at("cores").get<int>(), machine.at("kernel").get<std::string>(),
                     machine.at("time").get<std::string>());
}

Chart chart_of_run(const json& object) {
  const auto& options = object.at("options");
  const auto fps = options.at("fps").is_string()
                       ? std::string("at full speed")
                       : fmt::format("{:.4g} fps", options.at("fps").get<double>());
  std::string shape;
  for (const auto& rate : options.at("shape"))
    shape += (shape.empty() ? "" : " + ") + rate.get<std::string>();
  Chart chart{fmt::format("Frames of {}, {}, over {}", options.at("size").get<std::string>(), fps,
                          shape.empty() ? options.at("over").get<std::string>() : shape),
              machine_text(object),
              {}};
  Panel rates{"MB/s: each link alone by plain TCP, and the stream over all", {}, {}};
  int link = 0;
  for (const auto& rate : object.at("links_alone_mb_s"))
    rates.bars.push_back({fmt::format("link {} alone", link++), rate, {}, {}, false});
  rates.bars.push_back(bar_of(object, "goodput_mb_s", "together", true));
  Panel latency{"Latency, ms", {}, {}};
  latency.bars = {{"time on the wire", object.at("wire_ms"), {}, {}, false},
                  bar_of(object, "latency_ms_p50", "p50", true),
                  bar_of(object, "latency_ms_p99", "p99", true)};
  Panel cost{"CPU seconds for a GB", {}, {}};
  cost.bars = {bar_of(object, "cpu_s_per_gb_send", "send", true),
               bar_of(object, "cpu_s_per_gb_receive", "receive", true)};
  chart.panels = {std::move(rates), std::move(latency), std::move(cost)};
  return chart;
}

Panel peers_panel(const json& object, const std::string& over, const char* figure,
                  const char* title) {
  Panel panel{fmt::format("Over {}: {}", over, title), {}, {}};
  for (const auto& peer : object.at("peers")) {
    if (peer.at("over") != over || !peer.contains(figure)) continue;
    const auto name = peer.at("name").get<std::string>();
    panel.bars.push_back(bar_of(peer, figure, name, name.starts_with("submix")));
  }
  return panel;
}

Chart chart_of_peers(const json& object) {
  Chart chart{fmt::format("The same work by others and by us: frames of {}",
                          object.at("options").at("size").get<std::string>()),
              machine_text(object),
              {}};
  for (const auto& place : object.at("places")) {
    const auto over = place.at("over").get<std::string>();
    chart.panels.push_back(peers_panel(object, over, "goodput_mb_s", "MB/s"));
    chart.panels.push_back(
        peers_panel(object, over, "frames_per_cpu_s", "frames for each CPU second, both sides"));
    chart.panels.push_back(
        peers_panel(object, over, "transit_ms_p99", "transit of a frame, p99, ms"));
  }
  std::erase_if(chart.panels, [](const Panel& panel) { return panel.bars.empty(); });
  return chart;
}

Chart chart_of_load(const json& object) {
  const auto& options = object.at("options");
  Chart chart{
      fmt::format("Frames of {} over {} while the machine is busy, {} real-time rights",
                  options.at("size").get<std::string>(), options.at("over").get<std::string>(),
                  options.at("realtime").get<bool>() ? "with" : "without"),
      machine_text(object),
      {}};
  std::map<double, std::pair<Panel, Panel>> by_rate;
  for (const auto& row : object.at("rows")) {
    const double fps = row.at("fps");
    const auto cores = row.at("cores_loaded").get<int>();
    const auto label = cores == 0 ? std::string("nothing else runs")
                                  : fmt::format("{}, {} {}", row.at("load").get<std::string>(),
                                                cores, cores == 1 ? "core" : "cores");
    auto& [on_time, jitter] = by_rate[fps];
    on_time.title = fmt::format("{:.4g} fps: frames on time, %", fps);
    on_time.bars.push_back({label, row.at("on_time").get<double>() * 100, {}, {}, true});
    jitter.title = fmt::format("{:.4g} fps: jitter p99, ms", fps);
    jitter.bars.push_back({label, row.at("jitter_ms_p99"), {}, {}, true});
  }
  for (auto& [fps, panels] : by_rate) {
    chart.panels.push_back(std::move(panels.first));
    chart.panels.push_back(std::move(panels.second));
  }
  return chart;
}

Chart chart_of_pixels(const json& object) {
  Chart chart{fmt::format("Pixels of a frame of {}: time over memcpy of its RGB24 bytes",
                          object.at("options").at("size").get<std::string>()),
              machine_text(object),
              {}};
  for (const auto* work : {"pack", "unpack"}) {
    for (const auto* state : {"warm", "cold"}) {
      Panel panel{fmt::format("{}, {}", work, state), {}, 1.0};
      for (const auto& each : object.at(work)) {
        const auto name = each.at("name").get<std::string>();
        const double ratio = each.at(fmt::format("{}_ratio", state));
        panel.bars.push_back({name, ratio, {}, {}, name.starts_with("submix")});
      }
      chart.panels.push_back(std::move(panel));
    }
  }
  return chart;
}

Chart chart_of_link(const json& object) {
  Panel panel{"MB/s: each pair of cards alone by plain TCP, and one stream over all", {}, {}};
  for (const auto& pair : object.at("pairs")) {
    if (pair.contains("problem")) continue;
    panel.bars.push_back({fmt::format("{} to {}", pair.at("from").get<std::string>(),
                                      pair.at("to").get<std::string>()),
                          pair.at("goodput_mb_s"),
                          {},
                          {},
                          false});
  }
  panel.bars.push_back({"together", object.at("goodput_mb_s"), {}, {}, true});
  Panel latency{"Latency of the stream at full speed, ms", {}, {}};
  if (object.contains("latency_ms_p99")) {
    latency.bars = {bar_of(object, "latency_ms_p50", "p50", true),
                    bar_of(object, "latency_ms_p99", "p99", true)};
  }
  Panel cost{"CPU seconds of the stream for a GB", {}, {}};
  cost.bars = {bar_of(object, "cpu_s_per_gb_send", "send", true),
               bar_of(object, "cpu_s_per_gb_receive", "receive", true)};
  Chart chart{
      "To " + object.at("to").get<std::string>() + ": " + object.at("verdict").get<std::string>(),
      machine_text(object),
      {std::move(panel), std::move(latency), std::move(cost)}};
  std::erase_if(chart.panels, [](const Panel& each) { return each.bars.empty(); });
  return chart;
}

const std::map<std::string, Chart (*)(const json&)>& charts() {
  static const std::map<std::string, Chart (*)(const json&)> kCharts{{"run", chart_of_run},
                                                                     {"peers", chart_of_peers},
                                                                     {"load", chart_of_load},
                                                                     {"pixels", chart_of_pixels},
                                                                     {"link", chart_of_link}};
  return kCharts;
}

Result<void> plot(const PlotOptions& options, const std::filesystem::path& out) {
  constexpr std::size_t kBytesMax = std::size_t{64} << 20;
  const auto text = read_text_file(options.file, kBytesMax);
  SUBMIX_TRY(text);
  const auto chart = chart_of(*text);
  if (!chart) return fail("{}: {}", options.file.string(), chart.error().message);
  return write_file_atomically(out, to_svg(*chart));
}

}  // namespace

Result<Chart> chart_of(const std::string& text) {
  try {
    const auto object = json::parse(text);
    const auto chart = charts().find(object.at("command").get<std::string>());
    if (chart == charts().end())
      return fail("there is no picture of \"{}\"", object.at("command").get<std::string>());
    return chart->second(object);
  } catch (const json::exception& error) {
    return fail("it is not what a command of submix-throughput writes with --json: {}",
                error.what());
  }
}

int run_plot(Context& context, const PlotOptions& options) {
  auto out = options.out;
  if (out.empty()) out = std::filesystem::path(options.file).replace_extension(".svg");
  if (auto drawn = plot(options, out); !drawn) return failed(context, drawn.error());
  fmt::print("{}\n", out.string());
  return kOk;
}

}  // namespace submix::throughput
