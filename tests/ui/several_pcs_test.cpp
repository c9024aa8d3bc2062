// SPDX-License-Identifier: GPL-3.0-or-later
// Several PCs by the real window: each PC is a network namespace with a folder of its own.
#include "controller/ui/shell/several_pcs.hpp"
#include "common/cluster/membership.hpp"
#include "controller/pairing/joining.hpp"
#include "controller/pairing/own_desk.hpp"
#include "controller/pairing/peer_list.hpp"
#include "controller/pairing/server_users.hpp"
#include "controller/ui/shell/local_nodes.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/network_namespaces.hpp"
#include "tests/support/own_avahi.hpp"
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
constexpr int kInDialog = 384;      // a column of pixels through the left ends of its controls
constexpr int kInPcButtons = 936;   // through the left ends of "Shut out …"
constexpr int kToChoice = 100;      // from there to what a PC may do
constexpr int kToThirdChoice = 75;  // below it, when it is open
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
    start_window_on(pc);
    ASSERT_TRUE(
        repeat_until([&] { desktop_->press("ctrl+j"); }, [&] { return controls().size() == 5; }))
        << "the dialog does not open";
  }
  // A key that is pressed before the window is there is lost.
  void start_window_on(const std::string& pc) {
    controller_ = start_on(
        pc, {CONTROLLER, "--size", "1440", "900", "--osc", "0", "--no-tour", "--page", "overview"});
    ASSERT_TRUE(until([&] { return pixels(color::kPanel) > kPixelsOfAWindow; }));
  }
  /// Those of the dialog that begin at its left edge. Without a desk: the button that makes one,
  /// the fields for address and code, Join, Close.
  [[nodiscard]] std::vector<Point> controls() const { return controls_at(kInDialog); }
  [[nodiscard]] std::vector<Point> controls_at(int x) const {
    auto areas = areas_below(desktop_->screenshot(), x, color::kTrack, kControlHeightMin);
    std::erase_if(areas, [](const Point& area) { return area.y < kBelowTabs; });
    return areas;
  }
  /// In the accent colour or near to it: few pixels of an enlarged digit have the colour itself.
  [[nodiscard]] static bool is_bluish(const std::uint8_t* rgb) {
    return rgb[0] < 120 && rgb[2] > 180;
  }
  [[nodiscard]] std::size_t bluish_pixels() const {
    const auto image = desktop_->screenshot();
    return count_pixels(image, {}, image.size, is_bluish);
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
  /// That a program on this PC shows.
  [[nodiscard]] std::string code_of(const std::string& pc) const {
    std::smatch code;
    std::string log;
    const auto has_code = [&] {
      log = text_of(folder_ / (pc + ".log"));
      return std::regex_search(log, code, std::regex("code: ([0-9]{3} [0-9]{3})"));
    };
    EXPECT_TRUE(until(has_code)) << log;
    return code[1];
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

  /// Makes "desk" a desk that `names` have joined.
  void write_desk(const std::vector<std::string>& names) {
    ::setenv("XDG_CONFIG_HOME", (folder_ / "desk").c_str(), 1);
    ASSERT_TRUE(
        pairing::join_own_desk("nats://127.0.0.1:4222", key_, folder_ / "desk/submix/nats"));
    for (const auto& name : names) {
      const auto identity = cluster::Identity::random();
      ASSERT_TRUE(pairing::admit_to_own_desk({name, identity.public_key(), "198.18.0.2"}, {}));
    }
  }
  [[nodiscard]] pairing::PeerList list_of_desk() const {
    return pairing::PeerBook::read(folder_of("desk")).value_or(pairing::PeerList());
  }
  [[nodiscard]] bool has_key_of_before() const {
    const auto key = cluster::ShowKey::read(folder_of("desk") + "/show.key");
    return key && *key == key_;
  }

  static constexpr std::size_t kPixelsOfAWindow = 10'000;
  const cluster::ShowKey key_ = cluster::ShowKey::random();
  testing::NetworkNamespaces network_{{"desk", "rack1"}};
};

TEST_F(SeveralPcsWindowTest, ShutsAPcOutAfterAQuestionButNotInThePerformMode) {
  write_desk({"rack1", "rack2"});
  start_window_on("desk");
  const auto buttons = [&] { return controls_at(kInPcButtons); };
  ASSERT_TRUE(
      repeat_until([&] { desktop_->press("ctrl+j"); }, [&] { return buttons().size() == 2; }))
      << "the PCs are not listed";
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.Pcs.png");
  EXPECT_THAT(outcome_on("desk", "ss -Hltn"), HasSubstr(":4223")) << "PCs ask there for a new key";
  desktop_->press("ctrl+e");
  ASSERT_TRUE(until([&] { return buttons().empty(); }));
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.PcsPerform.png");
  desktop_->press("ctrl+e");
  ASSERT_TRUE(until([&] { return buttons().size() == 2; }));

  // A double click asks, and its second half changes nothing.
  desktop_->double_click(buttons()[0]);
  ASSERT_TRUE(until([&] { return buttons().empty(); }));
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.Question.png");
  EXPECT_EQ(list_of_desk().peers.size(), 2U) << "nobody was asked";
  EXPECT_TRUE(has_key_of_before());
  const auto stay = controls()[1];  // below "Show a code"
  desktop_->click({stay.x + kToNextButton, stay.y});
  EXPECT_TRUE(until([&] { return !has_key_of_before() && !list_of_desk().next_key; }));
  const auto left = list_of_desk().peers;
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].name, "rack2");
  EXPECT_TRUE(until([&] { return buttons().size() == 1; }));
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.ShutOut.png");
}

