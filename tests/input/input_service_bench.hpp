// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/parse.hpp"
#include "controller/input/input_service.hpp"
#include "tests/input/scene.hpp"
#include "tests/session/fake_cluster.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <semaphore>
#include <string>
#include <utility>
#include <vector>

namespace submix::input {

using namespace std::chrono_literals;

/// MIDI devices that a test plugs in and unplugs. Synchronized.
struct FakeDevices {
  void plug(std::vector<MidiDevice> now_there) {
    MutexLock lock(mutex);
    devices = std::move(now_there);
  }
  void send(const MidiBytes& bytes) const { deliver("nano", bytes); }
  [[nodiscard]] std::vector<MidiBytes> told() const {
    MutexLock lock(mutex);
    return outputs;
  }

  mutable Mutex mutex;
  std::vector<MidiDevice> devices SUBMIX_GUARDED_BY(mutex) = {{"nano", true}};
  std::vector<MidiBytes> outputs SUBMIX_GUARDED_BY(mutex);
  MidiPorts::Deliver deliver;
};

class FakePorts final : public MidiPorts {
 public:
  explicit FakePorts(FakeDevices& devices) : devices_(devices) {}
  void start(Deliver deliver) override { devices_.deliver = std::move(deliver); }
  MidiScan scan() override {
    MutexLock lock(devices_.mutex);
    return {"fake", "", devices_.devices};
  }
  void send(const std::string&, const MidiBytes& bytes) override {
    MutexLock lock(devices_.mutex);
    devices_.outputs.push_back(bytes);
  }

 private:
  FakeDevices& devices_;
};

/// An InputService on a fake cluster, with everything needed to observe it.
class InputServiceBench : public ::testing::Test {
 protected:
  InputServiceBench() {
    auto cluster = std::make_unique<session::FakeCluster>();
    cluster->set_plugins(sample::plugins());
    cluster->set_revision(1);
    cluster_ = cluster.get();
    session_ = std::make_unique<session::Session>(
        std::move(cluster), clock_, session::SessionSettings{"test", [this] { wake(); }});
    cluster_->say(session::ConnectionUpdate{model::ConnectionState::connected, "nats"});
    cluster_->say(session::ShowUpdate{{show::to_toml(model::sample::show()), "somebody"}, 1});
    auto report = model::sample::report("rack1");
    report.submixes = {{"left", cluster::SubmixState::running, ""}};
    cluster_->say(report);
    cluster_->say(model::sample::sender(1));
    start();
  }
  void start(const std::function<void(InputOptions&)>& change = [](InputOptions&) {}) {
    input_.reset();
    InputOptions options{folder_ / "control.toml"};
    options.is_osc_on = true;
    options.osc_port = 0;
    options.scan_period = 10ms;
    options.on_change = [this] { wake(); };
    change(options);
    input_ = std::make_unique<InputService>(
        *session_, clock_, [this] { return std::make_unique<FakePorts>(devices_); },
        std::move(options));
    EXPECT_TRUE(until([&] {
      return !input_->view()->osc_address.empty() && !input_->view()->midi.devices.empty() &&
             session_->view()->find_plugin("frei0r/glow") != nullptr;
    }));
  }
  void wake() { news_.release(); }
  template <typename Condition>
  [[nodiscard]] bool until(Condition holds) {
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (!holds()) {
      static_cast<void>(news_.try_acquire_for(20ms));
      if (std::chrono::steady_clock::now() > deadline) return false;
    }
    return true;
  }
  [[nodiscard]] double blur() const {
    const auto view = session_->view();
    return std::get<double>(view->show->find_slot({"left", "glow"})->parameters.at("Blur"));
  }
  [[nodiscard]] bool is_said(std::string_view text) const {
    const auto view = session_->view();
    return std::ranges::any_of(view->events, [&](const auto& event) {
      return event.event.text.find(text) != std::string::npos;
    });
  }
  void learn_blur() {
    ASSERT_TRUE(input_->post(Learn{ParameterTarget{{"left", "glow"}, "Blur"}}));
    ASSERT_TRUE(until([&] { return input_->view()->learning.has_value(); }));
    devices_.send({0xb0, 7, 1});
    ASSERT_TRUE(until([&] { return input_->view()->mappings.size() == 1; }));
  }
  [[nodiscard]] std::string osc() const { return input_->view()->osc_address; }

  const ::submix::testing::TemporaryFolder folder_;
  const SteadyClock clock_;
  std::counting_semaphore<> news_{0};
  FakeDevices devices_;
  session::FakeCluster* cluster_ = nullptr;
  std::unique_ptr<session::Session> session_;
  std::unique_ptr<InputService> input_;
};

}  // namespace submix::input
