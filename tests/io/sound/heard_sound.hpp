// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "node/io/sound/sound_listening.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/eventually.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

namespace submix::testing {

/// Keeps what was heard. Synchronized.
class HeardSound {
 public:
  void hear(const io::HeardMoment& moment) {
    const MutexLock lock(mutex_);
    const auto& sound = moment.sound;
    last_ = sound;
    end_ = moment.end;
    loudest_.bass = std::max(loudest_.bass, sound.bass);
    loudest_.onset = std::max(loudest_.onset, sound.onset);
    ++calls_;
  }
  void forget() {
    const MutexLock lock(mutex_);
    last_ = {};
    loudest_ = {};
    calls_ = 0;
  }
  [[nodiscard]] bool is_kick() const {
    const MutexLock lock(mutex_);
    return loudest_.bass > 0.5 && loudest_.onset == 1.0;
  }
  /// When the sound heard so far ended.
  [[nodiscard]] LocalTime end() const {
    const MutexLock lock(mutex_);
    return end_;
  }
  [[nodiscard]] bool is_silent() const {
    const MutexLock lock(mutex_);
    return calls_ > 0 && last_ == show::Sound{};
  }

 private:
  mutable Mutex mutex_;
  show::Sound last_ SUBMIX_GUARDED_BY(mutex_);
  show::Sound loudest_ SUBMIX_GUARDED_BY(mutex_);
  LocalTime end_ SUBMIX_GUARDED_BY(mutex_);
  int calls_ SUBMIX_GUARDED_BY(mutex_) = 0;
};

/// Listens to an input of this computer.
class SoundListeningTest : public ::testing::Test {
 protected:
  void TearDown() override { listening_.reset(); }  // before its server ends

  void listen(const std::string& device) {
    if (!listening_) {
      listening_.emplace(io::SoundListening::Options{
          .events = &events_, .heard = [this](const auto& moment) { heard_.hear(moment); }});
    }
    listening_->listen(device);
  }
  [[nodiscard]] bool hears_kicks() {
    heard_.forget();
    return eventually([&] { return heard_.is_kick(); });
  }
  [[nodiscard]] bool is_in_trouble() {
    return eventually([&] { return !listening_->trouble().empty(); });
  }
  void expect_kicks_of_now(const std::string& log_of_server) {
    EXPECT_TRUE(hears_kicks()) << listening_->trouble() << log_of_server;
    const auto age = SteadyClock().now() - heard_.end();
    EXPECT_LT(age, std::chrono::seconds(1)) << "when the sound was";
    EXPECT_GT(age, std::chrono::seconds(-1));
    EXPECT_EQ(listening_->trouble(), "");
    EXPECT_THAT(events_.lines(), ::testing::IsEmpty());
  }

  EventLog events_;
  HeardSound heard_;
  std::optional<io::SoundListening> listening_;
};

}  // namespace submix::testing
