// SPDX-License-Identifier: GPL-3.0-or-later
// Windows on a machine with two displays: an X server with the driver "dummy", which has outputs
// DUMMY0, DUMMY1, ... in memory.
#include "common/base/files.hpp"
#include "common/media/png.hpp"
#include "node/io/window/display_watch.hpp"
#include "node/io/window/window.hpp"
#include "node/io/window/window_description.hpp"
#include "node/io/window/window_thread.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/io/virtual_screen.hpp"
#include "tests/support/temporary_folder.hpp"

#include <SDL.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace submix::io {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

bool happens(const std::function<bool()>& condition) {
  for (int i = 0; i < 600; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(milliseconds(50));
  }
  return false;
}

constexpr std::string_view kServerSettings = R"(
Section "ServerFlags"
  Option "AutoAddDevices" "false"
EndSection
Section "Device"
  Identifier "memory"
  Driver "dummy"
  VideoRam 16384
EndSection
Section "Screen"
  Identifier "screen"
  Device "memory"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Modes "640x480"
    Virtual 1280 480
  EndSubSection
EndSection
)";

/// An X server with the display DUMMY0 of 640x480. DUMMY1 comes to its right by plug_in().
class TwoDisplays {
 public:
  explicit TwoDisplays(const testing::TemporaryFolder& folder) : folder_(folder) {}

  /// False: it cannot be started here.
  [[nodiscard]] bool start() {
    if (!write_file_atomically(folder_ / "xorg.conf", kServerSettings)) return false;
    const auto command = fmt::format(
        "Xorg -config '{0}/xorg.conf' -logfile '{0}/xorg.log' -nolisten tcp -novtswitch -sharevts "
        "-noreset",
        folder_.path().string());
    server_ = testing::start_x_server(command, folder_);
    return server_ && run("xrandr");
  }
  void plug_in() const {
    EXPECT_TRUE(run("xrandr --addmode DUMMY1 640x480"));
    EXPECT_TRUE(run("xrandr --output DUMMY1 --mode 640x480 --right-of DUMMY0"));
    EXPECT_TRUE(run("xrandr"));  // the server looks at its outputs again
  }
  /// As by the desktop's settings; the cable stays.
  void switch_off() const { EXPECT_TRUE(run("xrandr --output DUMMY1 --off")); }
  void switch_all_off() const {
    EXPECT_TRUE(run("xrandr --output DUMMY0 --off --output DUMMY1 --off"));
  }
  void switch_on_again() const {
    EXPECT_TRUE(run("xrandr --output DUMMY0 --mode 640x480"));
    plug_in();
  }
  void move_to_the_left() const { EXPECT_TRUE(run("xrandr --output DUMMY1 --left-of DUMMY0")); }
  void lower_resolution() const {
    EXPECT_TRUE(run("xrandr --newmode small 12.6 320 336 384 400 240 245 246 262"));
    EXPECT_TRUE(run("xrandr --addmode DUMMY1 small"));
    EXPECT_TRUE(run("xrandr --output DUMMY1 --mode small"));
  }
  void end() { server_.reset(); }
  /// Red, green and blue of a pixel of the desktop, 640 and more being on DUMMY1.
  [[nodiscard]] std::string pixel(int x, int y) const {
    const auto file = folder_ / "screen.png";
    if (!run(fmt::format("import -window root -depth 8 '{}'", file.string()))) return "none";
    const auto image = media::read_png(file);
    if (!image || x >= image->size.width) return "none";
    const auto at = static_cast<std::size_t>(y * image->size.width + x) * 3;
    const auto* rgb = image->pixels.data() + at;
    return fmt::format("{} {} {}", rgb[0], rgb[1], rgb[2]);
  }

 private:
  [[nodiscard]] bool run(const std::string& command) const {
    const auto line = fmt::format("{} >/dev/null 2>&1", command);
    return std::system(line.c_str()) == 0;
  }

  const testing::TemporaryFolder& folder_;
  std::optional<ChildProcess> server_;
};

const std::string kGreen = "0 255 0";
const std::string kNothing = "0 0 0";

