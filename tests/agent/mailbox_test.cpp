// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/mailbox.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace submix::agent {
namespace {

constexpr std::chrono::hours kLong(1);  // longer than any test may take

TEST(Mailbox, KeepsOnlyTheLatestOfEachThing) {
  Mailbox mailbox;
  mailbox.put(cluster::Revisioned<cluster::DesiredShow>{{"first", ""}, 1});
  mailbox.put(cluster::Revisioned<cluster::DesiredShow>{{"second", ""}, 2});
  cluster::NodeReport report;
  report.node = "left";
  report.cores = 2;
  mailbox.put({report, 3});
  report.cores = 4;
  mailbox.put({report, 4});

  const auto news = mailbox.take_for(kLong, {});
  ASSERT_TRUE(news.show);
  EXPECT_EQ(news.show->value.toml, "second");
  ASSERT_EQ(news.reports.size(), 1U);
  EXPECT_EQ(news.reports.at("left").value.cores, 4);
  EXPECT_EQ(news.reports.at("left").revision, 4U);
  EXPECT_FALSE(news.is_reconnected);
}

TEST(Mailbox, KeepsAllPluginsThatCanBeUsedByNow) {
  Mailbox mailbox;
  for (const auto* id : {"frei0r/a", "frei0r/b", "frei0r/a"})
    mailbox.put_plugin(id);
  EXPECT_EQ(mailbox.take_for(kLong, {}).plugins, (std::set<std::string>{"frei0r/a", "frei0r/b"}));
}

TEST(Mailbox, GivesEachNewsOnce) {
  Mailbox mailbox;
  mailbox.put_reconnected();
  EXPECT_TRUE(mailbox.take_for(kLong, {}).is_reconnected);
  EXPECT_FALSE(mailbox.take_for(std::chrono::milliseconds(0), {}).is_reconnected);
}

TEST(Mailbox, WakesItsTakerForWhatIsNoNews) {
  Mailbox mailbox;
  mailbox.wake();
  const auto news = mailbox.take_for(kLong, {});  // returns at once; bounded by ctest
  EXPECT_FALSE(news.show || news.is_reconnected);
}

TEST(Mailbox, WakesItsTakerToStop) {
  Mailbox mailbox;
  std::jthread taker(
      [&](std::stop_token stop) { static_cast<void>(mailbox.take_for(kLong, std::move(stop))); });
  taker.request_stop();
  taker.join();
}

}  // namespace
}  // namespace submix::agent
