// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/system/live_cluster.hpp"
#include "tests/system/shows.hpp"

#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "common/show/parse.hpp"
#include "controller/session/nats_access.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace submix::testing {

using Words = std::vector<std::string>;

/// Inputs hold late performers: the mix goes on while a node restarts.
inline std::string held(std::string show) {
  const std::string links = "links = 2\n";
  const std::string policy = "policy = \"hold\"\npause_budget_ms = 200\n";
  for (auto at = show.find(links); at != std::string::npos;
       at = show.find(links, at + links.size())) {
    show.insert(at, policy);
    at += policy.size();
  }
  return show;
}

/// Three nodes, and hands that edit the running show by commands and by a window's session.
class WrongHands : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto* node : {"left", "right", "mix"})
      start(node);
    cluster_.apply(held(at_leisure(kCheckedDuo)));
    ASSERT_TRUE(cluster_.wait_until_all_run());
    open_window();
  }

  virtual void start(const std::string& node) { cluster_.start_node(node); }

  /// A window's session.
  void open_window() {
    session_ = std::make_unique<session::Session>(
        std::make_unique<session::NatsAccess>(
            cluster::BusSettings{.url = cluster_.nats_url(), .name = "window"}),
        clock_, session::SessionSettings{.author = "a window"});
    ASSERT_TRUE(
        cluster_.wait_until([&](const auto&) { return session_->view()->show != nullptr; }));
  }

  [[nodiscard]] static std::filesystem::path program() {
    return std::filesystem::path(SUBMIX_NODE).parent_path() / "submix";
  }

  struct Outcome {
    int status = -1;
    std::string output;
  };
  Outcome submix(const Words& words) {
    const auto log = cluster_.folder() / "submix.log";
    std::filesystem::remove(log);
    Words command{program().string(), "--nats", cluster_.nats_url()};
    command.insert(command.end(), words.begin(), words.end());
    auto program = ChildProcess::start(command, log);
    if (!program) return {};
    static_cast<void>(
        cluster_.wait_until([&](const auto&) { return program->exit_status().has_value(); }));
    return {program->exit_status().value_or(-1), read_text_file(log).value_or("")};
  }
  /// Edits as a window does; waits until the edit is written or taken back.
  void edit(const model::Edit& edit) {
    ASSERT_TRUE(session_->post(session::EditShow{edit}));
    // Only a view from after the post has seen the edit.
    const auto seen = session_->view();
    ASSERT_TRUE(cluster_.wait_until([&](const auto&) {
      const auto now = session_->view();
      return now != seen && !now->edit.is_writing;
    }));
  }

  void make_clip(const std::filesystem::path& path) {
    auto ffmpeg = ChildProcess::start(
        {"ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i",
         "testsrc=size=320x240:rate=30:duration=1", "-c:v", "mpeg4", path.string()},
        cluster_.folder() / "ffmpeg.log");
    ASSERT_TRUE(ffmpeg);
    static_cast<void>(
        cluster_.wait_until([&](const auto&) { return ffmpeg->exit_status().has_value(); }));
    ASSERT_EQ(ffmpeg->exit_status(), 0);
  }
  /// A show in which "left" plays a clip.
  static std::string with_clip(const std::string& name) {
    auto show = held(at_leisure(kCheckedDuo));
    const std::string pattern = R"({ name = "pattern", plugin = "pattern" })";
    return show.replace(
        show.find(pattern), pattern.size(),
        R"({ name = "pattern", plugin = "clip", parameters = { file = ")" + name + "\" } }");
  }
  /// The brightest value of a slot's last frame; 0: the frame is black.
  [[nodiscard]] int brightest_of(const std::string& node, const std::string& submix,
                                 const std::string& slot) {
    const auto picture = cluster_.control().request_snapshot(
        node, {.kind = cluster::CommandKind::snapshot, .submix = submix, .slot = slot});
    int brightest = 0;
    for (const char value : picture ? picture->rgb24 : std::string())
      brightest = std::max(brightest, static_cast<int>(static_cast<unsigned char>(value)));
    return brightest;
  }
  [[nodiscard]] int brightest_of_mix() {
    const auto view = cluster_.view();
    const auto* mix = view->show->find_submix("mix");
    return mix == nullptr ? 0 : brightest_of(mix->node, "mix", "fade");
  }
  [[nodiscard]] std::string error_of(const std::string& submix) const {
    const auto view = cluster_.view();
    const auto* found = view->find_submix(submix);
    return found == nullptr ? std::string() : found->error;
  }

  [[nodiscard]] std::string text_of_show() { return cluster_.control().show().value().value.toml; }
  /// Checks that every node could start with the cluster's show now.
  void expect_show_that_starts() {
    const auto text = text_of_show();
    const auto show = show::parse(text, "the cluster's show");
    ASSERT_TRUE(show) << to_string(show.error()) << text;
    for (const auto* node : {"left", "right", "mix"}) {
      const auto faults =
          cluster_.control().request_check(node, text, std::chrono::seconds(20), true);
      ASSERT_TRUE(faults) << faults.error().message;
      for (const auto& fault : *faults)
        ADD_FAILURE() << node << ": " << fault.reason << "\n" << text;
    }
    // Running submixes report faults, too.
    EXPECT_TRUE(cluster_.wait_until([](const auto& view) {
      return std::ranges::all_of(view.submixes,
                                 [](const auto& submix) { return submix.error.empty(); });
    })) << error_of("left")
        << error_of("right") << error_of("mix") << text;
  }
  void expect_show_to_go_on(std::uint64_t more = 30) {
    const auto before = frames_of(*cluster_.view(), "mix", "fade");
    EXPECT_TRUE(cluster_.wait_until([&](const auto& view) {
      const auto frames = frames_of(view, "mix", "fade");
      const bool has_begun_again = frames < before;  // on another node, or after a restart
      return frames >= (has_begun_again ? more : before + more);
    }));
  }
  /// Waits until all submixes run and the mix makes frames. A performer whose input is bypassed
  /// stands still.
  [[nodiscard]] bool wait_until_it_runs() const {
    return cluster_.wait_until([](const model::ClusterView& view) {
      const auto* mix = view.find_submix("mix");
      return mix != nullptr && mix->fps > 0 &&
             std::ranges::all_of(view.submixes, [](const auto& submix) {
               return submix.state == model::SubmixState::running;
             });
    });
  }
  void restart(const std::string& node) {
    cluster_.end_node(node, SIGKILL);
    start(node);
    // The view of the node may still be from before its restart.
    ASSERT_TRUE(cluster_.wait_until([&](const auto&) {
      return cluster_.control().is_there(node, std::chrono::milliseconds(500));
    }));
    ASSERT_TRUE(wait_until_it_runs()) << "after a restart of " << node << "\n" << text_of_show();
  }

  LiveCluster cluster_;
  SteadyClock clock_;
  std::unique_ptr<session::Session> session_;
};

}  // namespace submix::testing