class WindowOnTwoDisplays : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!server_.start()) GTEST_SKIP() << "Xorg with its driver dummy cannot be started";
    thread_ = std::make_shared<WindowThread>(output_, displays_, [this] {
      auto present = read_displays();
      if (is_unplugged_ && present.size() > 1) present.pop_back();
      return present;
    });
  }
  void TearDown() override {
    window_.reset();
    thread_.reset();
    server_.end();
  }
  void open(show::Parameters parameters) {
    auto made = make_window(rig_.setup(window_description(), std::move(parameters)), thread_);
    ASSERT_TRUE(made) << made.error().message;
    window_ = std::move(*made);
    ASSERT_TRUE(rig_.run(*window_, {green()}, 0));
  }
  media::Frame green() {
    auto writable = rig_.blank();
    auto rgba = writable.rgba();
    for (std::size_t i = 0; i < rgba.size(); ++i)
      rgba[i] = i % 4 == 1 ? 255 : 0;
    return std::move(writable).publish();
  }
  /// SDL does not see DUMMY1 any more, or sees it again: the driver cannot unplug it.
  void unplug(bool is_unplugged) {
    is_unplugged_ = is_unplugged;
    SDL_Event event{};
    event.type = SDL_DISPLAYEVENT;
    SDL_PushEvent(&event);
  }
  bool shows(int x, const std::string& colour) {
    return happens([&] { return server_.pixel(x, 240) == colour; });
  }
  std::uint64_t counter(const std::string& name) {
    for (const auto& [each, count] : window_->counters()) {
      if (each == name) return count;
    }
    return ~std::uint64_t{0};
  }

  // Columns of pixels: at the edge of each display, and in a window in its middle.
  static constexpr int kFirstEdge = 10, kFirstMiddle = 320, kSecondEdge = 650, kSecondMiddle = 960;

  testing::TemporaryFolder folder_;
  TwoDisplays server_{folder_};
  testing::PluginRig rig_;
  std::shared_ptr<OutputControl> output_ = std::make_shared<OutputControl>();
  std::shared_ptr<Displays> displays_ = std::make_shared<Displays>();
  std::atomic<bool> is_unplugged_ = false;
  std::shared_ptr<WindowThread> thread_;
  std::unique_ptr<plugin::Plugin> window_;
};

TEST_F(WindowOnTwoDisplays, GoesToTheDisplayOfItsName) {
  server_.plug_in();
  open({{"screen", std::string("DUMMY1")}});
  EXPECT_TRUE(shows(kSecondMiddle, kGreen));
  EXPECT_EQ(server_.pixel(kFirstMiddle, 240), kNothing);
  window_->set("fullscreen", true);
  EXPECT_TRUE(shows(kSecondEdge, kGreen));
  EXPECT_EQ(server_.pixel(kFirstMiddle, 240), kNothing);
  EXPECT_TRUE(happens([&] { return counter("display") == 2 && counter("full_screen") == 1; }));
  window_->set("screen", std::string("DUMMY0"));
  EXPECT_TRUE(shows(kFirstEdge, kGreen)) << "covers the other one";
  EXPECT_TRUE(shows(kSecondEdge, kNothing));
  EXPECT_EQ(window_->trouble(), "");
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
  const auto displays = displays_->list();
  ASSERT_EQ(displays.size(), 2U);
  EXPECT_EQ(displays[1], (Display{"DUMMY1", 640, 0, {640, 480}, 60}));
}

TEST_F(WindowOnTwoDisplays, StandsAtItsSpotInItsWidth) {
  server_.plug_in();
  open({{"display", 1.0}, {"left", 300.0}, {"top", 100.0}, {"width", 256.0}});
  const auto is_at_spot = [&] {
    return server_.pixel(941, 101) == kGreen && server_.pixel(1195, 227) == kGreen &&
           server_.pixel(938, 101) == kNothing && server_.pixel(941, 230) == kNothing;
  };
  EXPECT_TRUE(happens(is_at_spot)) << "256 x 128 pixels";
  window_->set("fullscreen", true);
  EXPECT_TRUE(shows(kSecondEdge, kGreen));
  window_->set("fullscreen", false);
  EXPECT_TRUE(happens(is_at_spot));
  window_->set("top", 10000.0);
  EXPECT_TRUE(happens([&] { return server_.pixel(1000, 470) == kGreen; })) << "never out of sight";
  window_->set("width", 0.0);
  EXPECT_TRUE(shows(kSecondMiddle, kGreen)) << "in the middle, in its own size";
  EXPECT_EQ(server_.pixel(1100, 240), kNothing);
}