class LowSeveralPcsWindowTest : public SeveralPcsWindowTest {
 protected:
  LowSeveralPcsWindowTest() { screen_ = {1280, 720}; }
  /// Everything of the dialog is in view, also Close.
  void show_desk_with_a_code(const std::vector<std::string>& joined);
  static constexpr int kInLowDialog = 304;  // as kInDialog
};

void LowSeveralPcsWindowTest::show_desk_with_a_code(const std::vector<std::string>& joined) {
  write_desk(joined);
  controller_ = start_on("desk", {CONTROLLER, "--size", "1280", "720", "--osc", "0", "--no-tour",
                                  "--page", "overview"});
  ASSERT_TRUE(until([&] { return pixels(color::kPanel) > kPixelsOfAWindow; }));
  // "Show a code", the field for an address, the box of this PC's layers, "Stop being the desk …".
  const auto left_controls = [&] { return controls_at(kInLowDialog); };
  ASSERT_TRUE(
      repeat_until([&] { desktop_->press("ctrl+j"); }, [&] { return left_controls().size() == 4; }))
      << left_controls().size() << " controls";
  desktop_->click(left_controls()[0]);
  desktop_->move(kNowhere);
  std::this_thread::sleep_for(3s);
  ASSERT_TRUE(until([&] { return left_controls().size() == 4; })) << "some are cut";
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.LowCode.png");
  const auto stop = left_controls().back();
  desktop_->click({stop.x + kToNextButton, stop.y});
  EXPECT_TRUE(until([&] { return left_controls().empty(); })) << "no Close beside it";
  EXPECT_TRUE(is_member("desk"));
}

TEST_F(LowSeveralPcsWindowTest, HasRoomForADeskWithACodeAndForClose) {
  show_desk_with_a_code({"rack1", "rack2"});
}

// The list grew, and the dialog had to be scrolled.
TEST_F(LowSeveralPcsWindowTest, HasTheSameRoomWithManyPcs) {
  show_desk_with_a_code({"rack1", "rack2", "rack3", "rack4"});
}

