// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/node_options.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

namespace submix::agent {
namespace {

OptionsOrExit parsed(std::vector<const char*> words) {
  words.insert(words.begin(), {"submix-node", "--name", "left"});
  return parse_node_options(static_cast<int>(words.size()), words.data());
}

TEST(NodeOptions, WantRealTimeSchedulingUnlessTold) {
  EXPECT_TRUE(std::get<NodeOptions>(parsed({})).wants_realtime);
  EXPECT_TRUE(std::get<NodeOptions>(parsed({"--realtime", "auto"})).wants_realtime);
  EXPECT_FALSE(std::get<NodeOptions>(parsed({"--realtime", "off"})).wants_realtime);
}

TEST(NodeOptions, WantATraceAtTheEndUnlessTold) {
  EXPECT_TRUE(std::get<NodeOptions>(parsed({})).wants_trace_at_end);
  EXPECT_TRUE(std::get<NodeOptions>(parsed({"--trace-at-end"})).wants_trace_at_end);
  EXPECT_FALSE(std::get<NodeOptions>(parsed({"--no-trace-at-end"})).wants_trace_at_end);
}

TEST(NodeOptions, KeepAShowsFilesWithinTheFoldersUnlessTold) {
  EXPECT_FALSE(std::get<NodeOptions>(parsed({})).allows_any_file);
  EXPECT_TRUE(std::get<NodeOptions>(parsed({"--any-file"})).allows_any_file);
}

TEST(NodeOptions, TakeTheCurrentFolderForMediaAndRecordings) {
  const auto options = std::get<NodeOptions>(parsed({}));
  EXPECT_EQ(options.media_folder, std::filesystem::current_path());
  EXPECT_EQ(options.recordings_folder, std::filesystem::current_path());
}

TEST(NodeOptions, MakeFoldersAbsolute) {
  EXPECT_EQ(std::get<NodeOptions>(parsed({"--media", "."})).media_folder,
            std::filesystem::current_path());
}

// Each folder was once accepted silently, and its clips were missing later.
TEST(NodeOptions, RefuseFoldersThatAreNotThere) {
  for (const auto* option : {"--media", "--recordings"}) {
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(std::get<int>(parsed({option, "/nowhere/clips"})), 2);
    EXPECT_EQ(
        ::testing::internal::GetCapturedStderr(),
        fmt::format("submix-node: {} /nowhere/clips: there is no such folder; make it by: mkdir -p "
                    "/nowhere/clips\n",
                    option));
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(std::get<int>(parsed({option, "/dev/null"})), 2);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              fmt::format("submix-node: {} /dev/null: is not a folder\n", option));
  }
}

TEST(NodeOptions, KnowTwoWordsForRealTimeScheduling) {
  EXPECT_EQ(std::get<int>(parsed({"--realtime", "fast"})), 2);
}

}  // namespace
}  // namespace submix::agent
