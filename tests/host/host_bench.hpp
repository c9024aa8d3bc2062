// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/host/host_keeper.hpp"
#include "node/host/hosted_plugin.hpp"
#include "node/plugin/catalog.hpp"
#include "tests/support/event_log.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/plugin_counter.hpp"
#include "tests/support/plugin_hosts.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace submix::host {

/// The plugin of deeds.cpp does its deed at this frame, at 30 frames a second.
inline constexpr std::uint64_t kDeedFrame = 30;

using testing::counter;
using testing::eventually;

/// Runs plugins in hosts of their own, without an engine.
class HostBench {
 public:
  explicit HostBench(Size size = {256, 128}, media::Backing backing = media::Backing::shared,
                     std::vector<std::filesystem::path> folders = {SUBMIX_TEST_PLUGINS})
      : size_(size),
        pool_(size, 16, backing),
        keeper_(HostKeeper::open(SUBMIX_PLUGIN_HOST).value()),
        catalog_(std::move(folders)) {
    host_plugins_of(catalog_, *keeper_);
  }

  [[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make(std::string_view id,
                                                             show::Parameters parameters = {}) {
    plugin::Setup setup{.submix = "left",
                        .slot = "fx",
                        .size = size_,
                        .rate = {30, 1},
                        .parameters = std::move(parameters)};
    setup.hosting = show::Hosting::own_process;
    setup.events = &events_;
    setup.clock = &clock_;
    return catalog_.create(id, std::move(setup));
  }
  [[nodiscard]] std::unique_ptr<plugin::Plugin> deeds(const std::string& deed, double level = 0.2) {
    return make("frei0r/deeds", {{"deed", deed}, {"level", level}}).value();
  }

  media::Frame run(plugin::Plugin& plugin, std::uint64_t index,
                   const std::vector<media::Frame>& inputs) {
    plugin::Work work;
    work.inputs = inputs;
    work.stamp = {1, {index}, FrameRate{30, 1}.time_of({index}), {}};
    work.pool = &pool_;
    work.clock = &clock_;
    auto frame = plugin.process(work);
    EXPECT_TRUE(frame.has_value());
    return frame.value_or(media::Frame());
  }

  media::Frame filled(std::uint8_t value) {
    auto writable = *pool_.try_acquire();
    for (auto& byte : writable.rgba())
      byte = value;
    return std::move(writable).publish();
  }

  [[nodiscard]] testing::EventLog& events() { return events_; }
  [[nodiscard]] std::string last_event() const {
    const auto lines = events_.lines();
    return lines.empty() ? "" : lines.back();
  }
  [[nodiscard]] testing::ManualClock& clock() { return clock_; }
  [[nodiscard]] plugin::Catalog& catalog() { return catalog_; }
  [[nodiscard]] HostKeeper& keeper() { return *keeper_; }
  /// The hosts that have a slot; no spares.
  [[nodiscard]] static std::vector<pid_t> hosts() {
    return testing::plugin_hosts_of_this().at_work;
  }
  [[nodiscard]] static std::vector<pid_t> spares() {
    return testing::plugin_hosts_of_this().spares;
  }
  [[nodiscard]] media::FramePool& pool() { return pool_; }

 private:
  const Size size_;
  testing::EventLog events_;
  testing::ManualClock clock_;
  media::FramePool pool_;
  std::unique_ptr<HostKeeper> keeper_;
  plugin::Catalog catalog_;
};

}  // namespace submix::host
