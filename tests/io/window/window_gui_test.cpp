// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/window.hpp"

#include "common/base/display_server.hpp"
#include "common/base/files.hpp"
#include "common/telemetry/jitter.hpp"
#include "node/io/window/window_description.hpp"
#include "node/io/window/window_thread.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/io/virtual_screen.hpp"
#include "tests/support/temporary_folder.hpp"

#include <SDL.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <optional>
#include <thread>

namespace submix::io {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

struct Colour {
  int red = 0, green = 0, blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

constexpr Size kScreen{640, 480};
constexpr Colour kRed{255, 0, 0};
constexpr Colour kBlue{0, 0, 255};
constexpr Colour kBlack{0, 0, 0};

/// The server's frame buffer, a file in xwd's format: big-endian words, then BGRX rows.
std::string dump_of(const testing::TemporaryFolder& folder) {
  return read_text_file(folder / "Xvfb_screen0", 4 << 20).value_or("");
}

Colour pixel_in(const std::string& dump, int x, int y) {
  if (dump.size() < 100) return {-1, -1, -1};
  const auto byte = [&](std::size_t at) {
    return at < dump.size() ? static_cast<unsigned char>(dump[at]) : 0U;
  };
  const auto word = [&](std::size_t index) {
    return byte(index * 4) << 24 | byte(index * 4 + 1) << 16 | byte(index * 4 + 2) << 8 |
           byte(index * 4 + 3);
  };
  constexpr std::size_t kHeaderSize = 0, kBytesPerLine = 12, kColours = 19, kBytesPerColour = 12;
  const std::size_t start = word(kHeaderSize) + std::size_t{word(kColours)} * kBytesPerColour;
  const auto at =
      start + static_cast<std::size_t>(y) * word(kBytesPerLine) + static_cast<std::size_t>(x) * 4;
  return {static_cast<int>(byte(at + 2)), static_cast<int>(byte(at + 1)),
          static_cast<int>(byte(at))};
}

Colour pixel_at(const testing::TemporaryFolder& folder, int x, int y) {
  return pixel_in(dump_of(folder), x, y);
}

class WindowOnAScreen : public ::testing::Test {
 protected:
  void SetUp() override {
    server_ = testing::start_virtual_screen(folder_, testing::own_display());
    if (!server_) GTEST_SKIP() << "Xvfb cannot be started";
    thread_ = std::make_shared<WindowThread>(output_);
    auto made = make_window(rig_.setup(window_description(), {}), thread_);
    ASSERT_TRUE(made) << made.error().message;
    window_ = std::move(*made);
  }
  void TearDown() override {
    window_.reset();
    thread_.reset();
    server_.reset();
  }
  /// Left half red, right half blue.
  media::Frame halves() {
    auto writable = rig_.blank();
    for (std::size_t i = 0; i < writable.rgba().size(); i += 4) {
      const bool is_left = i / 4 % 128 < 64;
      const std::array<std::uint8_t, 4> rgba{static_cast<std::uint8_t>(is_left ? 255 : 0), 0,
                                             static_cast<std::uint8_t>(is_left ? 0 : 255), 0};
      std::copy(rgba.begin(), rgba.end(), writable.rgba().begin() + static_cast<std::ptrdiff_t>(i));
    }
    return std::move(writable).publish();
  }
  static media::Frame blue(testing::PluginRig& rig) {
    auto writable = rig.blank();
    for (std::size_t i = 0; i < writable.rgba().size(); i += 4) {
      constexpr std::array<std::uint8_t, 4> kAllBlue{0, 0, 255, 0};
      std::copy(kAllBlue.begin(), kAllBlue.end(),
                writable.rgba().begin() + static_cast<std::ptrdiff_t>(i));
    }
    return std::move(writable).publish();
  }
  static void press(SDL_Keycode key) {
    for (Uint32 id = 1; id < 100; ++id) {  // SDL counts windows from 1; only one of them exists
      SDL_Event event{};
      event.type = SDL_KEYDOWN;
      event.key.windowID = id;
      event.key.keysym.sym = key;
      SDL_PushEvent(&event);
    }
  }
  static void close_by_hand() {
    for (Uint32 id = 1; id < 100; ++id) {
      SDL_Event event{};
      event.type = SDL_WINDOWEVENT;
      event.window.windowID = id;
      event.window.event = SDL_WINDOWEVENT_CLOSE;
      SDL_PushEvent(&event);
    }
  }
  /// The X server ends, and later another one begins under its name.
  void end_server(int signal) {
    server_->send_signal(signal);
    ASSERT_TRUE(testing::eventually([&] { return server_->exit_status().has_value(); }));
  }
  void begin_server() {
    server_ = testing::start_virtual_screen(folder_, testing::own_display());
    ASSERT_TRUE(server_);
  }
  bool shows(int x, int y, Colour colour) {
    return testing::eventually([&] { return pixel_at(folder_, x, y) == colour; });
  }

