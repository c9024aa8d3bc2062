// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/cards/interfaces.hpp"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace submix::link {
namespace {

TEST(Interfaces, ListLoopbackWithItsSubnet) {
  const auto interfaces = list_interfaces();
  const auto found = std::find_if(interfaces.begin(), interfaces.end(),
                                  [](const auto& each) { return each.address == "127.0.0.1"; });
  ASSERT_NE(found, interfaces.end());
  EXPECT_EQ(found->name, "lo");
  EXPECT_EQ(found->prefix_length, 8);
  EXPECT_GT(found->mtu_bytes, 0);
}

TEST(Interfaces, TellTheGreatestSpeedOfACardsModes) {
  // A usual gigabit card: 10, 100 and 1000 in full duplex, and a connector type, which is no speed.
  EXPECT_EQ(greatest_speed(std::vector<std::uint32_t>{0b1010'1010U, 0}), 1000);
  // 2500baseT is mode 47, in the second word.
  EXPECT_EQ(greatest_speed(std::vector<std::uint32_t>{0b1010'1010U, 1U << (47 - 32)}), 2500);
  EXPECT_EQ(greatest_speed(std::vector<std::uint32_t>{0b1010'1010U}), 1000);
  EXPECT_EQ(greatest_speed({}), 0);
}

TEST(Interfaces, HaveNoSpeedWhereTheCardSaysNone) {
  EXPECT_EQ(speed_of("lo"), CardSpeed());
  EXPECT_EQ(speed_of("no-such-card-of-any-pc"), CardSpeed());
}

TEST(Interfaces, GiveTheirSpeedsToTheEndpointsOnThem) {
  const std::vector<NetworkInterface> cards{{"eth0", "198.18.0.1", 24, 1500, 100, true, 1000},
                                            {"eth1", "fd00::1", 64, 1500, 2500, true, 10000}};
  std::vector<DataEndpoint> endpoints{
      {"198.18.0.1", 24, 1}, {"fd00:0::1", 64, 1}, {"127.0.0.2", 8, 1}};
  add_speeds(endpoints, cards);
  EXPECT_EQ(endpoints[0].speed_mbit, 100);
  EXPECT_EQ(endpoints[0].speed_max_mbit, 1000);
  EXPECT_EQ(endpoints[1].speed_mbit, 2500);
  EXPECT_EQ(endpoints[2], (DataEndpoint{"127.0.0.2", 8, 1}));
}

TEST(BindToCard, IsAllowedToEverybody) {
  std::optional<Result<void>> bound;
  std::string card;
  std::thread([&] {
    constexpr long kNobody = 65534;
    ::syscall(SYS_setresuid, kNobody, kNobody,
              kNobody);  // of this thread only; fails without root
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bound = bind_to_card(socket, "lo");
    std::array<char, 16> name{};
    socklen_t size = name.size();
    ::getsockopt(socket, SOL_SOCKET, SO_BINDTODEVICE, name.data(), &size);
    card = name.data();
    ::close(socket);
  }).join();
  EXPECT_TRUE(bound->has_value()) << bound->error().message;
  EXPECT_EQ(card, "lo");
}

TEST(BindToCard, NamesACardThatIsNotThere) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto bound = bind_to_card(socket, "nosuchcard");
  ::close(socket);
  ASSERT_FALSE(bound);
  EXPECT_NE(bound.error().message.find("nosuchcard"), std::string::npos);
}

TEST(Interfaces, AreFoundByAnyWayToWriteTheirAddress) {
  const std::vector<NetworkInterface> cards{{"eth0", "fd00::1", 64}, {"eth1", "198.18.0.1", 24}};
  ASSERT_NE(find_address("fd00:0:0::1", cards), nullptr);
  EXPECT_EQ(find_address("fd00:0:0::1", cards)->name, "eth0");
  EXPECT_EQ(find_address("198.18.0.2", cards), nullptr);
  EXPECT_EQ(find_address("nonsense", cards), nullptr);
}

TEST(Interfaces, KnowWhatStaysOnThisMachine) {
  const std::vector<NetworkInterface> cards{{"eth1", "198.18.0.1", 24}};
  EXPECT_TRUE(is_of_this_machine("127.0.0.9", cards));
  EXPECT_TRUE(is_of_this_machine("198.18.0.1", cards));
  EXPECT_FALSE(is_of_this_machine("198.18.0.2", cards));
}

TEST(Interfaces, CompareAsManyBitsAsTheSubnetHas) {
  EXPECT_TRUE(is_in_subnet("198.18.1.200", "198.18.1.129", 25));
  EXPECT_FALSE(is_in_subnet("198.18.1.100", "198.18.1.129", 25));
  EXPECT_TRUE(is_in_subnet("fd00:1::5", "fd00:1::6", 64));
  EXPECT_FALSE(is_in_subnet("fd00:1::5", "198.18.0.1", 8));
  EXPECT_FALSE(is_in_subnet("198.18.0.1", "198.18.0.1", 0));
}

TEST(OfferedAddresses, AreThoseOfCardsThatAreUp) {
  const std::vector<NetworkInterface> cards{{"lo", "127.0.0.1", 8, 0, 0, true},
                                            {"eth0", "198.18.0.1", 24, 0, 0, true},
                                            {"eth1", "198.18.1.1", 24, 0, 0, false},
                                            {"eth2", "198.18.2.1", 24, 0, 0, true}};
  EXPECT_EQ(offered_addresses(cards, true), (std::vector<std::string>{"198.18.0.1", "198.18.2.1"}));
  EXPECT_EQ(offered_addresses(cards, false), std::vector<std::string>{"127.0.0.1"});
  EXPECT_EQ(offered_addresses({}, true), std::vector<std::string>{"127.0.0.1"});
}

TEST(OfferedAddresses, StayInTheirOrderUntilTheirCardHasThemNoMore) {
  const std::vector<NetworkInterface> cards{{"eth0", "198.18.0.1", 24, 0, 0, true},
                                            {"eth1", "198.18.1.1", 24, 0, 0, false}};
  const std::vector<std::string> offered{"198.18.9.1", "198.18.1.1", "198.18.0.1"};
  EXPECT_EQ(offered_addresses(cards, true, offered),
            (std::vector<std::string>{"198.18.1.1", "198.18.0.1"}));
  const std::vector<std::string> loopback{"127.0.0.1"};
  EXPECT_EQ(offered_addresses(cards, true, loopback), std::vector<std::string>{"198.18.0.1"});
}

TEST(Interfaces, KnowThePrefixOfLoopbackAddressesThatAreNotListed) {
  const std::vector<NetworkInterface> interfaces{{"lo", "127.0.0.1", 8, 0, 0, true},
                                                 {"eth0", "198.18.0.1", 16, 0, 0, true}};
  EXPECT_EQ(prefix_length_of("127.0.0.2", interfaces), 8);
  EXPECT_EQ(prefix_length_of("198.18.0.1", interfaces), 16);
  EXPECT_EQ(prefix_length_of("198.18.0.2", interfaces), 0);
  EXPECT_EQ(prefix_length_of("nonsense", interfaces), 0);
}

}  // namespace
}  // namespace submix::link