TEST_F(SeveralPcsWindowTest, SaysWhatAPcMayDo) {
  write_desk({"wall", "rack2"});
  start_window_on("desk");
  const auto buttons = [&] { return controls_at(kInPcButtons); };
  ASSERT_TRUE(
      repeat_until([&] { desktop_->press("ctrl+j"); }, [&] { return buttons().size() == 2; }));
  const Point choice{buttons()[0].x - kToChoice, buttons()[0].y};
  desktop_->click(choice);
  desktop_->click({choice.x, choice.y + kToThirdChoice});
  EXPECT_TRUE(until([&] { return list_of_desk().peers.at(0).rights == cluster::Rights::watch; }));
  EXPECT_EQ(list_of_desk().peers.at(1).rights, cluster::Rights::everything);
  EXPECT_TRUE(until([&] { return buttons().size() == 2; }));
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.Rights.png");
}

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

TEST_F(SeveralPcsWindowTest, FetchesAPcWithoutAShowByItsAddressAndCode) {
  write_desk({});
  start_window_on("desk");
  auto node = start_on("rack1", {NODE, "--name", "left"});
  const auto code = code_of("rack1");
  // "Show a code", the fields for address and code, Invite, the box of this PC's layers, "Stop
  // being the desk …", Close.
  ASSERT_TRUE(
      repeat_until([&] { desktop_->press("ctrl+j"); }, [&] { return controls().size() == 7; }))
      << controls().size() << " controls";
  const auto fields = controls();
  desktop_->click(fields[1]);
  desktop_->type("198.18.0.2");
  desktop_->click(fields[2]);
  desktop_->type(code);
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.Invite.png");
  desktop_->click(fields[3]);
  ASSERT_TRUE(until([&] { return is_member("rack1"); }));
  EXPECT_TRUE(until([&] { return list_of_desk().peers.size() == 1; }));
  EXPECT_TRUE(until([&] {
    const auto nodes = nodes_at_desk();
    return std::ranges::find(nodes, "left") != nodes.end();
  })) << "its node does not come into the show";
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.Invited.png");
}

TEST_F(SeveralPcsWindowTest, JoinsADeskByItsAddressAndCodeAndLeavesItWhateverItMayDo) {
  auto desk = start_on("desk", {SUBMIX, "desk"});
  const auto code = code_of("desk");
  open_window_on("rack1");
  const auto fields = controls();
  desktop_->click(fields[1]);
  desktop_->type(kDesk);
  desktop_->click(fields[2]);
  desktop_->type(code == "000 000" ? "111111" : "000000");
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return pixels(color::kBad) > 0; })) << "a wrong code is not told";
  EXPECT_FALSE(is_member("rack1"));
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "SeveralPcsWindowTest.WrongCode.png");
  desktop_->type(code);  // without another press on its field
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return is_member("rack1"); }));
  EXPECT_TRUE(
      until([&] { return text_of(folder_ / "desk.log").find("has joined") != std::string::npos; }));
  EXPECT_TRUE(until([&] { return nodes_at_desk() == std::vector{usual_node_name()}; }));
  const auto allowed = outcome_on(
      "desk", std::string(SUBMIX) + " peers allow " + list_of_desk().peers.at(0).name + " watch");
  EXPECT_THAT(allowed, HasSubstr("status 0"));
  EXPECT_TRUE(until([&] { return nodes_at_desk().empty(); })) << "its node is not heard any more";
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
}

