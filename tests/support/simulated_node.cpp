// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/simulated_node.hpp"

#include "common/show/parse.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

namespace submix::testing {
namespace {

using std::chrono::nanoseconds;
constexpr std::chrono::milliseconds kTick{100};

nanoseconds share_of_tick(double share) {
  return nanoseconds(
      static_cast<std::int64_t>(share * static_cast<double>(nanoseconds(kTick).count())));
}

std::string kind_of(const std::string& id) {
  if (id == "clip" || id == "pattern" || id == "stream-in") return "source";
  if (id == "window" || id == "null" || id == "camera-out" || id == "stream-out") return "output";
  return "filter";
}

cluster::PluginSummary plugin_of(const std::string& id) {
  cluster::PluginSummary plugin;
  plugin.id = id;
  plugin.kind = kind_of(id);
  plugin.explanation = "What " + id + " does to a picture";
  if (id.starts_with("frei0r/") || id == "pattern") {
    plugin.parameters.push_back({"amount", "number", "How much of it", 0.4, 0.0, 1.0});
    plugin.parameters.push_back({"invert", "switch", "The other way round", false, 0.0, 1.0});
    plugin.parameters.push_back(
        {"tint", "colour", "The colour of it", std::vector<double>{0.9, 0.5, 0.1}, 0.0, 1.0});
  }
  if (id == "frei0r/glow")
    plugin.parameters.push_back({"Blur", "number", "How far it spreads", 0.5, 0.0, 1.0});
  if (id == "clip") {
    plugin.parameters.push_back(
        {"file", "text", "The file to play", std::string("clip.mp4"), 0.0, 1.0});
    plugin.parameters.push_back({"speed", "number", "1 is as recorded", 1.0, 0.0, 4.0});
    plugin.parameters.push_back({"loop", "switch", "Begin again at the end", true, 0.0, 1.0});
  }
  if (id == "window") {
    plugin.parameters.push_back({"screen", "text", "Name of the display", std::string(), 0.0, 1.0});
    plugin.parameters.push_back(
        {"display", "number", "Number of the display", 0.0, 0.0, 15.0, {}, true});
    plugin.parameters.push_back({"fullscreen", "switch", "The whole display", false, 0.0, 1.0});
  }
  if (id == "camera-out")
    plugin.parameters.push_back({"device", "text", "A loopback device", std::string(), 0.0, 1.0});
  return plugin;
}

// A gradient with a bar that moves by one step each frame, tinted by `number`.
std::string paint(Size size, std::uint64_t frame, int number) {
  std::vector<int> wave(static_cast<std::size_t>(size.width + size.height * (number + 1)));
  for (std::size_t i = 0; i < wave.size(); ++i)
    wave[i] = 128 + static_cast<int>(90 * std::sin(static_cast<double>(i) * 0.05 +
                                                   static_cast<double>(frame) * 0.1));
  std::string rgb(size.pixels() * 3, '\0');
  auto* byte = rgb.data();
  const auto bar = static_cast<int>(frame * 4 % static_cast<std::uint64_t>(size.width));
  for (int y = 0; y < size.height; ++y) {
    const auto* tint = &wave[static_cast<std::size_t>(y * (number + 1))];
    for (int x = 0; x < size.width; ++x) {
      const bool is_bar = std::abs(x - bar) < 6;
      for (int channel = 0; channel < 3; ++channel) {
        const int value = is_bar ? 255 : (channel == number % 3 ? tint[x] : y * 160 / size.height);
        *byte++ = static_cast<char>(static_cast<unsigned char>(value));
      }
    }
  }
  return rgb;
}

telemetry::StreamReading stream_reading(const show::Stream& stream, bool is_sender) {
  telemetry::StreamReading reading;
  reading.stream = stream.name;
  reading.is_sender = is_sender;
  reading.epoch = 1;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(stream.link_count); ++i) {
    telemetry::LinkReading link;
    link.index = i;
    link.state = telemetry::LinkState::open;
    const auto ours = fmt::format("198.18.{}.1:{}", i, 40000 + i);
    const auto theirs = fmt::format("198.18.{}.3:7400", i);
    link.local = is_sender ? ours : theirs;
    link.remote = is_sender ? theirs : ours;
    link.queue_limit_bytes = 262144;
    reading.links.push_back(std::move(link));
  }
  return reading;
}

}  // namespace

SimulatedNode::SimulatedNode(cluster::Bus& bus, std::string name, int number)
    : cluster_(bus), number_(number) {
  report_.node = reading_.node = std::move(name);
  report_.host = "stage-pc-" + std::to_string(number + 1);
  report_.version = "0.1.0";
  report_.instance = reading_.instance = "simulated-" + std::to_string(number);
  report_.cores = 8;
  for (int i = 0; i < 2; ++i) {
    report_.interfaces.push_back({fmt::format("enp{}s0", i + 1),
                                  fmt::format("198.18.{}.{}", i, number + 1), 24, 1500,
                                  i == 0 ? 1000 : 2500, true});
  }
  for (const auto& card : report_.interfaces)
    report_.endpoints.push_back({card.address, card.prefix_length, 7400});
  report_.displays = {{"eDP-1 14\"", 0, 0, {1920, 1200}, 60},
                      {"EPSON PJ", 1920, 0, {1920, 1080}, 50}};
  report_.capture_devices = {{"video0", "HD Pro Webcam C920"}, {"video4", "USB3 HDMI Grabber"}};
  report_.loopback_devices = {{"video10", "OBS Virtual Camera"}, {"video11", "Submix"}};
  reading_.memory_bytes = 412'000'000;
  reading_.page_faults = 120'000;
  subscriptions_.push_back(cluster_.watch_show([this](const auto& show) {
    if (auto parsed = show::parse(show.value.toml, "show")) take_up(*parsed, show.revision);
  }));
  subscriptions_.push_back(
      cluster_.watch_transport([this](const auto& transport) { take_up(transport); }));
  subscriptions_.push_back(cluster_.serve_commands(
      report_.node, [this](const auto& command) { return answer(command); }));
}

