// SPDX-License-Identifier: GPL-3.0-or-later
// Several PCs by the real window: each PC is a network namespace with a folder of its own.
#include "controller/ui/shell/several_pcs.hpp"
#include "common/cluster/membership.hpp"
#include "controller/pairing/joining.hpp"
#include "controller/ui/shell/local_nodes.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/network_namespaces.hpp"
#include "tests/ui/controller_fixture.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

namespace submix::ui {
namespace {

using submix::testing::eventually;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

constexpr const char* kDesk = "198.18.0.1";
constexpr int kInDialog = 384;  // a column of pixels through the left ends of its controls
constexpr int kControlHeightMin = 14;
constexpr int kToNextButton = 240;
constexpr int kPixelsOfACode = 700;  // six large digits have more

class SeveralPcsWindowTest : public ControllerTest {
 protected:
  void SetUp() override {
    ControllerTest::SetUp();
    if (!network_.is_ready()) GTEST_SKIP() << testing::NetworkNamespaces::kNeeds;
    std::filesystem::create_directory(folder_ / "desk");
    std::filesystem::create_directory(folder_ / "rack1");
  }

  [[nodiscard]] ChildProcess start_on(const std::string& pc, std::vector<std::string> command) {
    const auto home = (folder_ / pc).string();
    command.insert(command.begin(),
                   {"env", "-C", home, "XDG_STATE_HOME=" + home, "XDG_CONFIG_HOME=" + home});
    return ChildProcess::start(network_.command_on(pc, command), folder_ / (pc + ".log")).value();
  }
  void open_window_on(const std::string& pc) {
    controller_ = start_on(
        pc, {CONTROLLER, "--size", "1440", "900", "--osc", "0", "--no-tour", "--page", "overview"});
    ASSERT_TRUE(
        repeat_until([&] { desktop_->press("ctrl+j"); }, [&] { return controls().size() == 5; }))
        << "the dialog does not open";
  }
  /// Those of the dialog that begin at its left edge. Without a desk: the button that makes one,
  /// the fields for address and code, Join, Close.
  [[nodiscard]] std::vector<Point> controls() const {
    auto areas = areas_below(desktop_->screenshot(), kInDialog, color::kTrack, kControlHeightMin);
    std::erase_if(areas, [](const Point& area) { return area.y < kBelowTabs; });
    return areas;
  }
  /// In the accent colour or near to it: few pixels of an enlarged digit have the colour itself.
  [[nodiscard]] std::size_t bluish_pixels() const {
    const auto image = desktop_->screenshot();
    return count_pixels(image, {}, image.size,
                        [](const std::uint8_t* rgb) { return rgb[0] < 120 && rgb[2] > 180; });
  }
  /// What a command prints on a PC, and its exit status.
  std::string outcome_on(const std::string& pc, const std::string& script) {
    const auto file = folder_ / "outcome.log";
    std::filesystem::remove(file);
    auto process = start_on(
        pc, {"sh", "-c", "(" + script + "; echo \"status $?\") >" + file.string() + " 2>&1"});
    EXPECT_TRUE(eventually([&] { return process.exit_status().has_value(); }));
    return text_of(file);
  }
  [[nodiscard]] std::string text_of(const std::filesystem::path& file) const {
    return read_text_file(file).value_or("");
  }
  [[nodiscard]] std::string folder_of(const std::string& pc) const {
    return (folder_ / pc / "submix").string();
  }
  [[nodiscard]] bool is_member(const std::string& pc) const {
    const auto membership = cluster::read_membership(folder_of(pc));
    return membership && membership->has_value();
  }
  /// Nodes that send readings, as the desk sees them.
  [[nodiscard]] std::vector<std::string> nodes_at_desk() {
    const auto status =
        text_between_braces(outcome_on("desk", std::string(SUBMIX) + " status --json"));
    std::vector<std::string> names;
    const auto json = Json::parse(status, nullptr, false);
    if (!json.is_object()) return names;
    for (const auto& node : json.value("nodes", Json::array())) {
      if (node.value("health", "") == "healthy") names.push_back(node.value("name", ""));
    }
    return names;
  }
  [[nodiscard]] static std::string text_between_braces(const std::string& text) {
    const auto begin = text.find('{');
    const auto end = text.rfind('}');
    return begin == std::string::npos || end == std::string::npos
               ? ""
               : text.substr(begin, end - begin + 1);
  }