  /// Grey letters stand in the middle of the screen.
  bool has_words() {
    const auto dump = dump_of(folder_);
    for (int y = kScreen.height / 2 - 48; y < kScreen.height / 2 + 48; ++y) {
      for (int x = kScreen.width / 2 - 64; x < kScreen.width / 2 + 64; ++x) {
        const auto [red, green, blue] = pixel_in(dump, x, y);
        if (red > 64 && red < 160 && green == red && blue >= red) return true;
      }
    }
    return false;
  }
  bool shows_words() {
    return testing::eventually([&] { return has_words(); });
  }

  /// Freezes the red picture that is shown at this place. A window takes up black-out and freeze
  /// together, so the black tells that it holds the picture by now.
  void freeze(int x, int y) {
    output_->set({.is_black = true, .is_frozen = true});
    ASSERT_TRUE(shows(x, y, kBlack));
    output_->set({.is_frozen = true});
    ASSERT_TRUE(shows(x, y, kRed));
  }

  testing::TemporaryFolder folder_;
  testing::PluginRig rig_;
  std::optional<ChildProcess> server_;
  std::shared_ptr<OutputControl> output_ = std::make_shared<OutputControl>();
  std::shared_ptr<WindowThread> thread_;
  std::unique_ptr<plugin::Plugin> window_;
};

TEST_F(WindowOnAScreen, ShowsThePictureThenCoversTheScreenKeepingItsAspect) {
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  const int x = kScreen.width / 2;
  const int y = kScreen.height / 2;
  EXPECT_TRUE(shows(x - 30, y, kRed));
  EXPECT_TRUE(shows(x + 30, y, kBlue));

  // No new frame from here on, as in a paused show: the last one is painted again.
  window_->set("fullscreen", true);
  EXPECT_TRUE(shows(20, y, kRed));
  EXPECT_TRUE(shows(kScreen.width - 20, y, kBlue));
  EXPECT_TRUE(shows(20, 40, kBlack));
  EXPECT_TRUE(shows(20, kScreen.height - 40, kBlack));

  window_->set("fullscreen", false);
  EXPECT_TRUE(shows(20, y, kBlack));
  EXPECT_TRUE(shows(x - 30, y, kRed));

  window_->set("visible", false);
  EXPECT_TRUE(shows(x - 30, y, kBlack));
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 1));
  window_->set("visible", true);
  EXPECT_TRUE(shows(x - 30, y, kRed));
}

// It was black, which could as well be a fault.
TEST_F(WindowOnAScreen, SaysThatItWaitsForItsFirstPicture) {
  EXPECT_TRUE(shows_words()) << "no frame has come";
  output_->set({.is_black = true});
  EXPECT_TRUE(testing::eventually([&] { return !has_words(); }));
  output_->set({});
  EXPECT_TRUE(shows_words());
  window_->set("fullscreen", true);
  EXPECT_TRUE(testing::eventually([&] { return !has_words(); })) << "the hall may see it";
  window_->set("fullscreen", false);
  EXPECT_TRUE(shows_words());
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  EXPECT_TRUE(testing::eventually([&] { return !has_words(); }));
  EXPECT_EQ(pixel_at(folder_, kScreen.width / 2 - 30, kScreen.height / 2), kRed);
}

// A performer's next key would have gone to the output.
TEST_F(WindowOnAScreen, LeavesTheKeyboardToTheWindowThatHasIt) {
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  ASSERT_TRUE(shows(kScreen.width / 2 - 30, kScreen.height / 2, kRed));
  const auto properties = folder_ / "properties";
  const auto command =
      fmt::format("xprop -name 'Window of left' _NET_WM_USER_TIME >'{}'", properties.string());
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read_text_file(properties).value_or(""), "_NET_WM_USER_TIME(CARDINAL) = 0\n");
}

TEST_F(WindowOnAScreen, CoversTheScreenAgainAfterAKeyIfItIsSwitchedToAndFro) {
  const int y = kScreen.height / 2;
  window_->set("fullscreen", true);
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  ASSERT_TRUE(shows(20, y, kRed));
  press(SDLK_ESCAPE);
  ASSERT_TRUE(shows(20, y, kBlack));
  window_->set("fullscreen", false);
  window_->set("fullscreen", true);  // at once
  EXPECT_TRUE(shows(20, y, kRed));
}