// Both PCs find each other through Avahi.
class NearbyPcsWindowTest : public SeveralPcsWindowTest {
 protected:
  void SetUp() override {
    SeveralPcsWindowTest::SetUp();
    for (const auto* pc : {"desk", "rack1"})
      testing::write_files_of_avahi(folder_ / pc);
  }
  [[nodiscard]] ChildProcess start_beside_avahi(const std::string& pc, const std::string& command) {
    return start_on(pc, {"sh", "-c", "exec " + testing::kBesideAvahi + command});
  }
  void start_window_beside_avahi(const std::string& pc) {
    controller_ = start_beside_avahi(
        pc, std::string(CONTROLLER) + " --size 1440 900 --osc 0 --no-tour --page overview");
    ASSERT_TRUE(until([&] { return pixels(color::kPanel) > kPixelsOfAWindow; }));
  }
  /// Of the button in the bar of tabs that names another PC.
  [[nodiscard]] std::optional<Point> nearby_button() const {
    const auto image = desktop_->screenshot();
    for (int x = kPlace.x; x < kPlace.x + kPlaceSize.width; ++x) {
      if (count_pixels(image, {x, kPlace.y}, {1, kPlaceSize.height}, has_color_of_button) > 0)
        return Point{x + kIntoButton, kPlace.y + kPlaceSize.height / 2};
    }
    return std::nullopt;
  }
  static bool has_color_of_button(const std::uint8_t* rgb) {
    return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color::kTrack;
  }
  [[nodiscard]] bool stands_out() const {
    return count_pixels(desktop_->screenshot(), kPlace, kPlaceSize, is_bluish) > 0;
  }

  // Between the tabs and the button of the windows.
  static constexpr Point kPlace{900, 60};
  static constexpr Size kPlaceSize{250, 26};
  static constexpr int kIntoButton = 6;
};

TEST_F(NearbyPcsWindowTest, ShowADeskThatAPressAndItsCodeJoin) {
  auto desk = start_beside_avahi("desk", std::string(SUBMIX) + " desk");
  const auto code = code_of("desk");
  start_window_beside_avahi("rack1");
  ASSERT_TRUE(until([&] { return nearby_button().has_value(); }));
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "NearbyPcsWindowTest.Desk.png");
  EXPECT_TRUE(stands_out());
  desktop_->click(*nearby_button());
  ASSERT_TRUE(until([&] { return controls().size() == 5; })) << "the dialog does not open";
  EXPECT_FALSE(stands_out()) << "somebody has seen it";
  desktop_->type(code);  // without a press on its field
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "NearbyPcsWindowTest.Join.png");
  desktop_->press("Return");
  EXPECT_TRUE(until([&] { return is_member("rack1"); }));
}

TEST_F(NearbyPcsWindowTest, ShowAPcThatWaitsUntilItIsInvited) {
  write_desk({});
  start_window_beside_avahi("desk");
  EXPECT_FALSE(nearby_button());
  auto node = start_beside_avahi("rack1", std::string(NODE) + " --name left");
  const auto code = code_of("rack1");
  ASSERT_TRUE(until([&] { return nearby_button().has_value(); }));
  desktop_->press("ctrl+e");  // a PC may come in while the window performs
  desktop_->click(*nearby_button());
  ASSERT_TRUE(until([&] { return controls().size() > 3; })) << "the dialog does not open";
  desktop_->type(code);
  keep_screenshot(std::filesystem::path(SCREENSHOTS) / "NearbyPcsWindowTest.Invite.png");
  desktop_->press("Return");
  ASSERT_TRUE(until([&] { return is_member("rack1"); }));
  desktop_->press("Escape");
  EXPECT_TRUE(until([&] { return !nearby_button(); })) << "it does not wait any more";
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

TEST(SeveralPcsTest, ForgetsTheTriesOfACodeWithTheCode) {
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
    state.membership = cluster::read_membership(folder / "desk/submix").value();
    state.wish = SeveralPcsState::Wish::offer_code;
    tend();
    const auto wrong = state.code == "000 000" ? "111111" : "000000";
    network.run_on("rack1", [&] {
      const auto code = pairing::PairingCode::parse(wrong).value();
      EXPECT_FALSE(pairing::join(folder / "rack1", {{kDesk, 4223}}, code));
    });
    ASSERT_TRUE(eventually([&] { return (tend(), !state.news.empty()); }));
    EXPECT_THAT(state.news.back(), HasSubstr("a wrong code"));

    state.wish = SeveralPcsState::Wish::offer_code;
    tend();
    EXPECT_THAT(state.news, IsEmpty());
  });
}

