// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/peer_list.hpp"

#include "common/base/files.hpp"
#include "common/cluster/key_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace submix::pairing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

Peer peer(const std::string& name, const std::string& address) {
  return {name, address, 1'700'000'000, cluster::Identity::random().public_key()};
}

std::string add(PeerList& list, const Peer& added) {
  return add_peer(list, added, "desk").value();
}

TEST(PeerList, TellsPcsOfOneNameApart) {
  PeerList list;
  EXPECT_EQ(add(list, peer("rack", "198.18.0.2")), "");
  EXPECT_THAT(add(list, peer("rack", "198.18.0.3")), HasSubstr("listed as rack-2"));
  EXPECT_THAT(add(list, peer("rack", "198.18.0.4")), HasSubstr("listed as rack-3"));
  EXPECT_THAT(add(list, peer("desk", "198.18.0.5")), HasSubstr("listed as desk-2"));
  EXPECT_EQ(list.peers.size(), 4U);
}

TEST(PeerList, ReplacesAPcThatJoinsAgain) {
  PeerList list;
  const auto first = peer("rack", "198.18.0.2");
  add(list, first);
  const auto installed_anew = peer("rack", "198.18.0.2");
  EXPECT_THAT(add(list, installed_anew), HasSubstr("takes the place"));
  EXPECT_EQ(list.peers, std::vector{installed_anew});
  auto moved = installed_anew;
  moved.address = "198.18.0.9";
  EXPECT_THAT(add(list, moved), HasSubstr("renewed"));
  EXPECT_EQ(list.peers, std::vector{moved});
}

TEST(PeerList, HasAnEnd) {
  PeerList list;
  for (std::size_t i = 0; i < cluster::kPeersMax; ++i)
    add(list, peer("rack" + std::to_string(i), "198.18.0.2"));
  EXPECT_THAT(why(add_peer(list, peer("one more", "198.18.0.2"), "desk")),
              HasSubstr("peers remove"));
}

TEST(PeerBook, IsReadAsItWasWrittenAndIsPrivate) {
  const testing::TemporaryFolder folder;
  EXPECT_EQ(PeerBook::read(folder.path()), PeerList());
  PeerList list{{peer("rack", "198.18.0.2")},
                cluster::NumberedKey{cluster::ShowKey::random(), 7},
                "/var/nats"};
  ASSERT_TRUE(PeerBook::open(folder.path())->write(list).has_value());
  EXPECT_EQ(PeerBook::read(folder.path()), list);
  EXPECT_EQ(fs::status(folder / "peers.json").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST(PeerList, LetsAPcThatJoinsAgainDoNoMoreThanBefore) {
  PeerList list;
  const auto wall = peer("wall", "198.18.0.2");
  add(list, wall);
  list.peers[0].rights = cluster::Rights::watch;
  add(list, wall);
  EXPECT_EQ(list.peers[0].rights, cluster::Rights::watch);
  add(list, peer("wall", "198.18.0.2"));
  EXPECT_EQ(list.peers[0].rights, cluster::Rights::watch);
}

TEST(PeerBook, KeepsWhatAPcMayDo) {
  const testing::TemporaryFolder folder;
  PeerList list{{peer("rack", "198.18.0.2"), peer("wall", "198.18.0.3")}};
  list.peers[0].rights = cluster::Rights::render;
  list.peers[0].nodes = {"left", "rack"};
  list.peers[1].rights = cluster::Rights::watch;
  const auto book = PeerBook::open(folder.path());
  ASSERT_TRUE(book->write(list).has_value());
  EXPECT_EQ(PeerBook::read(folder.path()), list);

  const auto with = [&](const std::string& from, const std::string& to) {
    auto text = read_text_file(folder / "peers.json").value();
    text.replace(text.find(from), from.size(), to);
    EXPECT_TRUE(write_file_atomically(folder / "peers.json", text));
    return PeerBook::read(folder.path());
  };
  EXPECT_EQ(with("\"left\"", "\"> evil\"").value().peers[0].nodes,
            std::vector<std::string>{"rack"});
  EXPECT_FALSE(with("\"render\"", "\"rule\"").has_value()) << "it might do more than it should";
}

TEST(PeerBook, ReadsAListOfAnOlderSubmix) {
  const testing::TemporaryFolder folder;
  const auto rack = peer("rack", "198.18.0.2");
  ASSERT_TRUE(write_file_atomically(
      folder / "peers.json",
      R"({"peers": [{"name": "rack", "address": "198.18.0.2", "joined": 1700000000, "key": ")" +
          cluster::to_text(rack.key) + "\"}]}"));
  EXPECT_EQ(PeerBook::read(folder.path()).value().peers, std::vector{rack});
}

TEST(PeerBook, IsChangedByOneProgramAtATime) {
  const testing::TemporaryFolder folder;
  {
    const auto book = PeerBook::open(folder.path());
    EXPECT_FALSE(PeerBook::try_open(folder.path()).has_value());
  }
  EXPECT_TRUE(PeerBook::try_open(folder.path()).has_value());
}

// A list that is taken for an empty one would lock all PCs out.
TEST(PeerBook, SaysThatItsFileIsBroken) {
  const testing::TemporaryFolder folder;
  const auto without_number =
      R"({"peers":[],"next_key":")" + cluster::ShowKey::random().text() + "\"}";
  for (const auto* text : {"", "[]", "{}", R"({"peers":[{"name":"rack","key":"00"}]})",
                           R"({"peers":[],"next_key":"submix-key-"})", without_number.c_str()}) {
    ASSERT_TRUE(write_file_atomically(folder / "peers.json", text).has_value());
    const auto read = PeerBook::read(folder.path());
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_THAT(read.error().message, HasSubstr("peers.json"));
  }
}

}  // namespace
}  // namespace submix::pairing