  testing::NetworkNamespaces network_{{"desk", "rack1"}};
};

TEST_F(SeveralPcsWindowTest, MakesThisPcADeskThatShowsACodeAndPlays) {
  open_window_on("desk");
  const auto bluish = bluish_pixels();
  desktop_->click(controls()[0]);
  ASSERT_TRUE(until([&] { return is_member("desk"); }));
  EXPECT_TRUE(cluster::read_membership(folder_of("desk")).value()->is_own);
  EXPECT_TRUE(until([&] { return bluish_pixels() > bluish + kPixelsOfACode; }))
      << "no code is shown: " << bluish_pixels() << " bluish pixels, " << bluish << " before";
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.Code.png");

  const auto guess = outcome_on("rack1", std::string("echo 123456 | ") + SUBMIX + " join " + kDesk);
  EXPECT_THAT(guess, HasSubstr("another code"));
  const auto without_key =
      outcome_on("rack1", std::string(SUBMIX) + " status --nats nats://" + kDesk + ":4222");
  EXPECT_THAT(without_key, HasSubstr("status 1"));
  EXPECT_TRUE(until([&] { return nodes_at_desk() == std::vector{usual_node_name()}; }));
}

TEST_F(SeveralPcsWindowTest, JoinsADeskByItsAddressAndCodeAndLeavesIt) {
  auto desk = start_on("desk", {SUBMIX, "desk"});
  std::smatch code;
  std::string log;
  ASSERT_TRUE(until([&] {
    log = text_of(folder_ / "desk.log");
    return std::regex_search(log, code, std::regex("code: ([0-9]{3} [0-9]{3})"));
  })) << log;
  open_window_on("rack1");
  const auto fields = controls();
  desktop_->click(fields[1]);
  desktop_->type(kDesk);
  desktop_->click(fields[2]);
  desktop_->type(code[1]);
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return is_member("rack1"); }));
  EXPECT_TRUE(
      until([&] { return text_of(folder_ / "desk.log").find("has joined") != std::string::npos; }));
  EXPECT_TRUE(until([&] { return nodes_at_desk() == std::vector{usual_node_name()}; }));
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.Joined.png");

  // "Leave this desk …" and Close; then, lower, Stay and Close.
  ASSERT_TRUE(until([&] { return controls().size() == 2; }));
  const auto leave = controls()[0];
  desktop_->click(leave);
  desktop_->move(kNowhere);
  ASSERT_TRUE(until([&] { return controls().size() == 2 && controls()[0].y != leave.y; }));
  EXPECT_TRUE(is_member("rack1")) << "nobody was asked";
  desktop_->click({controls()[0].x + kToNextButton, controls()[0].y});
  EXPECT_TRUE(until([&] { return !is_member("rack1"); }));
  EXPECT_TRUE(until([&] { return controls().size() == 5; })) << "the window does not start again";
  EXPECT_TRUE(until([&] { return nodes_at_desk().empty(); }));
}

TEST(SeveralPcsTest, OffersACodeByWhichAnotherPcJoins) {
  const testing::NetworkNamespaces network({"desk", "rack1"});
  if (!network.is_ready()) GTEST_SKIP() << testing::NetworkNamespaces::kNeeds;
  const testing::TemporaryFolder folder;
  ::setenv("XDG_CONFIG_HOME", (folder / "desk").c_str(), 1);
  SeveralPcsState state;
  network.run_on("desk", [&] {
    SeveralPcs pcs(false);
    const model::ClusterView view;
    std::vector<session::Action> actions;
    const auto tend = [&] { pcs.tend(state, LocalTime::clock::now(), {view}, actions); };
    state.wish = SeveralPcsState::Wish::make_desk;
    ASSERT_TRUE(
        eventually([&] { return (tend(), state.is_to_start_over || !state.error.empty()); }));
    ASSERT_THAT(state.error, IsEmpty());
    state.membership = cluster::read_membership(folder / "desk/submix").value();

    state.wish = SeveralPcsState::Wish::offer_code;
    tend();
    ASSERT_THAT(state.error, IsEmpty());
    const auto code = pairing::PairingCode::parse(state.code).value();
    EXPECT_THAT(state.addresses, Contains(kDesk));
    network.run_on("rack1", [&] {
      const auto joined = pairing::join(folder / "rack1", {{kDesk, 4223}}, code);
      ASSERT_TRUE(joined.has_value()) << joined.error().message;
      EXPECT_EQ(joined->nats_url, "nats://198.18.0.1:4222,nats://198.18.1.1:4222");
    });
    ASSERT_TRUE(eventually([&] { return (tend(), !state.news.empty()); }));
    EXPECT_THAT(state.news.back(), HasSubstr("(198.18.0.2) has joined"));
    EXPECT_THAT(state.code, IsEmpty()) << "a code is for one PC";
  });
}

}  // namespace
}  // namespace submix::ui