/// A desk with its server, two PCs, and a window of the desk without its picture.
class DeskOfSeveralPcsTest : public ::testing::Test {
 protected:
  DeskOfSeveralPcsTest() {
    ::setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
    nats_ = local::NatsServer::start({.folder = folder_ / "nats", .key = key_}).value();
    EXPECT_TRUE(pairing::join_own_desk(nats_->url(), key_, folder_ / "nats"));
    for (const auto* name : {"rack1", "rack2"}) {
      const auto pc = cluster::Identity::random().public_key();
      EXPECT_TRUE(pairing::admit_to_own_desk({name, pc, "198.18.0.2"}, nats_->url()));
    }
    state_.membership = cluster::read_membership(folder_ / "submix").value();
    state_.asked_pc.peer = list().peers.at(0);
  }
  void tend(bool is_performing = false) {
    const auto now = LocalTime::clock::now();
    window_.look_after_list(state_, now);
    window_.tend(state_, now, {view_, false, is_performing}, actions_);
  }
  void remove() {
    state_.wish = SeveralPcsState::Wish::remove_pc;
    ASSERT_TRUE(eventually([&] { return (tend(), !state_.is_removing); }));
  }
  [[nodiscard]] static pairing::PeerList list() {
    return pairing::PeerBook::read(config_home()).value();
  }
  [[nodiscard]] bool takes_former_key() const {
    return cluster::Bus::connect({.url = nats_->url(), .name = "test", .key = key_}).has_value();
  }

  const testing::TemporaryFolder folder_;
  const cluster::ShowKey key_ = cluster::ShowKey::random();
  std::optional<local::NatsServer> nats_;
  model::ClusterView view_;
  std::vector<session::Action> actions_;
  SeveralPcsState state_;
  SeveralPcs window_{false};
};

TEST_F(DeskOfSeveralPcsTest, ShutsOutThePcThatWasAskedFor) {
  remove();
  EXPECT_THAT(state_.error, IsEmpty());
  ASSERT_FALSE(state_.news.empty());
  EXPECT_THAT(state_.news.back(), HasSubstr("rack1 (198.18.0.2) is shut out"));
  ASSERT_EQ(list().peers.size(), 1U);
  EXPECT_EQ(list().peers[0].name, "rack2");
  EXPECT_FALSE(takes_former_key());

  remove();
  EXPECT_THAT(state_.error, HasSubstr("not on the desk's list any more"));
  EXPECT_EQ(list().peers.size(), 1U);
}

TEST_F(DeskOfSeveralPcsTest, LetsAPcDoLess) {
  state_.asked_rights = cluster::Rights::watch;
  state_.wish = SeveralPcsState::Wish::set_rights;
  ASSERT_TRUE(eventually([&] { return (tend(), !state_.is_busy); }));
  EXPECT_THAT(state_.error, IsEmpty());
  ASSERT_FALSE(state_.news.empty());
  EXPECT_EQ(state_.news.back(), "rack1 may watch the show, and change nothing.");
  EXPECT_EQ(list().peers.at(0).rights, cluster::Rights::watch);
  EXPECT_EQ(list().peers.at(1).rights, cluster::Rights::everything);
  EXPECT_TRUE(eventually([this] { return !takes_former_key(); })) << "by the key alone";
  EXPECT_NE(pairing::bus_of_own_desk(), nullptr);
}

TEST_F(DeskOfSeveralPcsTest, RemembersWhoConnectsAgainByNewRights) {
  const auto lets_watch = [this] {
    state_.asked_rights = cluster::Rights::watch;
    state_.wish = SeveralPcsState::Wish::set_rights;
    return eventually([this] { return (tend(), !state_.is_busy); });
  };
  ASSERT_TRUE(lets_watch());
  EXPECT_NE(state_.changed_pc, state_.asked_pc.peer.key) << "it was not connected";

  state_.asked_pc.peer = list().peers.at(1);
  state_.asked_pc.programs = {"submix-node left"};
  ASSERT_TRUE(lets_watch());
  EXPECT_EQ(state_.changed_pc, state_.asked_pc.peer.key);
}

