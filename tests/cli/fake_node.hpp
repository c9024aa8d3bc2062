// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/thread.hpp"
#include "common/cluster/cluster.hpp"
#include "common/show/parse.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace submix::cli {

/// A node that renders nothing, but sends a node's reports on the control plane. Has threads of its
/// own.
class FakeNode {
 public:
  /// Reports `submixes` at `fps` frames a second, and the additional plugins `more`.
  FakeNode(cluster::Bus& bus, std::string name, std::vector<telemetry::SubmixReading> submixes = {},
           std::uint64_t fps = 0, std::vector<cluster::PluginSummary> more = {})
      : name_(std::move(name)),
        cluster_(bus),
        submixes_(std::move(submixes)),
        fps_(fps),
        more_(std::move(more)) {
    commands_ = cluster_.serve_commands(
        name_, [this](const cluster::Command& command) { return answer(command); });
    // NATS knows the node from here on.
    static_cast<void>(cluster_.is_there(name_, std::chrono::seconds(5)));
    shows_ = cluster_.watch_show([this](const auto& show) { converge(show); });
    telemetry_ = start_thread("telemetry", [this](const std::stop_token& stop) { publish(stop); });
  }

 private:
  [[nodiscard]] Result<cluster::Reply> answer(const cluster::Command& command) const {
    if (command.kind == cluster::CommandKind::snapshot)
      return cluster::Snapshot{{2, 1}, 7, "abcdef"};
    if (command.kind == cluster::CommandKind::media)
      return cluster::MediaList{
          {{"rain/drops.mp4", 2'500'000}, {"logo.png", 40'000}, {"glow_%04d.png", 9'000'000, 200}},
          false};
    if (command.kind == cluster::CommandKind::media_picture) {
      if (command.file.starts_with("old/") || command.file == "nowhere.mp4")
        return fail("{}: there is no such file", command.file);
      if (command.file == "logo.png") return fail("/media/logo.png: has no video in it");
      return cluster::MediaPicture{"jpeg", {{1280, 720}, 12.5, 25, "h264", 2.4}};
    }
    std::vector<cluster::PluginSummary> plugins{
        {"pattern",
         "source",
         "moves",
         "",
         {{"speed", "number", "pixels a frame", 4.0, -64, 64, {}}}},
        {"frei0r/glow", "filter", "glows", "", {}},
        {"null", "output", "swallows", "", {}}};
    plugins.insert(plugins.end(), more_.begin(), more_.end());
    return plugins;
  }

  // A submix whose first slot is called "fail" fails.
  void converge(const cluster::Revisioned<cluster::DesiredShow>& desired) {
    const auto show = show::parse(desired.value.toml, "show");
    cluster::NodeReport report;
    report.node = name_;
    report.show_revision = desired.revision;
    report.displays = {{"EPSON PJ", 0, 0, {1920, 1080}, 60}};
    report.sound_devices = {{"alsa_input.usb", "USB Audio"}};
    for (const auto& submix : show ? show->submixes : std::vector<show::Submix>()) {
      const bool fails = submix.slots.front().name == "fail";
      const auto state = fails ? cluster::SubmixState::failed : cluster::SubmixState::running;
      if (submix.node == name_)
        report.submixes.push_back({submix.name, state, fails ? "as it was told" : ""});
    }
    static_cast<void>(cluster_.put_report(report));
  }

  void publish(const std::stop_token& stop) {
    telemetry::NodeReading reading;
    reading.node = name_;
    reading.submixes = submixes_;
    reading.sound = {.is_listening = true, .sound = {.bass = 0.25}};
    while (!stop.stop_requested()) {
      ++reading.sequence;
      reading.uptime += std::chrono::milliseconds(500);  // measured sooner
      pass_frames(reading, fps_ / 2);
      cluster_.publish(reading);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

  static void pass_frames(telemetry::NodeReading& reading, std::uint64_t count) {
    for (auto& submix : reading.submixes) {
      submix.frames += count;
      for (auto& stage : submix.stages)
        stage.frames += count;
    }
  }

  const std::string name_;
  cluster::Cluster cluster_;
  const std::vector<telemetry::SubmixReading> submixes_;
  const std::uint64_t fps_;
  const std::vector<cluster::PluginSummary> more_;
  std::unique_ptr<cluster::Subscription> commands_;
  std::unique_ptr<cluster::Subscription> shows_;
  std::jthread telemetry_;
};

}  // namespace submix::cli
