// SPDX-License-Identifier: GPL-3.0-or-later
// The real controller on a screen without a monitor, with a real mouse, a real nats-server and nodes that
// only talk.
#include "common/base/files.hpp"
#include "common/base/mutex.hpp"
#include "common/cluster/nats_server.hpp"
#include "common/show/parse.hpp"
#include "controller/ui/theme.hpp"
#include "tests/model/readings.hpp"
#include "tests/support/simulated_node.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/ui/desktop.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <utility>

namespace submix::ui {
namespace {

using namespace std::chrono_literals;

constexpr Size kScreen{1440, 900};
constexpr Point kPauseButton{610, 30};
constexpr Point kNowhere{720, 800};
constexpr int kPatchFrom = 1200;  // where the sliders of the patch begin
constexpr int kInNodeCards = 24;  // a column of pixels in the left margin of the nodes' cards
constexpr int kCardHeightMin = 60;
constexpr int kInStreamMenu =
    377;  // a column of pixels in the left margin of the button with policy and links
constexpr int kBesideStreamMenuWords = 600;
constexpr int kRowHeightMin = 12;

/// Nodes rack1 and rack2 on their own thread, ten times a second.
class Nodes {
 public:
  Nodes(const std::string& url, const show::Show& show) {
    bus_ = cluster::Bus::connect({.url = url, .name = "nodes"}).value();
    for (const auto& node : show.nodes) {
      nodes_.push_back(
          std::make_unique<testing::SimulatedNode>(*bus_, node.name, static_cast<int>(nodes_.size())));
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
    desktop_ = Desktop::start(kScreen, folder_.path());
    ASSERT_TRUE(desktop_) << "Xvfb does not start";
    ::setenv("DISPLAY", desktop_->display().c_str(), 1);
    ::setenv("XDG_STATE_HOME", folder_.path().c_str(), 1);
    desktop_->move(kNowhere);
  }
  void TearDown() override {
    if (HasFailure() && desktop_) {
      const auto copy = std::filesystem::temp_directory_path() / "submix-controller-test.png";
      static_cast<void>(keep_screenshot(copy));
    }
  }
  bool keep_screenshot(const std::filesystem::path& to) {
    static_cast<void>(desktop_->screenshot());
    std::error_code failed;
    std::filesystem::copy_file(folder_ / "screen.png", to, std::filesystem::copy_options::overwrite_existing,
                               failed);
    return !failed;
  }

  void start_controller(const std::string& url) {
    auto started = ChildProcess::start({CONTROLLER, "--nats", url, "--size", "1440", "900"}, folder_ / "log");
    ASSERT_TRUE(started) << started.error().message;
    controller_ = std::move(*started);
  }
  void start_nats(std::uint16_t port = 0) {
    cluster::NatsServerSettings settings;
    settings.folder = folder_ / "nats";
    settings.port = port;
    auto started = cluster::NatsServer::start(settings);
    ASSERT_TRUE(started) << started.error().message;
    nats_ = std::move(*started);
  }
  /// A cluster that runs the sample show, and a controller that shows it.
  void start_all() {
    start_nats();
    bus_ = cluster::Bus::connect({.url = nats_->url(), .name = "test"}).value();
    cluster_ = std::make_unique<cluster::Cluster>(*bus_);
    ASSERT_TRUE(cluster_->put_show({show::to_toml(show_), "test"}, std::nullopt));
    nodes_ = std::make_unique<Nodes>(nats_->url(), show_);
    start_controller(nats_->url());
    ASSERT_TRUE(until([&] { return pixels(color::kGood) > kPixelsOfAShow; })) << "the show does not appear";
  }
  [[nodiscard]] std::size_t pixels(ImU32 color) const { return count_pixels(desktop_->screenshot(), color); }
  [[nodiscard]] static bool until(const std::function<bool()>& holds) {
    for (int i = 0; i < 100; ++i) {
      if (holds()) return true;
      std::this_thread::sleep_for(200ms);
    }
    return false;
  }
  [[nodiscard]] std::string node_of_left() const {
    const auto shown = cluster_->show();
    const auto parsed = shown ? show::parse(shown->value.toml, "show") : show::ParsedShow();
    return parsed && !parsed->submixes.empty() ? parsed->submixes[0].node : "?";
  }
  [[nodiscard]] cluster::DesiredTransport transport() const {
    const auto value = cluster_->transport();
    return value ? value->value : cluster::DesiredTransport();
  }

  static constexpr std::size_t kPixelsOfAShow = 2000;  // of the bars' green

  testing::TemporaryFolder folder_;
  std::optional<Desktop> desktop_;
  show::Show show_ = model::sample::show();
  std::optional<cluster::NatsServer> nats_;
  std::unique_ptr<cluster::Bus> bus_;
  std::unique_ptr<cluster::Cluster> cluster_;
  std::unique_ptr<Nodes> nodes_;
  std::optional<ChildProcess> controller_;
};

TEST_F(ControllerTest, StartsWithoutNatsAndShowsTheClusterWhenItComes) {
  start_nats();
  const auto url = nats_->url();
  const auto port = nats_->port();
  nats_.reset();
  start_controller(url);
  ASSERT_TRUE(until([&] { return pixels(color::kCard) > 10'000; })) << "no page with commands";
  EXPECT_FALSE(controller_->exit_status());
  start_nats(port);
  bus_ = cluster::Bus::connect({.url = url, .name = "test"}).value();
  cluster_ = std::make_unique<cluster::Cluster>(*bus_);
  ASSERT_TRUE(cluster_->put_show({show::to_toml(show_), "test"}, std::nullopt));
  nodes_ = std::make_unique<Nodes>(url, show_);
  EXPECT_TRUE(until([&] { return pixels(color::kGood) > kPixelsOfAShow; }));
}

TEST_F(ControllerTest, AssignsASubmixByDraggingAndUndoesIt) {
  start_all();
  ASSERT_EQ(node_of_left(), "rack1");
  const auto screen = desktop_->screenshot();
  const auto chip = find_pixel(screen, color::kChip);  // on rack1's card
  const auto cards = areas_below(screen, kInNodeCards, color::kCard, kCardHeightMin);
  ASSERT_TRUE(chip);
  ASSERT_EQ(cards.size(), 2U);
  desktop_->drag(*chip, cards[1]);
  EXPECT_TRUE(until([&] { return node_of_left() == "rack2"; })) << "it runs on " << node_of_left();
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return node_of_left() == "rack1"; }));
  desktop_->press("ctrl+y");
  EXPECT_TRUE(until([&] { return node_of_left() == "rack2"; }));
}

TEST_F(ControllerTest, MakesOneUndoStepOfASlidersWholeDrag) {
  start_all();
  const auto blur = [&]() -> double {
    const auto shown = cluster_->show();
    const auto parsed = shown ? show::parse(shown->value.toml, "show") : show::ParsedShow();
    const auto* glow = parsed ? parsed->find_slot({"left", "glow"}) : nullptr;
    if (glow == nullptr || !glow->parameters.contains("Blur")) return -1;
    return std::get<double>(glow->parameters.at("Blur"));
  };
  ASSERT_EQ(blur(), 0.5);
  desktop_->move(kNowhere);
  // The patch of "left" is open; its last slider is the one that the show states.
  const auto grabs = areas_below_any(desktop_->screenshot(), kPatchFrom, color::kAccent, 15);
  ASSERT_FALSE(grabs.empty());
  const auto grab = grabs.back();
  desktop_->drag(grab, {grab.x + 50, grab.y});
  EXPECT_TRUE(until([&] { return blur() > 0.6; })) << blur();
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return blur() == 0.5; })) << blur();
}

