// SPDX-License-Identifier: GPL-3.0-or-later
// The sound of clips, read by real decoders.

#include "node/decode/remote_sound.hpp"

#include "common/base/mutex.hpp"
#include "common/base/thread.hpp"
#include "node/decode/remote_source.hpp"
#include "node/host/host_keeper.hpp"
#include "node/io/clip/clip.hpp"
#include "node/io/sound/sound_listening.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/io/sounding_clip.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/plugin_hosts.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace submix::decode {
namespace {

using namespace std::chrono_literals;
using testing::eventually;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// What was heard, and when. Synchronized.
class Heard {
 public:
  void hear(const io::HeardMoment& moment) {
    const MutexLock lock(mutex_);
    moments_.emplace_back(SteadyClock().now(), moment.sound);
  }
  void forget() {
    const MutexLock lock(mutex_);
    moments_.clear();
  }
  [[nodiscard]] bool is_loud() const { return first_onset(LocalTime()).has_value(); }
  /// The first onset after `begin`.
  [[nodiscard]] std::optional<LocalTime> first_onset(LocalTime begin) const {
    const MutexLock lock(mutex_);
    const auto is_it = [&](const auto& moment) {
      return moment.first >= begin && moment.second.onset == 1.0;
    };
    const auto found = std::ranges::find_if(moments_, is_it);
    return found == moments_.end() ? std::nullopt : std::optional(found->first);
  }
  /// Whether the last half second was silence.
  [[nodiscard]] bool is_silent() const {
    const MutexLock lock(mutex_);
    constexpr std::ptrdiff_t kHalfASecond = 47;
    return std::ssize(moments_) > kHalfASecond &&
           std::all_of(moments_.end() - kHalfASecond, moments_.end(),
                       [](const auto& moment) { return moment.second.level < 0.01; });
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::pair<LocalTime, show::Sound>> moments_ SUBMIX_GUARDED_BY(mutex_);
};

/// A clip that plays at 30 frames/s in slot left.clip, and whose sound is listened to.
class SoundOfAClip : public ::testing::Test {
 protected:
  SoundOfAClip() { testing::write_sounding_clip(folder_ / "a.mkv", {.seconds = 6}); }
  ~SoundOfAClip() override { stop(); }

  void play(show::Parameters parameters = {{"file", "a.mkv"}}) {
    rig_.is_paced = true;
    auto made = io::make_clip(rig_.setup(io::clip_description(), std::move(parameters)), folders_,
                              opener_, clips_);
    ASSERT_TRUE(made) << made.error().message;
    clip_ = std::move(*made);
    begun_ = SteadyClock().now();
    player_ = start_thread("player", [this](const std::stop_token& stop) {
      for (std::uint64_t index = 0; !stop.stop_requested(); ++index) {
        std::this_thread::sleep_until(begun_ + rig_rate_.time_of({index}));
        while (is_paused_ && !stop.stop_requested())
          std::this_thread::sleep_for(1ms);
        const MutexLock lock(mutex_);
        (void)rig_.make(*clip_, index);
      }
    });
  }
  void set(const std::string& name, const show::ParameterValue& value) {
    const MutexLock lock(mutex_);
    clip_->set(name, value);
  }
  void stop() {
    player_ = {};
    clip_.reset();
  }
  void listen() { listening_.listen("clip:left.clip"); }
  [[nodiscard]] bool hears() {
    heard_.forget();
    return eventually([&] { return heard_.is_loud(); });
  }
  [[nodiscard]] bool hears_silence() {
    heard_.forget();
    return eventually([&] { return heard_.is_silent(); });
  }
  using Lag = std::chrono::duration<double, std::milli>;
  /// How long after its picture a burst is heard: the second shortest time of four bursts, from
  /// `second` of the clip on. Empty: one was not heard.
  [[nodiscard]] std::optional<Lag> lag_from(std::chrono::seconds second) {
    std::vector<Lag> lags;
    for (int i = 0; i < 4; ++i) {
      const auto burst = begun_ + second + i * 1s;
      std::optional<LocalTime> onset;
      const bool is_heard = eventually([&] {
        onset = heard_.first_onset(burst - 300ms);
        return onset.has_value();
      });
      if (!is_heard) return std::nullopt;
      lags.emplace_back(*onset - burst);
    }
    std::ranges::sort(lags);
    return lags[1];
  }
  [[nodiscard]] static bool is_in_time(Lag lag) { return lag > -40ms && lag < 100ms; }
  [[nodiscard]] bool has_event(const std::string& text) {
    return eventually([&] {
      const auto lines = events_.lines();
      return std::ranges::any_of(
          lines, [&](const auto& line) { return line.find(text) != std::string::npos; });
    });
  }

