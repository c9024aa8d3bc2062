// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/node_options.hpp"

#include <gtest/gtest.h>

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

TEST(NodeOptions, KnowTwoWordsForRealTimeScheduling) {
  EXPECT_EQ(std::get<int>(parsed({"--realtime", "fast"})), 2);
}

}  // namespace
}  // namespace submix::agent
