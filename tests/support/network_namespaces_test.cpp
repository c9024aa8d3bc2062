// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/network_namespaces.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace submix::testing {
namespace {

using namespace std::chrono_literals;

std::size_t own_namespaces() {
  std::size_t count = 0;
  const auto prefix = "submix-" + std::to_string(::getpid()) + "-";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/run/netns", error))
    count += entry.path().filename().string().starts_with(prefix) ? 1U : 0U;
  return count;
}

sockaddr_in socket_address(const std::string& address, std::uint16_t port) {
  sockaddr_in target{};
  target.sin_family = AF_INET;
  target.sin_port = htons(port);
  ::inet_pton(AF_INET, address.c_str(), &target.sin_addr);
  return target;
}

/// Whether host `from` can connect to this address of the other host by TCP.
bool can_connect(const NetworkNamespaces& network, const std::string& from, const std::string& to,
                 int cable) {
  constexpr std::uint16_t kPort = 5000;
  const auto target = socket_address(network.address(to, cable), kPort);
  const auto* place = reinterpret_cast<const sockaddr*>(&target);
  int listener = -1;
  network.run_on(to, [&] {
    listener = ::socket(AF_INET, SOCK_STREAM, 0);
    ASSERT_EQ(::bind(listener, place, sizeof target), 0);
    ASSERT_EQ(::listen(listener, 1), 0);
  });
  bool is_connected = false;
  network.run_on(from, [&] {
    const int client = ::socket(AF_INET, SOCK_STREAM, 0);
    is_connected = ::connect(client, place, sizeof target) == 0;
    ::close(client);
  });
  ::close(listener);
  return is_connected;
}

TEST(NetworkNamespaces, JoinTwoHostsDirectlyByUpToEightCables) {
  NetworkNamespaces network({"a", "b"}, {NetworkNamespaces::kCablesMax, Wiring::direct});
  if (!network.is_ready()) GTEST_SKIP() << network.problem();
  EXPECT_EQ(network.address("b", 7), "198.18.7.2");
  for (int cable = 0; cable < NetworkNamespaces::kCablesMax; ++cable)
    EXPECT_TRUE(can_connect(network, "a", "b", cable)) << "cable " << cable;
  EXPECT_EQ(own_namespaces(), 2U);
}

TEST(NetworkNamespaces, GoWithTheirObject) {
  {
    NetworkNamespaces network({"a", "b"});
    if (!network.is_ready()) GTEST_SKIP() << network.problem();
    EXPECT_EQ(own_namespaces(), 3U);
  }
  EXPECT_EQ(own_namespaces(), 0U);
}

TEST(NetworkNamespaces, HaveTheirCarriersWhenTheyAreReadyAndSayWhichIsLost) {
  const NetworkNamespaces network({"a", "b"});
  if (!network.is_ready()) GTEST_SKIP() << network.problem();
  EXPECT_EQ(network.wait_for_carriers(0ms), "");
  ASSERT_TRUE(network.set_up(1, false));
  const auto lost = [&] {
    return network.wait_for_carriers(0ms) == "card1 of host b has no carrier";
  };
  for (int i = 0; i < 500 && !lost(); ++i)
    std::this_thread::sleep_for(10ms);
  EXPECT_TRUE(lost()) << network.wait_for_carriers(0ms);
  ASSERT_TRUE(network.set_up(1, true));
  EXPECT_EQ(network.wait_for_carriers(), "");
}

TEST(NetworkNamespaces, SayWhyTheyAreNotReady) {
  NetworkNamespaces nine({"a", "b"}, {9, Wiring::direct});
  EXPECT_FALSE(nine.is_ready());
  EXPECT_EQ(nine.problem(), "9 cables are not within 0 to 8");
  NetworkNamespaces three({"a", "b", "c"}, {1, Wiring::direct});
  EXPECT_FALSE(three.is_ready());
  EXPECT_EQ(three.problem(), "a direct cable joins two hosts");
}

TEST(NetworkNamespaces, LimitARateAndChangeItWithoutLosingTheQueue) {
  NetworkNamespaces network({"a", "b"}, {1, Wiring::direct});
  if (!network.is_ready()) GTEST_SKIP() << network.problem();
  EXPECT_TRUE(network.limit_rate("a", 0, 1'500'000'000));
  EXPECT_TRUE(network.limit_rate("a", 0, 100'000'000));
  EXPECT_FALSE(network.limit_rate("a", 1, 100'000'000)) << "there is no second cable";
}

}  // namespace
}  // namespace submix::testing
