// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/files.hpp"
#include "common/base/mutex.hpp"
#include "common/show/parse.hpp"
#include "controller/local/nats_server.hpp"
#include "controller/ui/draw/color_scheme.hpp"
#include "tests/model/readings.hpp"
#include "tests/support/simulated_node.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/ui/desktop.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

/// The real controller on a virtual screen (Xvfb), with a real mouse and a real nats-server. The
/// nodes are simulated (telemetry only) or real.
namespace submix::ui {

using namespace std::chrono_literals;

inline constexpr Size kScreen{1440, 900};
inline constexpr Point kNowhere{720, 800};
/// Columns of pixels: in the left margin of the button with a stream's policy and links, and in its
/// menu.
inline constexpr int kBelowTabs = 100;
inline constexpr int kInStreamMenu = 406;
inline constexpr int kBesideStreamMenuWords = 629;
inline constexpr int kMenuRowHeightMin = 12;
inline constexpr int kButtonHeightMin = 14;
inline constexpr int kPortHeightMin = 20;
inline constexpr int kKnobHeightMin = 40;  // pixels of the knob's disc; a tab is lower
inline constexpr int kInInputs = 1000;     // in the patch bay's inputs, beside their names
inline constexpr int kPatchFrom = 1200;    // left end of the sliders in the patch
enum class StreamMenuPart { policy, links };
/// For an answer of NATS or of a node; only on a slow machine anything takes so long.
inline constexpr auto kAnswerPatience = 30s;

/// In the menu of REC, which tells where the newest film lies; in a window of 1440x900.
inline void press_open_folder(const Desktop& desktop) {
  desktop.act("mousemove 736 30 sleep 0.2 click 3 sleep 0.4");
  desktop.click({870, 52});
}

/// Nodes rack1 and rack2, which report ten times a second on a thread of their own.
class Nodes {
 public:
  Nodes(const std::string& url, const show::Show& show) {
    bus_ =
        cluster::Bus::connect({.url = url, .name = "nodes", .patience = kAnswerPatience}).value();
    for (const auto& node : show.nodes) {
      nodes_.push_back(std::make_unique<testing::SimulatedNode>(*bus_, node.name,
                                                                static_cast<int>(nodes_.size())));
    }
    life_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        for (auto& node : nodes_)
          node->advance();
        std::this_thread::sleep_for(100ms);
      }
    });
  }

 private:
  std::unique_ptr<cluster::Bus> bus_;
  std::vector<std::unique_ptr<testing::SimulatedNode>> nodes_;
  std::jthread life_;
};

class ControllerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    desktop_ = Desktop::start(screen_, folder_.path());
    ASSERT_TRUE(desktop_) << "Xvfb does not start";
    ::setenv("DISPLAY", desktop_->display().c_str(), 1);
    ::setenv("XDG_STATE_HOME", folder_.path().c_str(), 1);
    ::setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
    desktop_->move(kNowhere);
  }
  void TearDown() override {
    if (!desktop_) return;
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::error_code failed;
    std::filesystem::create_directories(SCREENSHOTS, failed);
    static_cast<void>(
        keep_screenshot(std::filesystem::path(SCREENSHOTS) /
                        fmt::format("{}.{}.png", test->test_suite_name(), test->name())));
  }
  bool keep_screenshot(const std::filesystem::path& to) {
    static_cast<void>(desktop_->screenshot());
    std::error_code failed;
    std::filesystem::copy_file(folder_ / "screen.png", to,
                               std::filesystem::copy_options::overwrite_existing, failed);
    return !failed;
  }

  void start_controller(const std::string& url, const std::vector<std::string>& options = {}) {
    std::vector<std::string> command{CONTROLLER,
                                     "--nats",
                                     url,
                                     "--size",
                                     std::to_string(screen_.width),
                                     std::to_string(screen_.height),
                                     "--osc",
                                     "0"};
    if (!is_first_start_) command.emplace_back("--no-tour");
    command.insert(command.end(), options.begin(), options.end());
    if (std::ranges::find(options, "--page") == options.end())
      command.insert(command.end(), {"--page", "overview"});
    if (is_touched_) ::setenv("LD_PRELOAD", TOUCH_INJECTOR, 1);
    auto started = ChildProcess::start(command, folder_ / "log");
    ::unsetenv("LD_PRELOAD");
    ASSERT_TRUE(started) << started.error().message;
    controller_ = std::move(*started);
  }
  void start_nats(std::uint16_t port = 0) {
    local::NatsServerSettings settings;
    settings.folder = folder_ / "nats";
    settings.port = port;
    auto started = local::NatsServer::start(settings);
    ASSERT_TRUE(started) << started.error().message;
    nats_ = std::move(*started);
  }
  void connect_to_nats() {
    bus_ = cluster::Bus::connect({.url = nats_->url(), .name = "test", .patience = kAnswerPatience})
               .value();
    cluster_ = std::make_unique<cluster::Cluster>(*bus_);
  }
  /// Simulated nodes, with any show. Nothing is waited for.
  void start_simulated(const std::vector<std::string>& options) {
    start_nats();
    connect_to_nats();
    ASSERT_TRUE(cluster_->put_show({show::to_toml(show_), "test"}, std::nullopt));
    nodes_ = std::make_unique<Nodes>(nats_->url(), show_);
    start_controller(nats_->url(), options);
  }
  /// Starts a cluster that runs the sample show, and a controller that shows it.
  void start_all(const std::vector<std::string>& options = {}) {
    start_simulated(options);
    ASSERT_TRUE(until([&] { return pixels(color::kGood) > kPixelsOfAShow; }))
        << "the show does not appear";
  }
  [[nodiscard]] std::size_t pixels(ImU32 color) const {
    return count_pixels(desktop_->screenshot(), color);
  }
  [[nodiscard]] static bool until(const std::function<bool()>& holds) {
    return repeat_until([] {}, holds);
  }
  /// Repeats `act` after 20 looks without an effect, which take four seconds or more: ImGui takes a
  /// double click for two clicks if the window stalls in between.
  [[nodiscard]] static bool repeat_until(const std::function<void()>& act,
                                         const std::function<bool()>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    for (int looks = 0; std::chrono::steady_clock::now() < deadline; ++looks) {
      if (looks % 20 == 0) act();
      if (holds()) return true;
      std::this_thread::sleep_for(200ms);
    }
    return false;
  }
  [[nodiscard]] bool double_click_until(Point at, const std::function<bool()>& holds) const {
    return repeat_until([&] { desktop_->double_click(at); }, holds);
  }
  /// The cluster's show. An empty show while it cannot be read.
  [[nodiscard]] show::Show show_now() const {
    const auto shown = cluster_->show();
    const auto parsed = shown ? show::parse(shown->value.toml, "show") : show::ParsedShow();
    return parsed ? *parsed : show::Show();
  }
  [[nodiscard]] std::string node_of_left() const {
    const auto show = show_now();
    return show.submixes.empty() ? "?" : show.submixes[0].node;
  }
  /// Opens the menu of the first stream and chooses the entry below the present policy or number of
  /// links.
  void choose_below_in_stream_menu(StreamMenuPart part) {
    std::vector<Point> buttons;
    ASSERT_TRUE(until([&] {
      buttons =
          areas_below(desktop_->screenshot(), kInStreamMenu, color::kTrack, kMenuRowHeightMin);
      std::erase_if(buttons, [](const Point& button) { return button.y < kBelowTabs; });
      return !buttons.empty();
    }));
    desktop_->click(buttons.front());
    std::vector<Point> chosen;  // the present policy and number of links
    ASSERT_TRUE(until([&] {
      chosen = areas_below(desktop_->screenshot(), kBesideStreamMenuWords, color::kChosen,
                           kMenuRowHeightMin);
      return chosen.size() == 2;
    }));
    // Four policies, a separator, a title, one link.
    const int row = (chosen[1].y - chosen[0].y) / 6;
    const auto& present = chosen[part == StreamMenuPart::policy ? 0 : 1];
    desktop_->click({kBesideStreamMenuWords, present.y + row});
  }
  [[nodiscard]] cluster::DesiredTransport transport() const {
    const auto value = cluster_->transport();
    return value ? value->value : cluster::DesiredTransport();
  }

  static constexpr std::size_t kPixelsOfAShow = 2000;  // in the green of the bars

  testing::TemporaryFolder folder_;
  Size screen_ = kScreen;  // set by a constructor
  std::optional<Desktop> desktop_;
  show::Show show_ = model::sample::show();
  std::optional<local::NatsServer> nats_;
  std::unique_ptr<cluster::Bus> bus_;
  std::unique_ptr<cluster::Cluster> cluster_;
  std::unique_ptr<Nodes> nodes_;
  bool is_touched_ = false;      // set before the controller starts: it gets fingers
  bool is_first_start_ = false;  // set before the controller starts: it shows the tour
  std::optional<ChildProcess> controller_;
};