TEST_F(WindowOnTwoDisplays, WaitsForItsDisplayInAWindowAndCoversItWhenItComes) {
  open({{"screen", std::string("DUMMY1")}, {"display", 1.0}, {"fullscreen", true}});
  EXPECT_TRUE(shows(kFirstMiddle, kGreen));
  EXPECT_EQ(server_.pixel(kFirstEdge, 240), kNothing) << "a person works there";
  EXPECT_TRUE(happens([&] { return !window_->trouble().empty(); }));
  EXPECT_THAT(window_->trouble(), HasSubstr("\"DUMMY1\" is missing; there is only \"DUMMY0\""));
  server_.plug_in();
  EXPECT_TRUE(shows(kSecondEdge, kGreen)) << "full screen, as it was told";
  EXPECT_TRUE(shows(kFirstMiddle, kNothing));
  EXPECT_TRUE(happens([&] { return window_->trouble().empty(); }));
}

TEST_F(WindowOnTwoDisplays, ComesBackToADisplayThatWentWhileFullScreen) {
  server_.plug_in();
  open({{"screen", std::string("DUMMY1")}, {"display", 1.0}, {"fullscreen", true}});
  ASSERT_TRUE(shows(kSecondEdge, kGreen));
  for (int i = 0; i < 2; ++i) {
    unplug(true);
    EXPECT_TRUE(shows(kFirstMiddle, kGreen));
    EXPECT_EQ(server_.pixel(kFirstEdge, 240), kNothing);
    EXPECT_THAT(window_->trouble(), HasSubstr("is missing"));
    EXPECT_EQ(displays_->list().size(), 1U);
    unplug(false);
    EXPECT_TRUE(shows(kSecondEdge, kGreen));
    EXPECT_TRUE(shows(kFirstMiddle, kNothing));
    EXPECT_TRUE(happens([&] { return window_->trouble().empty(); }));
  }
  ASSERT_TRUE(rig_.run(*window_, {green()}, 1)) << "the show runs on";
}

// It stayed where nobody saw it, and nothing said so.
TEST_F(WindowOnTwoDisplays, ComesBackToADisplayThatWasSwitchedOff) {
  server_.plug_in();
  open({{"screen", std::string("DUMMY1")}, {"display", 1.0}, {"fullscreen", true}});
  ASSERT_TRUE(shows(kSecondEdge, kGreen));
  for (int i = 0; i < 2; ++i) {
    server_.switch_off();
    EXPECT_TRUE(shows(kFirstMiddle, kGreen));
    EXPECT_EQ(server_.pixel(kFirstEdge, 240), kNothing) << "a person works there";
    EXPECT_TRUE(happens([&] { return !window_->trouble().empty(); }));
    EXPECT_EQ(displays_->list().size(), 1U);
    server_.plug_in();
    EXPECT_TRUE(shows(kSecondEdge, kGreen));
    EXPECT_TRUE(shows(kFirstMiddle, kNothing));
    EXPECT_TRUE(happens([&] { return window_->trouble().empty(); }));
  }
}

// It covered the other one.
TEST_F(WindowOnTwoDisplays, FollowsItsDisplayToTheOtherSide) {
  server_.plug_in();
  open({{"screen", std::string("DUMMY1")}, {"fullscreen", true}});
  ASSERT_TRUE(shows(kSecondEdge, kGreen));
  server_.move_to_the_left();
  EXPECT_TRUE(shows(kFirstEdge, kGreen));
  EXPECT_TRUE(shows(kSecondMiddle, kNothing));
  EXPECT_EQ(window_->trouble(), "");
}

