// SPDX-License-Identifier: GPL-3.0-or-later
// The real window inside this process, so that the work of its thread can be counted.
#include "common/base/allocation_count.hpp"
#include "controller/ui/shell/app.hpp"
#include "tests/input/input_service_bench.hpp"
#include "tests/ui/desktop.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace submix::ui {
namespace {

constexpr int kCalmTurns = 12;   // turns of the loop, each of which ends with a sleep
constexpr int kTurnsOfRest = 3;  // enough to see that it has come to rest
constexpr int kTurnsMax = 400;

class IdleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    desktop_ = Desktop::start({1440, 900}, folder_.path());
    ASSERT_TRUE(desktop_) << "Xvfb does not start";
    ::setenv("DISPLAY", desktop_->display().c_str(), 1);
    desktop_->move({1439, 899});
    auto window = Window::open("idle", Size{1280, 800});
    ASSERT_TRUE(window) << window.error().message;
    window_ = std::move(*window);
    auto cluster = std::make_unique<session::FakeCluster>();
    cluster_ = cluster.get();
    session_ = std::make_unique<session::Session>(
        std::move(cluster), clock_,
        session::SessionSettings{"test", &Window::wake, false, folder_.path()});
    input::InputOptions options{folder_ / "control.toml"};
    options.on_change = &Window::wake;
    input_ = std::make_unique<input::InputService>(
        *session_, clock_, [this] { return std::make_unique<input::FakePorts>(devices_); },
        std::move(options));
    Options looks;
    looks.nats_url = "nats://127.0.0.1:1";  // nobody connects to it
    app_ = std::make_unique<App>(*window_, Backend{*session_, *input_}, looks, preferences_);
  }

  /// Runs the window until the given number of turns in a row have drawn nothing. Returns the
  /// allocations in these turns.
  std::optional<std::uint64_t> allocations_of_calm_turns(int calm_turns = kCalmTurns) {
    std::uint64_t drawn = 0;
    std::uint64_t allocations = 0;
    int turns = 0;
    int calm = 0;
    const auto done = app_->run([&] {
      ++turns;
      const auto frames = app_->meter().frame.count();
      if (frames != drawn) {
        drawn = frames;
        calm = 0;
        allocations = thread_allocation_count();
      } else {
        ++calm;
      }
      return calm == calm_turns || turns == kTurnsMax;
    });
    if (!done || calm < calm_turns) return std::nullopt;
    return thread_allocation_count() - allocations;
  }

  const ::submix::testing::TemporaryFolder folder_;
  const SteadyClock clock_;
  std::optional<Desktop> desktop_;
  std::unique_ptr<Window> window_;
  input::FakeDevices devices_;
  session::FakeCluster* cluster_ = nullptr;
  std::unique_ptr<session::Session> session_;
  std::unique_ptr<input::InputService> input_;
  Preferences preferences_;
  std::unique_ptr<App> app_;
};

/// A page and the programme have windows of their own.
class IdleWithExtraWindowsTest : public IdleTest {
 protected:
  IdleWithExtraWindowsTest() {
    for (const auto* view : {"alerts", "control", "programme"})
      preferences_.windows.push_back({.view = view, .is_open = true});
  }
};

TEST_F(IdleWithExtraWindowsTest, DrawsNothingAndAsksForNoMemoryWhileNothingChanges) {
  if (!can_count_allocations()) GTEST_SKIP() << "a sanitizer counts them";
  cluster_->say(session::ConnectionUpdate{model::ConnectionState::connected, "nats"});
  const auto allocations = allocations_of_calm_turns();
  ASSERT_TRUE(allocations) << "it draws on and on";
  EXPECT_EQ(*allocations, 0U);
}

TEST_F(IdleTest, DrawsNothingAndAsksForNoMemoryWhileNothingChanges) {
  if (!can_count_allocations()) GTEST_SKIP() << "a sanitizer counts them";
  cluster_->say(session::ConnectionUpdate{model::ConnectionState::connected, "nats"});
  const auto allocations = allocations_of_calm_turns();
  ASSERT_TRUE(allocations) << "it draws on and on";
  EXPECT_EQ(*allocations, 0U);
}

TEST_F(IdleTest, WakesForAPersonAndForNews) {
  cluster_->say(session::ConnectionUpdate{model::ConnectionState::connected, "nats"});
  ASSERT_TRUE(allocations_of_calm_turns(kTurnsOfRest));
  const auto before = app_->meter().frame.count();
  desktop_->move({640, 400});
  ASSERT_TRUE(allocations_of_calm_turns(kTurnsOfRest));
  const auto after_mouse = app_->meter().frame.count();
  EXPECT_GT(after_mouse, before);
  cluster_->say(session::ConnectionUpdate{model::ConnectionState::connected, "another nats"});
  ASSERT_TRUE(allocations_of_calm_turns(kTurnsOfRest));
  EXPECT_GT(app_->meter().frame.count(), after_mouse);
}

}  // namespace
}  // namespace submix::ui