TEST_F(WindowOnAScreen, ShowsTheFormerSizesPictureUntilTheNextOnesFirstFrame) {
  const int y = kScreen.height / 2;
  window_->set("fullscreen", true);
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  ASSERT_TRUE(shows(20, y, kRed));
  testing::PluginRig large({256, 192});
  const auto prepare = [&] {
    return make_window(large.setup(window_description(), {{"fullscreen", true}}), thread_);
  };
  ASSERT_TRUE(prepare()) << "one that is not used after all";
  auto next = prepare();
  ASSERT_TRUE(next) << next.error().message;
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 1));
  window_.reset();
  EXPECT_TRUE(shows(20, y, kRed)) << "nothing else has come";
  EXPECT_EQ(pixel_at(folder_, 20, 40), kBlack) << "the former picture is twice as wide as high";
  ASSERT_TRUE(large.run(**next, {blue(large)}, 0));
  EXPECT_TRUE(shows(20, y, kBlue));
  EXPECT_TRUE(shows(20, 40, kBlue)) << "it covers the screen still, and is as high as that";
}

TEST_F(WindowOnAScreen, IsBlackAtOnceWithoutAFrameAndComesBack) {
  const int x = kScreen.width / 2 - 30;
  const int y = kScreen.height / 2;
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  ASSERT_TRUE(shows(x, y, kRed));
  output_->set({.is_black = true});
  EXPECT_TRUE(shows(x, y, kBlack)) << "no frame has come";
  ASSERT_TRUE(rig_.run(*window_, {blue(rig_)}, 1));
  ASSERT_TRUE(rig_.run(*window_, {blue(rig_)}, 2));
  EXPECT_EQ(pixel_at(folder_, x, y), kBlack);
  output_->set({});
  EXPECT_TRUE(shows(x, y, kBlue)) << "the newest picture, again without a frame";
}

TEST_F(WindowOnAScreen, ShowsATestCardAtOnceUnlessItIsBlack) {
  const int y = kScreen.height / 2;
  window_->set("fullscreen", true);
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  ASSERT_TRUE(shows(20, y, kRed));
  output_->set({.has_test_card = true});
  EXPECT_TRUE(shows(kScreen.width - 20, kScreen.height - 20, kBlue)) << "the last of its bars";
  EXPECT_EQ(pixel_at(folder_, 0, y), (Colour{255, 255, 255})) << "an edge";
  output_->set({.is_black = true, .has_test_card = true});
  EXPECT_TRUE(shows(kScreen.width - 20, kScreen.height - 20, kBlack));
  output_->set({});
  EXPECT_TRUE(shows(20, y, kRed));
}

TEST_F(WindowOnAScreen, HoldsAFrozenPictureWhileFramesGoOn) {
  const int x = kScreen.width / 2 - 30;
  const int y = kScreen.height / 2;
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  ASSERT_TRUE(shows(x, y, kRed));
  freeze(x, y);
  for (std::uint64_t i = 1; i < 20; ++i)
    ASSERT_TRUE(rig_.run(*window_, {blue(rig_)}, i)) << "nothing waits for the frozen window";
  EXPECT_EQ(pixel_at(folder_, x, y), kRed);
  output_->set({.is_black = true, .is_frozen = true});
  EXPECT_TRUE(shows(x, y, kBlack));
  output_->set({.is_frozen = true});
  EXPECT_TRUE(shows(x, y, kRed)) << "the frozen picture";
  output_->set({});
  EXPECT_TRUE(shows(x, y, kBlue)) << "the newest one";
}

TEST_F(WindowOnAScreen, HoldsAFrozenPictureWhileTheShowChangesItsSize) {
  const int y = kScreen.height / 2;
  window_->set("fullscreen", true);
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  ASSERT_TRUE(shows(20, y, kRed));
  freeze(20, y);
  testing::PluginRig large({256, 192});
  auto next = make_window(large.setup(window_description(), {{"fullscreen", true}}), thread_);
  ASSERT_TRUE(next) << next.error().message;
  ASSERT_TRUE(large.run(**next, {blue(large)}, 0));
  ASSERT_TRUE(large.run(**next, {blue(large)}, 1));
  window_.reset();
  EXPECT_EQ(pixel_at(folder_, 20, y), kRed);
  output_->set({});
  EXPECT_TRUE(shows(20, y, kBlue));
}