TEST_F(ControllerTest, ChangesAStreamsLinksAndUndoesIt) {
  start_all();
  const auto links = [&] {
    const auto shown = cluster_->show();
    const auto parsed = shown ? show::parse(shown->value.toml, "show") : show::ParsedShow();
    return parsed && !parsed->streams.empty() ? parsed->streams[0].link_count : 0;
  };
  ASSERT_EQ(links(), 2);
  const auto buttons = areas_below(desktop_->screenshot(), kInStreamMenu, color::kTrack, kRowHeightMin);
  ASSERT_FALSE(buttons.empty());
  desktop_->click(buttons.front());
  std::vector<Point> chosen;  // the policy and the number of links that it has
  ASSERT_TRUE(until([&] {
    chosen = areas_below(desktop_->screenshot(), kBesideStreamMenuWords, color::kChosen, kRowHeightMin);
    return chosen.size() == 2;
  }));
  const int row = (chosen[1].y - chosen[0].y) / 6;  // four policies, a line, a title, one link
  desktop_->click({kBesideStreamMenuWords, chosen[1].y + row});
  EXPECT_TRUE(until([&] { return links() == 3; })) << links();
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return links() == 2; })) << links();
}

TEST_F(ControllerTest, PausesStepsAndResumes) {
  start_all();
  desktop_->click(kPauseButton);
  ASSERT_TRUE(until([&] { return transport().is_paused; }));
  EXPECT_TRUE(until([&] { return pixels(color::kWarning) > 2000; })) << "no RESUME button";
  desktop_->press("shift+space");
  EXPECT_TRUE(until([&] { return transport().steps == 1; }));
  desktop_->press("space");
  EXPECT_TRUE(until([&] { return !transport().is_paused; }));
}