/// As ControllerTest with two real nodes: rack1 sends a pattern, rack2 checks the received frames.
class ControllerWithNodesTest : public ControllerTest {
 protected:
  void start_all(const std::vector<std::string>& options = {}) {
    show_.submixes[0].slots = {model::sample::slot("pattern", "pattern"),
                               model::sample::slot("stamp", "stamp"),
                               model::sample::slot("out", "stream-out")};
    show_.submixes[1].slots = {model::sample::slot("left", "stream-in"),
                               model::sample::slot("check", "checker"),
                               model::sample::slot("end", "null")};
    show_.size = {320, 240};
    start_show(options);
  }
  /// Starts a node for each of the show's, and a controller; the mix has made frames afterwards.
  void start_show(const std::vector<std::string>& options) {
    start_nats();
    connect_to_nats();
    readings_ = cluster_->subscribe_readings([this](const auto& reading) { keep(reading); });
    for (const auto& node : show_.nodes) {
      auto started = ChildProcess::start(
          {NODE, "--name", node.name, "--nats", nats_->url(), "--data-address", "127.0.0.1",
           "--recordings", folder_.path().string(), "--media", folder_.path().string()},
          folder_ / "node.log");
      ASSERT_TRUE(started) << started.error().message;
      processes_.push_back(std::move(*started));
    }
    ASSERT_TRUE(cluster_->put_show({show::to_toml(show_), "test"}, std::nullopt));
    for (const auto& node : show_.nodes)
      ASSERT_TRUE(knows_its_plugins(node.name)) << node.name;
    start_controller(nats_->url(), options);
    ASSERT_TRUE(until([&] { return frames_of("mix") > 30; })) << "nothing flows";
    // A chip of the overview, or the states of layers.
    ASSERT_TRUE(until([&] { return pixels(color::kChip) > 200 || pixels(color::kGood) > 40; }));
  }
  /// A node probes all its plugins when it is first asked for them. The window would give up after
  /// five seconds, and ask again only five seconds later.
  [[nodiscard]] bool knows_its_plugins(const std::string& node) {
    return until([&] { return cluster_->request_plugins(node, kAnswerPatience).has_value(); });
  }
  void keep(const telemetry::NodeReading& reading) {
    MutexLock lock(mutex_);
    for (const auto& submix : reading.submixes) {
      auto& frames = frames_[submix.name];
      frames.same_readings = submix.frames == frames.count ? frames.same_readings + 1 : 0;
      frames.count = submix.frames;
      frames.late = submix.late_frames;
      runs_on_[submix.name] = reading.node;
    }
  }
  [[nodiscard]] std::uint64_t frames_of(const std::string& submix) {
    MutexLock lock(mutex_);
    return frames_[submix].count;
  }
  [[nodiscard]] std::uint64_t late_frames_of(const std::string& submix) {
    MutexLock lock(mutex_);
    return frames_[submix].late;
  }
  [[nodiscard]] std::string runner_of(const std::string& submix) {
    MutexLock lock(mutex_);
    return runs_on_[submix];
  }
  /// The frame count of `submix` once it no longer changes; 0 if it keeps changing. A silent node
  /// does not count as settled: three more of its readings must have the same count.
  [[nodiscard]] std::uint64_t settled_frames_of(const std::string& submix) {
    constexpr int kReadings = 3;
    {
      MutexLock lock(mutex_);
      frames_[submix].same_readings = 0;
    }
    Frames now;
    const bool is_settled = until([&] {
      MutexLock lock(mutex_);
      now = frames_[submix];
      return now.same_readings >= kReadings;
    });
    return is_settled ? now.count : 0;
  }

  struct Frames {
    std::uint64_t count = 0;
    std::uint64_t late = 0;
    int same_readings = 0;  ///< after the first reading with this count
  };
  Mutex mutex_;
  std::map<std::string, Frames> frames_;
  std::map<std::string, std::string> runs_on_;
  std::unique_ptr<cluster::Subscription> readings_;
  std::vector<ChildProcess> processes_;
};

}  // namespace submix::ui