TEST_F(DeskOfSeveralPcsTest, ShutsNobodyOutWhilePerforming) {
  state_.wish = SeveralPcsState::Wish::remove_pc;
  tend(true);
  EXPECT_FALSE(state_.is_removing);
  EXPECT_EQ(state_.wish, SeveralPcsState::Wish::none) << "nor later";
  EXPECT_EQ(list().peers.size(), 2U);
}

// Such a node cannot take the new key.
TEST_F(DeskOfSeveralPcsTest, CutsOffNoNodeThatTheQuestionHasNotNamed) {
  const auto bus =
      cluster::Bus::connect({.url = nats_->url(), .name = "byfile", .key = key_}).value();
  cluster::Cluster cluster(*bus);
  const std::jthread node([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      telemetry::NodeReading reading;
      reading.node = "byfile";
      cluster.publish(reading);
      std::this_thread::sleep_for(50ms);
    }
  });
  remove();
  EXPECT_THAT(state_.error, HasSubstr("byfile did not join by a code"));
  EXPECT_EQ(list().peers.size(), 2U);
  EXPECT_TRUE(takes_former_key());
  state_.asked_others = {"byfile"};
  remove();
  EXPECT_EQ(list().peers.size(), 1U);
}

TEST_F(DeskOfSeveralPcsTest, FinishesARemovalThatWasBrokenOff) {
  {
    const auto book = pairing::PeerBook::open(config_home()).value();
    auto broken = list();
    broken.peers.erase(broken.peers.begin());
    broken.next_key = cluster::NumberedKey{cluster::ShowKey::random(), 2};
    ASSERT_TRUE(book.write(broken));
  }
  EXPECT_TRUE(eventually([&] { return (tend(), !list().next_key); }));
  EXPECT_FALSE(takes_former_key());
}

TEST_F(DeskOfSeveralPcsTest, LetsThePcsInOnceAPersonHasMendedTheirList) {
  const auto file = pairing::PeerBook::file_in(config_home());
  const auto text = read_text_file(file).value();
  ASSERT_TRUE(write_file_atomically(file, "{"));
  auto users = pairing::ServerUsers::of_own_desk(key_).value();
  SeveralPcs window(false, false, &users);
  window.look_after_list(state_, LocalTime::clock::now());
  EXPECT_THAT(users.problem(), HasSubstr("peers.json"));

  ASSERT_TRUE(write_file_atomically(file, text));
  EXPECT_TRUE(eventually([&] {
    window.look_after_list(state_, LocalTime::clock::now());
    return users.problem().empty();
  }));
}

TEST_F(DeskOfSeveralPcsTest, ForgetsTheSilentNodesOfAPcThatWasShutOut) {
  const auto bus =
      cluster::Bus::connect({.url = nats_->url(), .name = "left", .key = key_}).value();
  cluster::Cluster cluster(*bus);
  cluster::NodeReport report;
  report.node = "left";
  report.host = "rack1";
  ASSERT_TRUE(cluster.put_report(report));
  remove();
  ASSERT_THAT(state_.error, IsEmpty());
  auto& left = view_.nodes.emplace_back();
  left.name = "left";
  left.health = model::Health::gone;
  show::Show show;
  show.nodes.emplace_back().name = "left";
  view_.show = std::make_shared<const show::Show>(show);
  tend();
  EXPECT_TRUE(actions_.empty()) << "the show names it";

  view_.show = std::make_shared<const show::Show>();
  tend();
  ASSERT_EQ(actions_.size(), 1U);
  EXPECT_EQ(std::get<session::ForgetNode>(actions_[0]).node, "left");
  tend();
  EXPECT_EQ(actions_.size(), 1U) << "once";
}

}  // namespace
}  // namespace submix::ui