TEST_F(WindowOnAScreen, GoesOverToWhoRunsWithoutAFrameYetThoughAnotherWasPreparedSinceAndDropped) {
  const int y = kScreen.height / 2;
  window_->set("fullscreen", true);
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  ASSERT_TRUE(shows(20, y, kRed));
  testing::PluginRig large({256, 192});
  testing::PluginRig larger({320, 240});
  auto running = make_window(large.setup(window_description(), {{"fullscreen", true}}), thread_);
  ASSERT_TRUE(running) << running.error().message;
  window_.reset();
  ASSERT_TRUE(make_window(larger.setup(window_description(), {{"fullscreen", true}}), thread_))
      << "one whose patch cannot be built";
  ASSERT_TRUE(large.run(**running, {blue(large)}, 0));
  EXPECT_TRUE(shows(20, y, kBlue));
}

TEST_F(WindowOnAScreen, IsNotCoveredByAnotherOneThatHasNoFrameYet) {
  const int x = kScreen.width / 2;
  const int y = kScreen.height / 2;
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  ASSERT_TRUE(shows(x - 30, y, kRed));
  auto setup = rig_.setup(window_description(), {{"fullscreen", true}});
  setup.submix = "other";
  auto other = make_window(setup, thread_);
  ASSERT_TRUE(other) << other.error().message;
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 1));
  EXPECT_EQ(pixel_at(folder_, x - 30, y), kRed);
  ASSERT_TRUE(rig_.run(**other, {halves()}, 0));
  EXPECT_TRUE(shows(20, y, kRed)) << "it covers the screen with its first frame";
}

TEST_F(WindowOnAScreen, ComesBackForAnotherShowAfterItWasClosedByHand) {
  const int x = kScreen.width / 2;
  const int y = kScreen.height / 2;
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  ASSERT_TRUE(shows(x - 30, y, kRed));
  close_by_hand();
  ASSERT_TRUE(shows(x - 30, y, kBlack));
  testing::PluginRig large({256, 192});
  auto next = make_window(large.setup(window_description(), {}), thread_);
  ASSERT_TRUE(next) << next.error().message;
  window_.reset();
  ASSERT_TRUE(large.run(**next, {blue(large)}, 0));
  EXPECT_TRUE(shows(x - 30, y, kBlue));
}

TEST_F(WindowOnAScreen, BecomesAnotherSlotsThatTakesItsPlace) {
  const int y = kScreen.height / 2;
  window_->set("fullscreen", true);
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  ASSERT_TRUE(shows(20, y, kRed));
  auto setup = rig_.setup(window_description(), {{"fullscreen", true}});
  setup.submix = "other";
  auto other = make_window(setup, thread_);
  ASSERT_TRUE(other) << other.error().message;
  window_.reset();
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(pixel_at(folder_, 20, y), kRed) << "never bare";
    std::this_thread::sleep_for(milliseconds(5));
  }
  ASSERT_TRUE(rig_.run(**other, {halves()}, 0));
  ASSERT_TRUE(rig_.run(**other, {halves()}, 1));
  EXPECT_EQ(pixel_at(folder_, 20, y), kRed) << "never bare";
  (*other)->set("fullscreen", false);
  EXPECT_TRUE(shows(20, y, kBlack)) << "it is the other slot's";
}

TEST_F(WindowOnAScreen, KeepsTheDisplaysTimeWhenAskedTo) {
  EXPECT_EQ(window_->pace(), plugin::Pace::show);
  window_->set("vsync", true);
  ASSERT_TRUE(testing::eventually([&] { return window_->pace() == plugin::Pace::display; }));
  constexpr int kFrames = 20;
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < kFrames; ++i)
    ASSERT_TRUE(rig_.run(*window_, {halves()}, i));
  // Two refreshes each, of 60 a second: never faster, even on a slow machine. Two frames are on
  // their way.
  EXPECT_GT(std::chrono::steady_clock::now() - begin, (kFrames - 3) * milliseconds(32));
  EXPECT_EQ(window_->pace(), plugin::Pace::display) << "it did wait";
  EXPECT_TRUE(testing::eventually(
      [&] { return telemetry::frame_count(window_->lateness().jitter) >= kFrames - 1; }));
  std::this_thread::sleep_for(milliseconds(200));
  ASSERT_TRUE(rig_.run(*window_, {halves()}, kFrames));
  EXPECT_TRUE(testing::eventually([&] { return window_->lateness().missed_frame == kFrames; }));
  window_->set("visible", false);
  EXPECT_TRUE(testing::eventually([&] { return window_->pace() == plugin::Pace::show; }))
      << "nobody sees it";
}

// Before, Xlib ended the process with its server.
class WindowOfAServerThatEnds : public WindowOnAScreen,
                                public ::testing::WithParamInterface<int> {};

