// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

/// A view of a show that is too slow, for each test to change.
namespace submix::model::sample {

inline constexpr StageShares kReady{.working = 0.2, .starved = 0, .blocked = 0.8};
inline constexpr StageShares kWaiting{.working = 0.2, .starved = 0.8, .blocked = 0};
inline constexpr StageShares kBusy{.working = 0.99, .starved = 0.01, .blocked = 0};

inline StageView stage(const char* slot, StageShares shares, std::vector<const char*> inputs = {}) {
  StageView view{.slot = slot,
                 .plugin = "p",
                 .frames = 9,
                 .fps = 20,
                 .shares = shares,
                 .queues = {},
                 .counters = {}};
  for (const auto* input : inputs)
    view.queues.push_back({input, 0, 2});
  return view;
}

inline SubmixView submix(const char* name, std::vector<StageView> stages) {
  SubmixView view;
  view.name = view.node = name;
  view.state = SubmixState::running;
  view.fps = 20;
  view.stages = std::move(stages);
  return view;
}

inline LinkView link(std::uint32_t index, double mb_per_second, double idle) {
  LinkView view;
  view.index = index;
  view.state = telemetry::LinkState::open;
  view.local = fmt::format("198.18.{}.2:1", index);
  view.remote = fmt::format("198.18.{}.1:2", index);
  view.mb_per_second = view.capacity_mb_per_second = mb_per_second;
  view.shares = {.sending = 0, .blocked = 1 - idle, .idle = idle};
  return view;
}

inline StreamView stream(const char* name) {
  StreamView view;
  view.name = name;
  view.from = {name, "out"};
  view.to = {"mix", name};
  view.sender.node = name;
  view.sender.links = {link(0, 35, 0.1), link(1, 35, 0.1)};
  return view;
}

/// Left and right into mix, which shows 20 of 30 fps because it waits for right's frames.
class SlowShow : public ::testing::Test {
 protected:
  SlowShow() {
    auto show = std::make_shared<show::Show>();
    show->size = {1280, 720};
    show->rate = {30, 1};
    view_.show = show;
    view_.connection = ConnectionState::connected;
    for (const auto* name : {"left", "right"}) {
      view_.submixes.push_back(
          submix(name, {stage("clip", kReady), stage("waves", kReady, {"clip"}),
                        stage("out", kReady, {"waves"})}));
    }
    view_.submixes.push_back(submix(
        "mix", {stage("left", kReady), stage("right", kWaiting),
                stage("fade", kWaiting, {"left", "right"}), stage("screen", kWaiting, {"fade"})}));
    view_.submixes.back().is_final = true;
    view_.streams = {stream("left"), stream("right")};
    for (const auto* name : {"left", "right", "mix"}) {
      NodeView node;
      node.name = name;
      node.health = Health::healthy;
      node.cores = 4;
      view_.nodes.push_back(node);
    }
  }

  StageView& right(std::size_t slot) { return view_.submixes[1].stages[slot]; }
  SubmixView& mix() { return view_.submixes[2]; }
  std::vector<LinkView>& links() { return view_.streams[1].sender.links; }
  void let_slot_be_slow() {
    right(1).shares = kBusy;
    right(2).shares = kWaiting;
  }
  void let_links_be_full() { view_.streams[1].sender.blocked_share = 0.8; }

  ClusterView view_;
};

/// The same show without a fault, for a long time.
class HealthyShow : public SlowShow {
 protected:
  HealthyShow() {
    for (auto& stream : view_.streams)
      stream.sender.is_current = true;
    mix().fps = 30;
    for (auto& node : view_.nodes) {
      node.uptime = std::chrono::hours(1);
      node.measured_seconds = 1;
    }
  }
};

}  // namespace submix::model::sample
