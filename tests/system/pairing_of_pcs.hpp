// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/files.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/own_avahi.hpp"
#include "tests/system/several_pcs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace submix::testing {

/// Command lines and environments of all processes.
inline std::string words_of_all_processes() {
  std::string words;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    for (const auto* name : {"cmdline", "environ"}) {
      std::ifstream file(entry.path() / name, std::ios::binary);
      words.append(std::istreambuf_iterator<char>(file), {});
    }
  }
  return words;
}

const std::string kWithoutAvahi = "env DBUS_SYSTEM_BUS_ADDRESS=unix:path=/none ";

class PairingOfPcs : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!pcs_.network().is_ready()) GTEST_SKIP() << NetworkNamespaces::kNeeds;
    write_desk_script(options_of_desk());
    script("desk", "enter.sh", "echo >keys");
    for (const auto* pc : {"desk", "rack1"})
      write_files_of_avahi(pcs_.folder_of(pc));
    pcs_.start("desk", "desk", start_of_desk() + "sh desk.sh");
    ASSERT_TRUE(pcs_.wait_until_log_says("desk", "code: "));
  }

  [[nodiscard]] virtual std::string start_of_desk() const { return kBesideAvahi; }
  [[nodiscard]] virtual std::string options_of_desk() const { return ""; }

  void write_desk_script(const std::string& options) {
    script("desk", "desk.sh", "rm -f keys; mkfifo keys; exec submix desk" + options + " <>keys");
  }
  /// As after a failure of its power.
  void restart_desk(const std::string& name) {
    pcs_.kill("desk");
    // Its children end a little later.
    ASSERT_TRUE(eventually(
        [this] { return pcs_.run("desk", "ss -Hltn").output.find(":4222") == std::string::npos; }));
    pcs_.start(name, "desk", start_of_desk() + "sh desk.sh");
    ASSERT_TRUE(pcs_.wait_until_log_says(name, "code: ")) << pcs_.log_of(name);
  }

  void script(const std::string& pc, const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file_atomically(pcs_.folder_of(pc) / name, text + "\n").has_value());
  }

  [[nodiscard]] std::vector<std::string> codes(const std::string& program = "desk") const {
    static const std::regex kCode("code: ([0-9]{3} [0-9]{3})");
    const auto log = pcs_.log_of(program);
    std::vector<std::string> codes;
    for (std::sregex_iterator found(log.begin(), log.end(), kCode), end; found != end; ++found)
      codes.push_back((*found)[1]);
    return codes;
  }

  /// Presses Enter at the desk. Returns the code that it then shows.
  std::string next_code() {
    const auto before = codes().size();
    EXPECT_EQ(pcs_.run("desk", "sh enter.sh").status, 0);
    const auto deadline = std::chrono::steady_clock::now() + SeveralPcs::kPatience;
    while (codes().size() == before && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return codes().back();
  }

  /// Types `code` at a PC.
  SeveralPcs::Outcome join(const std::string& pc, const std::string& code) {
    script(pc, "join.sh", "echo '" + code + "' | submix join 198.18.0.1");
    return pcs_.run(pc, "sh join.sh");
  }

  /// How often node "left" has begun.
  [[nodiscard]] int lives_of_left() const {
    constexpr std::string_view kFirstWords = "this CPU packs pixels";
    const auto log = pcs_.log_of("left");
    int lives = 0;
    for (auto at = log.find(kFirstWords); at != std::string::npos;
         at = log.find(kFirstWords, at + 1))
      ++lives;
    return lives;
  }

  std::uint64_t checked_frames() {
    const auto outcome = pcs_.run("rack2", "submix status --json");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    const auto status = nlohmann::json::parse(outcome.output, nullptr, false);
    return status.is_object() ? status.at("checks").value("checked", std::uint64_t{0}) : 0;
  }

  SeveralPcs pcs_;
};

constexpr const char* kLeftAlone = R"([show]
name = "alone"
[[node]]
name = "left"
[[submix]]
name = "left"
node = "left"
slot = [{ name = "pattern", plugin = "pattern" }, { name = "end", plugin = "null" }])";

}  // namespace submix::testing