/// The same with two real nodes: rack1 sends a pattern, rack2 checks what comes.
class ControllerWithNodesTest : public ControllerTest {
 protected:
  void start_all() {
    show_.submixes[0].slots = {model::sample::slot("pattern", "pattern"),
                               model::sample::slot("stamp", "stamp"),
                               model::sample::slot("out", "stream-out")};
    show_.submixes[1].slots = {model::sample::slot("left", "stream-in"),
                               model::sample::slot("check", "checker"), model::sample::slot("end", "null")};
    show_.size = {320, 240};
    start_nats();
    bus_ = cluster::Bus::connect({.url = nats_->url(), .name = "test"}).value();
    cluster_ = std::make_unique<cluster::Cluster>(*bus_);
    readings_ = cluster_->subscribe_readings([this](const auto& reading) { keep(reading); });
    for (const auto& node : show_.nodes) {
      auto started = ChildProcess::start(
          {NODE, "--name", node.name, "--nats", nats_->url(), "--data-address", "127.0.0.1"},
          folder_ / "node.log");
      ASSERT_TRUE(started) << started.error().message;
      processes_.push_back(std::move(*started));
    }
    ASSERT_TRUE(cluster_->put_show({show::to_toml(show_), "test"}, std::nullopt));
    start_controller(nats_->url());
    ASSERT_TRUE(until([&] { return frames_of("mix") > 30; })) << "nothing flows";
    ASSERT_TRUE(until([&] { return pixels(color::kChip) > 200; }));
  }
  void keep(const telemetry::NodeReading& reading) {
    MutexLock lock(mutex_);
    for (const auto& submix : reading.submixes) {
      frames_[submix.name] = submix.frames;
      runs_on_[submix.name] = reading.node;
    }
  }
  [[nodiscard]] std::uint64_t frames_of(const std::string& submix) {
    MutexLock lock(mutex_);
    return frames_[submix];
  }
  [[nodiscard]] std::string runner_of(const std::string& submix) {
    MutexLock lock(mutex_);
    return runs_on_[submix];
  }
  /// The frames of `submix` once they stand still; 0 when they do not.
  [[nodiscard]] std::uint64_t settled_frames_of(const std::string& submix) {
    std::uint64_t last = 0;
    const bool is_settled =
        until([&] { return std::exchange(last, frames_of(submix)) == frames_of(submix); });
    return is_settled ? last : 0;
  }

  Mutex mutex_;
  std::map<std::string, std::uint64_t> frames_;
  std::map<std::string, std::string> runs_on_;
  std::unique_ptr<cluster::Subscription> readings_;
  std::vector<ChildProcess> processes_;
};

TEST_F(ControllerWithNodesTest, MovesASubmixByDragging) {
  start_all();
  EXPECT_EQ(runner_of("left"), "rack1");
  const auto screen = desktop_->screenshot();
  const auto chip = find_pixel(screen, color::kChip);
  const auto cards = areas_below(screen, kInNodeCards, color::kCard, kCardHeightMin);
  ASSERT_TRUE(chip);
  ASSERT_EQ(cards.size(), 2U);
  desktop_->drag(*chip, cards[1]);
  EXPECT_TRUE(until([&] { return runner_of("left") == "rack2"; })) << "it runs on " << runner_of("left");
  const auto before = frames_of("mix");
  EXPECT_TRUE(until([&] { return frames_of("mix") > before + 30; })) << "nothing flows from its new place";
}

TEST_F(ControllerWithNodesTest, PausesAndRendersExactlyOneFrameForAStep) {
  start_all();
  desktop_->click(kPauseButton);
  ASSERT_TRUE(until([&] { return transport().is_paused; }));
  const auto paused_at = settled_frames_of("mix");
  ASSERT_GT(paused_at, 0U);
  desktop_->press("shift+space");
  EXPECT_TRUE(until([&] { return frames_of("mix") == paused_at + 1; })) << frames_of("mix") - paused_at;
  EXPECT_EQ(settled_frames_of("mix"), paused_at + 1);
  desktop_->press("space");
  EXPECT_TRUE(until([&] { return frames_of("mix") > paused_at + 30; }));
}

TEST_F(ControllerTest, SurvivesNatsGoingAway) {
  start_all();
  const auto port = nats_->port();
  nodes_.reset();
  cluster_.reset();
  bus_.reset();
  nats_.reset();
  EXPECT_TRUE(until([&] { return pixels(color::kBad) > 50; })) << "it does not say that NATS is lost";
  start_nats(port);
  nodes_ = std::make_unique<Nodes>(nats_->url(), show_);
  EXPECT_TRUE(until([&] { return pixels(color::kBad) == 0 && pixels(color::kGood) > kPixelsOfAShow; }));
  EXPECT_FALSE(controller_->exit_status());
}

}  // namespace
}  // namespace submix::ui