void SimulatedNode::take_up(const show::Show& show, std::uint64_t revision) {
  MutexLock lock(mutex_);
  show_ = show;
  report_.show_revision = revision;
  report_.submixes.clear();
  reading_.submixes.clear();
  reading_.streams.clear();
  for (const auto& submix : show.submixes) {
    if (submix.node != report_.node) continue;
    report_.submixes.push_back({submix.name, cluster::SubmixState::running, {}});
    telemetry::SubmixReading running;
    running.name = submix.name;
    for (const auto& slot : submix.slots) {
      telemetry::StageReading stage;
      stage.slot = slot.name;
      stage.plugin = slot.plugin;
      if (slot.plugin == "checker")
        stage.counters = {
            {"checked", 0}, {"lost", 0}, {"duplicated", 0}, {"reordered", 0}, {"torn", 0}};
      if (slot.inputs) {
        for (const auto& input : *slot.inputs)
          stage.queues.push_back({input, 0, 3});
      } else if (!running.stages.empty()) {
        stage.queues.push_back({running.stages.back().slot, 0, 3});
      }
      running.stages.push_back(std::move(stage));
    }
    reading_.submixes.push_back(std::move(running));
  }
  for (const auto& stream : show.streams) {
    for (const bool is_sender : {true, false}) {
      const auto* submix = show.find_submix(is_sender ? stream.from.submix : stream.to.submix);
      if (submix != nullptr && submix->node == report_.node) {
        reading_.streams.push_back(stream_reading(stream, is_sender));
      }
    }
  }
  has_report_changed_ = true;
}

void SimulatedNode::take_up(const cluster::DesiredTransport& transport) {
  MutexLock lock(mutex_);
  if (transport_.is_paused && transport.is_paused) steps_due_ += transport.steps - transport_.steps;
  transport_ = transport;
}

void SimulatedNode::advance() {
  MutexLock lock(mutex_);
  ++reading_.sequence;
  reading_.uptime += kTick;
  reading_.is_paused = transport_.is_paused;
  run(transport_.is_paused ? std::exchange(steps_due_, 0) : 3);
  if (std::exchange(has_report_changed_, false)) static_cast<void>(cluster_.put_report(report_));
  cluster_.publish(reading_);
}

void SimulatedNode::run(std::uint64_t frames) {
  frames_ += frames;
  const double busy =
      frames == 0 ? 0 : 0.3 + 0.1 * number_ + 0.05 * std::sin(static_cast<double>(frames_) * 0.02);
  reading_.cpu += share_of_tick(frames == 0 ? 0.02 : 1.2 + number_);
  for (auto& submix : reading_.submixes) {
    submix.frames += frames;
    double work = busy;
    for (auto& stage : submix.stages) {
      stage.frames += frames;
      work = std::min(0.9, work * 0.8 + 0.05);
      stage.working += share_of_tick(frames == 0 ? 0 : work);
      stage.starved += share_of_tick(frames == 0 ? 0 : (1 - work) * 0.3);
      stage.blocked += share_of_tick(frames == 0 ? 1 : (1 - work) * 0.7);
      for (auto& queue : stage.queues)
        queue.size = frames == 0 ? 3 : static_cast<std::uint32_t>((frames_ / 9) % 4);
      if (!stage.counters.empty()) stage.counters[0].second += frames;
    }
  }
  const auto frame_bytes = show_.size.pixels() * 3;
  for (auto& stream : reading_.streams) {
    stream.frames += frames;
    stream.frames_produced += frames;
    stream.frames_queued = 2;
    stream.credits = 1;
    stream.blocked += share_of_tick(frames == 0 ? 1 : 0.12);
    double weight = 0.55 + 0.04 * std::sin(static_cast<double>(frames_) * 0.05);
    for (auto& link : stream.links) {
      link.bytes += static_cast<std::uint64_t>(static_cast<double>(frame_bytes * frames) * weight);
      link.queue_bytes = frames == 0
                             ? 0
                             : static_cast<std::uint64_t>(
                                   90'000 + 60'000 * std::sin(static_cast<double>(frames_) * 0.3));
      link.sending += share_of_tick(frames == 0 ? 0 : weight);
      link.blocked += share_of_tick(frames == 0 ? 0 : 0.15);
      link.idle += share_of_tick(frames == 0 ? 1 : 0.85 - weight);
      weight = 1 - weight;
    }
  }
}

cluster::Snapshot SimulatedNode::picture(const cluster::Command& command) const {
  MutexLock lock(mutex_);
  const int width =
      command.width_max > 0 ? std::min(command.width_max, show_.size.width) : show_.size.width;
  const Size size{width, width * show_.size.height / show_.size.width};
  return {size, frames_, paint(size, frames_, number_)};
}

Result<cluster::Reply> SimulatedNode::answer(const cluster::Command& command) const {
  if (command.kind == cluster::CommandKind::snapshot) return picture(command);
  std::vector<cluster::PluginSummary> plugins;
  MutexLock lock(mutex_);
  for (const auto& submix : show_.submixes) {
    for (const auto& slot : submix.slots)
      plugins.push_back(plugin_of(slot.plugin));
  }
  return plugins;
}

}  // namespace submix::testing
