// SPDX-License-Identifier: GPL-3.0-or-later
// Wrong, hasty and odd hands edit a running show by
// commands and by a window's session. The show goes on, and the cluster's show is always one that
// nodes can start.

#include "tests/system/wrong_hands.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::testing {
namespace {

using ::testing::HasSubstr;

TEST_F(WrongHands, ARefusedFileDoesNotStayInTheShow) {
  const auto before = text_of_show();
  const auto inserted = submix({"slot", "insert", "left.pattern", "clip", "--name", "clip"});
  const auto set = submix({"set", "left.pattern.style", "stripes"});
  EXPECT_EQ(set.status, 1) << set.output;
  EXPECT_NE(inserted.status, 0) << "there is no such file: " << inserted.output;
  EXPECT_EQ(text_of_show(), before);
  EXPECT_EQ(submix({"set", "left.pattern.speed", "2"}).status, 0) << "further edits work";
  expect_show_to_go_on();
}

TEST_F(WrongHands, AMoveToANodeWithoutTheClipIsRefusedBeforeItIsWritten) {
  std::filesystem::create_directory(cluster_.folder() / "empty");
  cluster_.end_node("right", SIGTERM);
  cluster_.start_node("right", {"--media", (cluster_.folder() / "empty").string()});
  auto ffmpeg = ChildProcess::start({"ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i",
                                     "testsrc=size=320x240:rate=30:duration=1", "-c:v", "mpeg4",
                                     (cluster_.folder() / "here.mkv").string()},
                                    cluster_.folder() / "ffmpeg.log");
  ASSERT_TRUE(ffmpeg);
  while (!ffmpeg->exit_status()) {
  }
  auto show = held(at_leisure(kCheckedDuo));
  const std::string pattern = R"({ name = "pattern", plugin = "pattern" })";
  show.replace(show.find(pattern), pattern.size(),
               R"({ name = "pattern", plugin = "clip", parameters = { file = "here.mkv" } })");
  cluster_.apply(show);
  ASSERT_TRUE(cluster_.wait_until_all_run());
  const auto moved = submix({"assign", "left", "right"});
  EXPECT_EQ(moved.status, 1);
  EXPECT_THAT(moved.output, HasSubstr("node \"right\""));
  EXPECT_THAT(moved.output, HasSubstr("here.mkv"));

  const auto forced = submix({"assign", "left", "right", "--force"});
  EXPECT_THAT(forced.output, HasSubstr("here.mkv"));
  expect_show_to_go_on(300);  // twice the patience of the former node
  EXPECT_EQ(submix({"undo"}).status, 0);
  ASSERT_TRUE(cluster_.wait_until_all_run());
  expect_show_to_go_on();
}

TEST_F(WrongHands, AForcedMoveToANodeWithoutTheClipLeavesTheClipInTheMix) {
  make_clip(cluster_.folder() / "here.mkv");
  std::filesystem::create_directory(cluster_.folder() / "empty");
  cluster_.end_node("right", SIGTERM);
  cluster_.start_node("right", {"--media", (cluster_.folder() / "empty").string()});
  cluster_.apply(with_clip("here.mkv"));
  ASSERT_TRUE(cluster_.wait_until_all_run());
  ASSERT_TRUE(
      cluster_.wait_until([&](const auto&) { return brightest_of("mix", "mix", "left") > 64; }));
  const auto epoch = [&] {
    const auto view = cluster_.view();
    return std::ranges::find(view->streams, "left", &model::StreamView::name)->receiver.epoch;
  };
  ASSERT_EQ(submix({"cue", "save", "over", "--assign", "left=right"}).status, 0);
  for (const auto& move :
       {Words{"assign", "left", "right", "--force"}, Words{"cue", "go", "over", "--force"}}) {
    const auto before = epoch();
    const auto forced = submix(move);
    ASSERT_TRUE(cluster_.wait_until([&](const auto&) {
      return error_of("left").find("node \"left\" goes on with the submix") != std::string::npos;
    })) << forced.output
        << error_of("left");
    expect_show_to_go_on(60);
    EXPECT_EQ(epoch(), before) << "another node has taken the stream over";
    EXPECT_GT(brightest_of("mix", "mix", "left"), 64);

    const auto back = submix({"assign", "left", "left"});
    EXPECT_EQ(back.status, 0) << back.output;
    ASSERT_TRUE(cluster_.wait_until([&](const auto&) { return epoch() > before; }))
        << "a sender of its own";
    ASSERT_TRUE(cluster_.wait_until_all_run());
    EXPECT_EQ(error_of("left"), "");
  }
}

TEST_F(WrongHands, ASlotWithoutItsFileRunsAsItRanLastAlsoAfterARestart) {
  make_clip(cluster_.folder() / "first.mkv");
  cluster_.apply(with_clip("first.mkv"));
  const auto kept = cluster_.folder() / "submix" / "good-shows" / "left.toml";
  ASSERT_TRUE(cluster_.wait_until([&](const auto&) {
    return read_text_file(kept).value_or("").find("first.mkv") != std::string::npos;
  }));
  cluster_.apply(with_clip("second.mkv"));
  const auto runs_as_before = [&](const auto&) {
    return error_of("left").find("second.mkv") != std::string::npos &&
           error_of("left").find("the slot goes on as it was before") != std::string::npos;
  };
  ASSERT_TRUE(cluster_.wait_until(runs_as_before)) << error_of("left");
  cluster_.end_node("left", SIGKILL);
  cluster_.start_node("left");
  ASSERT_TRUE(cluster_.wait_until([&](const auto& view) {
    const auto* left = view.find_submix("left");
    return left->state == model::SubmixState::running && left->fps > 0 && runs_as_before(view);
  })) << error_of("left");
  EXPECT_TRUE(cluster_.wait_until(
      [&](const auto&) { return brightest_of("left", "left", "pattern") > 64; }));
  expect_show_to_go_on();

  std::filesystem::remove(cluster_.folder() / "first.mkv");
  cluster_.end_node("left", SIGKILL);
  cluster_.start_node("left");
  ASSERT_TRUE(cluster_.wait_until([&](const auto&) {
    return error_of("left").find("black stands in for it") != std::string::npos;
  })) << error_of("left");
  expect_show_to_go_on();
  make_clip(cluster_.folder() / "second.mkv");
  EXPECT_TRUE(cluster_.wait_until([&](const auto& view) {
    const auto* left = view.find_submix("left");
    return left->error.empty() && left->fps > 0;
  })) << error_of("left");
}

TEST_F(WrongHands, ASizeThatOnePluginRefusesChangesNothing) {
  const auto before = text_of_show();
  const auto resized = submix({"show", "size", "16x16"});
  EXPECT_EQ(resized.status, 1);
  EXPECT_THAT(resized.output, HasSubstr("16x16"));
  EXPECT_EQ(text_of_show(), before);
  expect_show_to_go_on();
}

TEST_F(WrongHands, TheLastGoodShowComesBackWithOneCommand) {
  const auto good = text_of_show();
  ASSERT_TRUE(cluster_.wait_until([&](const auto&) {
    const auto kept = cluster_.control().good_show();
    return kept && kept->revision > 0;
  }));
  auto bad = good;
  bad.replace(bad.find("frei0r/invert0r"), 15, "frei0r/nowhere0");
  cluster_.apply(bad);
  ASSERT_TRUE(cluster_.wait_until([](const auto& view) {
    const auto* right = view.find_submix("right");
    return right != nullptr && !right->error.empty();
  }));
  expect_show_to_go_on();
  const auto back = submix({"show", "back"});
  EXPECT_EQ(back.status, 0) << back.output;
  ASSERT_TRUE(cluster_.wait_until_all_run());
  EXPECT_TRUE(cluster_.wait_until(
      [](const auto& view) { return view.find_submix("right")->error.empty(); }));
}

}  // namespace
}  // namespace submix::testing
