// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/membership.hpp"
#include "controller/pairing/own_desk.hpp"
#include "controller/pairing/peer_list.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/network_namespaces.hpp"
#include "tests/ui/controller_fixture.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace submix::ui {

/// Several PCs by the real window: each PC is a network namespace with a folder of its own.
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
    EXPECT_TRUE(testing::eventually([&] { return process.exit_status().has_value(); }));
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
    const auto json = nlohmann::json::parse(status, nullptr, false);
    if (!json.is_object()) return names;
    for (const auto& node : json.value("nodes", nlohmann::json::array())) {
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

  // Columns of pixels: through the left ends of the dialog's controls, and of "Shut out …".
  static constexpr int kInDialog = 384;
  static constexpr int kInPcButtons = 936;
  static constexpr int kControlHeightMin = 14;
  static constexpr int kToNextButton = 240;
  static constexpr std::size_t kPixelsOfAWindow = 10'000;
  const cluster::ShowKey key_ = cluster::ShowKey::random();
  testing::NetworkNamespaces network_{{"desk", "rack1"}};
};

}  // namespace submix::ui