TEST_P(WindowOfAServerThatEnds, HoldsNobodyUpAndComesBackWithTheNextServer) {
  const int x = kScreen.width / 2;
  const int y = kScreen.height / 2;
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  ASSERT_TRUE(shows(x + 30, y, kBlue));
  for (std::uint64_t round = 0; round < 3; ++round) {
    end_server(GetParam());
    ASSERT_TRUE(testing::eventually([&] { return !window_->trouble().empty(); }));
    EXPECT_THAT(window_->trouble(), HasSubstr("the display server has ended"));
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < 50; ++i)
      ASSERT_TRUE(rig_.run(*window_, {i < 49 ? halves() : blue(rig_)}, i + 1));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, WindowMailbox::kTimeout);

    begin_server();
    EXPECT_TRUE(shows(x - 30, y, kBlue)) << "the newest frame, without another one";
    EXPECT_EQ(window_->trouble(), "");
    ASSERT_TRUE(rig_.run(*window_, {halves()}, 51));
    ASSERT_TRUE(shows(x - 30, y, kRed));
  }
  EXPECT_EQ(rig_.events.lines().size(), 6U) << "one of each end, one of each return";
}

INSTANTIATE_TEST_SUITE_P(, WindowOfAServerThatEnds, ::testing::Values(SIGKILL, SIGTERM));

TEST_F(WindowOnAScreen, OpensWithTheNextServerIfItCameWhileThereWasNone) {
  end_server(SIGKILL);
  ASSERT_TRUE(testing::eventually([&] { return !window_->trouble().empty(); }));
  window_.reset();
  auto next = make_window(rig_.setup(window_description(), {{"fullscreen", true}}), thread_);
  ASSERT_TRUE(next) << next.error().message;
  ASSERT_TRUE(rig_.run(**next, {halves()}, 0));
  begin_server();
  EXPECT_TRUE(shows(20, kScreen.height / 2, kRed));
}

// A server that ends while Xlib writes to it.
TEST(OutliveDisplayServer, HoldsForAWriteToALostConnection) {
  outlive_display_server();
  EXPECT_EQ(std::raise(SIGPIPE), 0);
}

TEST(LeaveIfLost, LeavesTheStepInWhichTheServerIsMissed) {
  const testing::TemporaryFolder folder;
  auto server = testing::start_virtual_screen(folder);
  if (!server) GTEST_SKIP() << "Xvfb cannot be started";
  outlive_display_server();
  forget_lost_display_server();
  ASSERT_EQ(SDL_InitSubSystem(SDL_INIT_VIDEO), 0) << SDL_GetError();
  int steps = 0;
  const auto step = [&] {
    SDL_PumpEvents();
    ++steps;
  };
  leave_if_lost(step);
  EXPECT_EQ(steps, 1);
  server.reset();
  leave_if_lost(step);
  EXPECT_TRUE(is_display_server_lost());
  leave_if_lost(step);
  EXPECT_EQ(steps, 1);
  SDL_Quit();
}

// Before, it went back to a window, and only switching full screen off and on helped.
TEST_F(WindowOnAScreen, StaysInFullScreenWithAnotherDisplay) {
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  const int y = kScreen.height / 2;
  window_->set("fullscreen", true);
  EXPECT_TRUE(shows(20, y, kRed));
  window_->set("display", 1.0);
  ASSERT_TRUE(
      testing::eventually([&] { return !rig_.events.lines().empty(); }));  // there is only one
  ASSERT_TRUE(rig_.run(*window_, {blue(rig_)}, 1));
  EXPECT_TRUE(shows(20, y, kBlue));  // this frame came after the change
  window_->set("fullscreen", false);
  EXPECT_TRUE(shows(20, y, kBlack));
}

TEST_F(WindowOnAScreen, GoesToFullScreenAndBackByKeys) {
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 0));
  const int y = kScreen.height / 2;
  EXPECT_TRUE(shows(kScreen.width / 2 - 30, y, kRed));
  press(SDLK_f);
  EXPECT_TRUE(shows(20, y, kRed));
  window_->set("title", std::string("Mix"));  // must not undo what was done by hand
  ASSERT_TRUE(rig_.run(*window_, {halves()}, 1));
  EXPECT_TRUE(shows(20, y, kRed));
  press(SDLK_F11);
  EXPECT_TRUE(shows(20, y, kBlack));
  press(SDLK_F11);
  EXPECT_TRUE(shows(20, y, kRed));
  press(SDLK_ESCAPE);
  EXPECT_TRUE(shows(20, y, kBlack));
  EXPECT_TRUE(shows(kScreen.width / 2 - 30, y, kRed));
}

}  // namespace
}  // namespace submix::io