TEST_F(WindowOnTwoDisplays, FollowsItsDisplayToAnotherResolution) {
  server_.plug_in();
  open({{"screen", std::string("DUMMY1")}, {"fullscreen", true}});
  ASSERT_TRUE(shows(kSecondMiddle, kGreen));
  server_.lower_resolution();
  EXPECT_TRUE(happens([&] { return displays_->list().back().size == Size{320, 240}; }));
  // The picture ends where the display ends.
  EXPECT_TRUE(happens([&] { return server_.pixel(kSecondEdge + 300, 120) == kGreen; }));
  EXPECT_EQ(server_.pixel(kFirstMiddle, 240), kNothing);
}

TEST_F(WindowOnTwoDisplays, OutlivesThatAllDisplaysAreSwitchedOff) {
  server_.plug_in();
  open({{"screen", std::string("DUMMY1")}, {"fullscreen", true}});
  ASSERT_TRUE(shows(kSecondEdge, kGreen));
  server_.switch_all_off();
  EXPECT_TRUE(happens([&] { return displays_->list().empty(); }));
  ASSERT_TRUE(rig_.run(*window_, {green()}, 1)) << "the show runs on";
  server_.switch_on_again();
  EXPECT_TRUE(shows(kSecondEdge, kGreen));
}

TEST_F(WindowOnTwoDisplays, StaysWhereItIsWhileOtherDisplaysComeAndGo) {
  open({{"screen", std::string("DUMMY0")}, {"fullscreen", true}});
  ASSERT_TRUE(shows(kFirstEdge, kGreen));
  server_.plug_in();
  unplug(true);
  unplug(false);
  EXPECT_TRUE(happens([&] { return displays_->list().size() == 2; }));
  EXPECT_TRUE(shows(kFirstEdge, kGreen));
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
}

TEST_F(WindowOnTwoDisplays, StaysWithNamesThatHastyHandsType) {
  server_.plug_in();
  open({{"fullscreen", true}});
  ASSERT_TRUE(shows(kFirstEdge, kGreen));
  for (const std::string name : {"dummy1", " ", "DUMMY1 ", "\"", "DUMMY9"}) {
    window_->set("screen", name);
    EXPECT_TRUE(happens([&] { return !window_->trouble().empty(); })) << name;
    EXPECT_THAT(window_->trouble(), HasSubstr("there are \"DUMMY0\", \"DUMMY1\""));
    EXPECT_EQ(server_.pixel(kFirstEdge, 240), kGreen) << "it covers the display of its number";
    window_->set("screen", std::string());
    EXPECT_TRUE(happens([&] { return window_->trouble().empty(); })) << name;
  }
  for (int i = 0; i < 40; ++i)
    window_->set("screen", std::string(i % 2 == 0 ? "DUMMY1" : "DUMMY0"));
  window_->set("screen", std::string("DUMMY1"));
  EXPECT_TRUE(shows(kSecondEdge, kGreen));
  EXPECT_TRUE(shows(kFirstEdge, kNothing));
}

TEST_F(WindowOnTwoDisplays, IsStillNumberedByOlderShows) {
  server_.plug_in();
  open({{"display", 1.0}, {"fullscreen", true}});
  EXPECT_TRUE(shows(kSecondEdge, kGreen));
  unplug(true);
  EXPECT_TRUE(shows(kFirstEdge, kGreen)) << "full screen, as ever";
  EXPECT_EQ(window_->trouble(), "");
  unplug(false);
  EXPECT_TRUE(shows(kSecondEdge, kGreen));
}

TEST_F(WindowOnTwoDisplays, AreKnownToANodeWithoutAWindow) {
  DisplayWatch watch(DISPLAYS_PROGRAM);
  const auto now = SteadyClock().now();
  std::vector<Display> known;
  const auto learn = [&] {
    if (auto news = watch.news(now)) known = *std::move(news);
    return known.size();
  };
  EXPECT_TRUE(happens([&] { return learn() == 1; }));
  server_.plug_in();
  EXPECT_TRUE(happens([&] { return learn() == 2; }));
  EXPECT_EQ(known.back().name, "DUMMY1");
  server_.switch_off();
  EXPECT_TRUE(happens([&] { return learn() == 1; }));
  server_.end();
  EXPECT_TRUE(happens([&] { return learn() == 0; })) << "and this process lives on";
}

}  // namespace
}  // namespace submix::io