  testing::TemporaryFolder folder_;
  const io::MediaFolders folders_{folder_.path(), {}};
  const std::unique_ptr<host::HostKeeper> keeper_ =
      host::HostKeeper::open(SUBMIX_PLUGIN_HOST).value();
  const io::SourceOpener opener_ = open_in_decoders(*keeper_);
  const std::shared_ptr<io::PlayedClips> clips_ = std::make_shared<io::PlayedClips>();
  const FrameRate rig_rate_{30, 1};
  testing::PluginRig rig_{{64, 64}, rig_rate_, media::Backing::shared};
  testing::EventLog events_;
  Heard heard_;
  LocalTime begun_;
  Mutex mutex_;  // of the clip
  std::unique_ptr<plugin::Plugin> clip_;
  std::atomic<bool> is_paused_ = false;
  std::jthread player_;
  io::SoundListening listening_{{.events = &events_,
                                 .heard = [this](const auto& moment) { heard_.hear(moment); },
                                 .clips = {clips_, folders_, open_sound_in_decoders(*keeper_)}}};
};

// The decoder starts during the first burst. A busy machine may delay several bursts in a row, so
// there are several rounds. A sound that is late by a fault of the program is late in all of them.
TEST_F(SoundOfAClip, IsHeardWhenItsPictureIsMade) {
  constexpr int kRounds = 6;
  testing::write_sounding_clip(folder_ / "long.mkv", {.seconds = 2.0 + 4 * kRounds + 1});
  play({{"file", "long.mkv"}});
  listen();
  std::optional<Lag> lag;
  for (int round = 0; round < kRounds && !(lag && is_in_time(*lag)); ++round) {
    lag = lag_from(2s + round * 4s);
    ASSERT_TRUE(lag) << listening_.trouble();
  }
  RecordProperty("lag_ms", std::to_string(lag->count()));
  EXPECT_TRUE(is_in_time(*lag)) << lag->count() << " ms; on an idle machine 5 ms";
  EXPECT_THAT(events_.lines(), IsEmpty());
}

TEST_F(SoundOfAClip, IsSilenceWhileTheClipIsPausedAndComesBackWithIt) {
  play();
  listen();
  ASSERT_TRUE(hears()) << listening_.trouble();
  is_paused_ = true;
  EXPECT_TRUE(hears_silence());
  EXPECT_EQ(listening_.trouble(), "");
  is_paused_ = false;
  EXPECT_TRUE(hears());
  set("speed", -1.0);
  EXPECT_TRUE(hears());
}

TEST_F(SoundOfAClip, FollowsItToAnotherFileAndSaysThatOneHasNoSound) {
  testing::write_sounding_clip(folder_ / "silent.mkv", {.sound = ""});
  play();
  listen();
  ASSERT_TRUE(hears());
  set("file", std::string("silent.mkv"));
  EXPECT_TRUE(has_event("sound: clip silent.mkv in slot left.clip has no sound"));
  EXPECT_TRUE(hears_silence());
  EXPECT_THAT(listening_.trouble(), HasSubstr("has no sound; what follows it rests"));
  set("file", std::string("a.mkv"));
  EXPECT_TRUE(has_event("the sound is heard again"));
  EXPECT_TRUE(hears());
  EXPECT_EQ(listening_.trouble(), "");
}

TEST_F(SoundOfAClip, IsThatOfTheTrackThatTheSlotNames) {
  play();
  listen();
  ASSERT_TRUE(hears());
  set("sound_track", 2.0);
  EXPECT_TRUE(has_event("a.mkv: has no sound track 2, only 1 (1); set sound_track to a number of"));
  EXPECT_TRUE(hears_silence());
  set("sound_track", 1.0);
  EXPECT_TRUE(has_event("the sound is heard again"));
  EXPECT_TRUE(hears());
}

TEST_F(SoundOfAClip, OutlivesItsDecoder) {
  play();
  listen();
  ASSERT_TRUE(hears());
  const auto before = testing::plugin_hosts_of_this().decoders;
  ASSERT_THAT(before, SizeIs(2)) << "one for the pictures, one for the sound";
  ::kill(std::max(before[0], before[1]), SIGABRT);
  EXPECT_TRUE(has_event("the sound of the clip in slot left.clip fails"));
  EXPECT_TRUE(has_event("its decoder crashed (SIGABRT); tried again every 2 s"));
  EXPECT_TRUE(has_event("the sound is heard again"));
  EXPECT_TRUE(hears());
}

TEST_F(SoundOfAClip, NamesTheClipsThatPlayWhereTheSlotIsMissing) {
  play();
  listening_.listen("clip:right.clip");
  EXPECT_TRUE(has_event("no clip plays in slot right.clip here; its clips are in left.clip"));
  EXPECT_TRUE(hears_silence());
  stop();
  listen();
  EXPECT_TRUE(has_event("no clip plays in slot left.clip here; this node plays no clip"));
  play();
  EXPECT_TRUE(hears());
}

TEST_F(SoundOfAClip, TellsOfADamagedTrackOnceAndGoesOn) {
  testing::write_sounding_clip(folder_ / "b.mp4", {.seconds = 6, .options = {"-c:a", "aac"}});
  const auto bytes = static_cast<std::streamoff>(std::filesystem::file_size(folder_ / "b.mp4"));
  std::fstream file(folder_ / "b.mp4", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(bytes / 2);
  file << std::string(static_cast<std::size_t>(bytes / 8), '\xff');
  file.close();
  play({{"file", "b.mp4"}});
  listen();
  EXPECT_TRUE(
      has_event("sound: clip b.mp4 in slot left.clip: its sound is damaged or missing at "));
  EXPECT_TRUE(hears());
  EXPECT_THAT(events_.lines(), SizeIs(1));
}

}  // namespace
}  // namespace submix::decode
