// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/node_share.hpp"

#include <gtest/gtest.h>

namespace submix::agent {
namespace {

show::Show three_nodes() {
  show::Show show;
  show.size = {640, 480};
  show.submixes = {
      {"left", "a", {{"out", "stream-out", {}, {}, false}}},
      {"right", "b", {{"out", "stream-out", {}, {}, false}}},
      {"mix", "c", {{"l", "stream-in", {}, {}, false}, {"r", "stream-in", {}, {}, false}}}};
  show.streams.resize(2);
  show.streams[0].name = "l";
  show.streams[0].from = {"left", "out"};
  show.streams[0].to = {"mix", "l"};
  show.streams[1].name = "r";
  show.streams[1].from = {"right", "out"};
  show.streams[1].to = {"mix", "r"};
  return show;
}

TEST(NodeShare, HasTheSubmixesOfItsNodeAndTheStreamsThatTouchThem) {
  const auto share = share_of(three_nodes(), "a");
  ASSERT_EQ(share.submixes.size(), 1U);
  EXPECT_EQ(share.submixes[0].name, "left");
  ASSERT_EQ(share.streams.size(), 1U);
  EXPECT_EQ(share.streams[0].name, "l");
  EXPECT_EQ(share.size, (Size{640, 480}));
}

TEST(NodeShare, OfTheReceiverHasBothStreams) {
  EXPECT_EQ(share_of(three_nodes(), "c").streams.size(), 2U);
}

TEST(SharePlugins, AreEachNamedOnceAndThoseWithHelpersApart) {
  show::Show share;
  share.submixes.resize(2);
  const auto add = [&](std::size_t submix, const char* plugin, int helpers, bool is_stateless) {
    show::Slot slot;
    slot.plugin = plugin;
    slot.helpers = helpers;
    slot.is_stateless = is_stateless;
    share.submixes[submix].slots.push_back(slot);
  };
  add(0, "pattern", 1, false);
  add(0, "frei0r/glow", 2, false);
  add(1, "frei0r/glow", 1, false);
  add(1, "frei0r/blur", 3, true);
  const auto plugins = plugins_of(share);
  EXPECT_EQ(plugins.all, (std::vector<std::string>{"frei0r/blur", "frei0r/glow", "pattern"}));
  EXPECT_EQ(plugins.helped, std::vector<std::string>{"frei0r/glow"});
}

TEST(NodeShare, OfANodeThatIsNotInTheShowIsEmpty) {
  const auto share = share_of(three_nodes(), "z");
  EXPECT_TRUE(share.submixes.empty());
  EXPECT_TRUE(share.streams.empty());
}

}  // namespace
}  // namespace submix::agent
