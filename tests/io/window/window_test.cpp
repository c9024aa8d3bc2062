// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/window.hpp"

#include "node/io/window/window_description.hpp"
#include "node/io/window/window_thread.hpp"
#include "node/plugin/acts_at_once.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/eventually.hpp"

#include <SDL.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace submix::io {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Uses SDL's driver "dummy", which draws into memory.
class WindowTest : public ::testing::Test {
 protected:
  WindowTest() { ::setenv("SDL_VIDEODRIVER", "dummy", 1); }

  Result<std::unique_ptr<plugin::Plugin>> make(show::Parameters parameters = {},
                                               const std::string& submix = "left") {
    auto setup = rig_.setup(window_description(), std::move(parameters));
    setup.submix = submix;
    return make_window(setup, thread_);
  }
  void feed(plugin::Plugin& window, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto frame = rig_.blank().publish();
      ASSERT_EQ(rig_.run(window, {frame}, i).rgba().data(), frame.rgba().data());
    }
  }

  testing::PluginRig rig_;
  std::shared_ptr<OutputControl> output_ = std::make_shared<OutputControl>();
  std::shared_ptr<WindowThread> thread_ = std::make_shared<WindowThread>(output_);
};

TEST_F(WindowTest, ShowsEveryFrameAndPassesItOn) {
  const auto window = make({{"title", "Mix"}});
  ASSERT_TRUE(window) << window.error().message;
  feed(**window, 50);
  EXPECT_EQ((*window)->counters().front().second, 0U);
  EXPECT_EQ((*window)->traits().frames_retained, 2U);
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
}

TEST_F(WindowTest, HoldsNoMoreFramesThanItSays) {
  const auto window = make();
  ASSERT_TRUE(window);
  feed(**window, 100);  // the rig's pool has 6 seats
  std::vector<media::WritableFrame> free;
  for (int i = 0; i < 4; ++i)
    free.push_back(rig_.blank());
}

TEST_F(WindowTest, SeveralShareOneThread) {
  const auto first = make();
  const auto second = make({}, "right");
  ASSERT_TRUE(first && second);
  feed(**first, 20);
  feed(**second, 20);
}

TEST_F(WindowTest, CanBeMadeAgain) {
  for (int i = 0; i < 3; ++i) {
    const auto window = make();
    ASSERT_TRUE(window);
    feed(**window, 5);
  }
}

TEST_F(WindowTest, TakesChangesWhileRunning) {
  const auto window = make();
  ASSERT_TRUE(window);
  (*window)->set("fullscreen", true);
  feed(**window, 5);
  (*window)->set("title", std::string("Mix"));
  (*window)->set("visible", false);
  feed(**window, 5);
  (*window)->set("visible", true);
  (*window)->set("display", 7.0);
  feed(**window, 5);
  EXPECT_THAT(rig_.events.lines(),
              ::testing::ElementsAre(HasSubstr("there is no display 7, only 1")));
}

TEST_F(WindowTest, CoversItsScreenWithoutAFrameAndOnlyOnceForEachChange) {
  const auto window = make();
  ASSERT_TRUE(window);
  feed(**window, 5);
  const auto becomes = [&](std::uint64_t full_screen) {
    return testing::eventually([&] { return (*window)->counters().at(2).second == full_screen; });
  };
  auto* prompt = dynamic_cast<plugin::ActsAtOnce*>(window->get());
  ASSERT_NE(prompt, nullptr);
  prompt->set_at_once("fullscreen", true);
  ASSERT_TRUE(becomes(1));
  for (Uint32 id = 1; id < 100; ++id) {
    SDL_Event event{};
    event.type = SDL_KEYDOWN;
    event.key.windowID = id;
    event.key.keysym.sym = SDLK_ESCAPE;
    SDL_PushEvent(&event);
  }
  ASSERT_TRUE(becomes(0));
  (*window)->set("fullscreen", true);  // the same change, before the next frame
  feed(**window, 20);
  EXPECT_EQ((*window)->counters().at(2).second, 0U) << "a person has left it by hand";
  prompt->set_at_once("fullscreen", true);
  EXPECT_TRUE(becomes(1));
  (*window)->set("fullscreen", true);
  (*window)->set("fullscreen", false);  // an oscillator's, which comes with frames only
  EXPECT_TRUE(becomes(0));
}

TEST_F(WindowTest, GoesOnWhenItIsClosed) {
  const auto window = make();
  ASSERT_TRUE(window);
  for (Uint32 id = 1; id < 100; ++id) {  // SDL counts windows from 1; only one of them exists
    SDL_Event event{};
    event.type = SDL_WINDOWEVENT;
    event.window.windowID = id;
    event.window.event = SDL_WINDOWEVENT_CLOSE;
    SDL_PushEvent(&event);
  }
  feed(**window, 50);  // the events are read between two frames
  EXPECT_THAT(rig_.events.lines(),
              ::testing::ElementsAre(HasSubstr("the window was closed; the show goes on")));
}

TEST_F(WindowTest, NamesTheRemedyWithoutADisplay) {
  ::setenv("SDL_VIDEODRIVER", "no-such-driver", 1);
  const auto window = make();
  ASSERT_FALSE(window);
  EXPECT_THAT(window.error().message, HasSubstr("left.window: there is no display"));
  EXPECT_THAT(window.error().message, HasSubstr("set DISPLAY"));
  ::setenv("SDL_VIDEODRIVER", "dummy", 1);
  EXPECT_TRUE(make());  // a display that comes later is found
}

TEST_F(WindowTest, IsNotDrawnForNobody) {
  if (std::filesystem::exists("/dev/dri"))
    GTEST_SKIP() << "SDL could draw on this machine's screen itself";
  for (const auto* name : {"SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"})
    ::unsetenv(name);
  const auto window = make();
  ASSERT_FALSE(window);
  EXPECT_THAT(window.error().message,
              HasSubstr("there is no display for the window: none answers"));
}

}  // namespace
}  // namespace submix::io
