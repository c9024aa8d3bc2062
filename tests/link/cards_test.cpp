// SPDX-License-Identifier: GPL-3.0-or-later
// Cards that are lost, flap, come and go, or are slower than they could be, while frames flow over
// real cables.

#include "common/base/mutex.hpp"
#include "common/link/data_plane.hpp"
#include "tests/link/stream_fixture.hpp"
#include "tests/support/network_namespaces.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace submix::link {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr wire::Key kKey{1, 2, 3};

class Cards : public testing::StreamFixture {
 protected:
  explicit Cards(testing::NetworkOptions options = {}) : network({"left", "mix"}, options) {}
  void SetUp() override {
    if (!network.is_ready()) GTEST_SKIP() << testing::NetworkNamespaces::kNeeds;
  }
  void TearDown() override {
    sender.reset();  // before the planes, whose callbacks use it
    mix.reset();
  }

  /// Both nodes offer all cards. The sender learns of the receiver's cards as from the control
  /// plane.
  void start_stream(std::size_t link_count) {
    left = start_on("left", {});
    mix = start_on("mix", [this] { tell_sender(); });
    ASSERT_TRUE(left && mix);
    receiver = open_receiver();
    {
      MutexLock lock(mutex);
      sender = *left->open_sender({"main", kSize, kRate, kCredits, {.count = link_count}});
    }
    tell_sender();
    ASSERT_TRUE(waits_for_open(link_count)) << events.all();
  }
  std::unique_ptr<DataPlane> start_on(const std::string& host, std::function<void()> on_endpoints) {
    std::unique_ptr<DataPlane> plane;
    network.run_on(host, [&] {
      auto started = DataPlane::start({.node = host,
                                       .addresses = {},
                                       .port = 0,
                                       .key = kKey,
                                       .events = &events,
                                       .on_endpoints = std::move(on_endpoints)});
      ASSERT_TRUE(started) << started.error().message;
      plane = std::move(*started);
    });
    return plane;
  }
  void tell_sender() {
    MutexLock lock(mutex);
    if (sender && mix) sender->set_destination("mix", mix->endpoints());
  }
  void run(const std::string& host, const std::string& command) {
    ASSERT_EQ(network.complaint_of(host, command), "") << command;
  }

  /// Switches a port of the switches off or on, so that its card loses or gains its carrier at
  /// once.
  void set_port_up(const std::string& port, bool is_up) const {
    network.run_on("switch", [&] {
      const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
      ifreq request{};
      port.copy(request.ifr_name, IFNAMSIZ - 1);
      ASSERT_EQ(::ioctl(socket, SIOCGIFFLAGS, &request), 0) << port;
      const auto others = static_cast<short>(request.ifr_flags & ~IFF_UP);
      request.ifr_flags = is_up ? static_cast<short>(others | IFF_UP) : others;
      ASSERT_EQ(::ioctl(socket, SIOCSIFFLAGS, &request), 0) << port;
      ::close(socket);
    });
  }

  [[nodiscard]] std::vector<telemetry::LinkReading> links() const {
    return sender->telemetry().links;
  }
  [[nodiscard]] std::size_t open_links() const {
    const auto all = links();
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const auto& link) {
      return link.state == telemetry::LinkState::open;
    }));
  }
  [[nodiscard]] bool waits_for_open(std::size_t count) const {
    return testing::eventually([&] { return open_links() == count; });
  }
  /// Receives frames until `is_enough`. Each must be the next frame, undamaged.
  template <typename Question>
  void expect_frames_until(Question is_enough) {
    while (!is_enough())
      ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, next_frame++));
  }
  /// The same; records the time taken. The time is no condition: after a short loss the kernel may
  /// be asking for the peer's hardware address, once a second.
  template <typename Question>
  void expect_frames_until(Question is_enough, const std::string& timed_as) {
    const auto begin = Clock::now();
    ASSERT_NO_FATAL_FAILURE(expect_frames_until(is_enough));
    RecordProperty(timed_as, std::to_string((Clock::now() - begin) / 1ms));
  }
  void expect_frames_for(std::chrono::milliseconds time) {
    const auto end = Clock::now() + time;
    expect_frames_until([&] { return Clock::now() >= end; });
  }
  void expect_frames(std::uint64_t count) {
    const auto end = next_frame + count;
    expect_frames_until([&] { return next_frame == end; });
  }
  [[nodiscard]] std::size_t count_events(const std::string& part) const {
    const auto text = events.all();
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++count;
    return count;
  }
  /// The cards that this process's connections to the mix are bound to.
  [[nodiscard]] std::set<std::string> bound_cards() const {
    std::set<std::string> cards;
    for_each_connection_to_mix([&](int descriptor, const sockaddr_in&) {
      std::array<char, 16> name{};
      socklen_t size = name.size();
      ::getsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, name.data(), &size);
      cards.insert(name.data());
    });
    return cards;
  }

  testing::NetworkNamespaces network;
  Mutex mutex;
  std::shared_ptr<StreamReceiver> receiver;
  std::shared_ptr<StreamSender> sender;
  std::uint64_t next_frame = 0;
};

/// With no other path, nothing needs to react to silence quickly.
class OneCard : public Cards {
 protected:
  OneCard() : Cards({.cables = 1}) {}
};

TEST_F(Cards, HoldTheirLinks) {
  ASSERT_NO_FATAL_FAILURE(start_stream(2));
  EXPECT_EQ(bound_cards(), (std::set<std::string>{"card0", "card1"}));
}

TEST_F(Cards, HoldTheirLinksAgainstTheRoutingTableWhichIsSaid) {
  run("left", "ip route del 198.18.1.0/24 && ip route add 198.18.1.0/24 dev card0");
  ASSERT_NO_FATAL_FAILURE(start_stream(2));
  const auto producer = produce(sender, 0, 300);
  ASSERT_NO_FATAL_FAILURE(expect_frames(300));
  EXPECT_GE(network.bytes_sent("left", 1), links().at(1).bytes);
  EXPECT_EQ(links()[0].warning, "");
  EXPECT_THAT(links()[1].warning,
              AllOf(HasSubstr("by card card0"), HasSubstr("bound to card card1")));
  EXPECT_TRUE(events.has("stream main, link 1: not direct")) << events.all();
}

TEST_F(Cards, HoldWhatTheReceiverAnswersWhenItsRoutesChange) {
  ASSERT_NO_FATAL_FAILURE(start_stream(2));
  run("mix", "ip route del 198.18.1.0/24 && ip route add 198.18.1.0/24 dev card0");
  const auto before = network.bytes_sent("mix", 1);
  const auto producer = produce(sender, 0, 300);
  ASSERT_NO_FATAL_FAILURE(expect_frames(300));
  EXPECT_GT(network.bytes_sent("mix", 1), before + 5'000)
      << "acknowledgements go by the other card";
  for (const auto& link : links())
    EXPECT_EQ(link.reconnects, 0U) << link.error;
}

TEST_F(Cards, ThatLoseTheirCarrierAreLeftAtOnceAndComeBackWithIt) {
  ASSERT_NO_FATAL_FAILURE(start_stream(2));
  const auto producer = produce(sender, 0, ~std::uint64_t{0});
  ASSERT_NO_FATAL_FAILURE(expect_frames_for(300ms));
  EXPECT_GT(links().at(1).round_trip, 0ns);
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(network.set_up(1, false));
    // The kernel may report the loss late, after the link has fallen silent.
    const auto names_carrier = [&] {
      return links().at(1).error.find("carrier") != std::string::npos;
    };
    ASSERT_NO_FATAL_FAILURE(
        expect_frames_until([&] { return open_links() == 1 && names_carrier(); }));
    EXPECT_EQ(links().at(1).round_trip, 0ns) << "it has none, and the former is not the next one's";
    ASSERT_NO_FATAL_FAILURE(expect_frames_for(1200ms));
    ASSERT_TRUE(network.set_up(1, true));
    ASSERT_NO_FATAL_FAILURE(
        expect_frames_until([&] { return open_links() == 2; }, "back_after_ms"));
    ASSERT_NO_FATAL_FAILURE(expect_frames_for(1200ms));
  }
  ASSERT_NO_FATAL_FAILURE(expect_frames(500));
  EXPECT_EQ(count_events("is off, has no carrier"), 6U)
      << events.all();  // three times, at both ends
  EXPECT_EQ(count_events("is back"), 6U) << events.all();
  EXPECT_EQ(receiver->telemetry().frames_dropped, 0U);
}

TEST_F(OneCard, ThatLosesItsCarrierIsNoticedByItAndNotByItsSilence) {
  ASSERT_NO_FATAL_FAILURE(start_stream(1));
  const auto producer = produce(sender, 0, ~std::uint64_t{0});
  std::jthread taker([&](const std::stop_token& stop) {
    while (!stop.stop_requested())
      static_cast<void>(receiver->receive_for(100ms, stop));
  });
  std::vector<double> noticed_ms;
  for (int round = 0; round < 9; ++round) {
    const auto cut = Clock::now();
    set_port_up("left0", false);
    ASSERT_TRUE(waits_for_open(0));
    noticed_ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - cut).count());
    EXPECT_THAT(links().at(0).error, HasSubstr("carrier"));
    set_port_up("left0", true);
    ASSERT_TRUE(waits_for_open(1));
  }
  std::sort(noticed_ms.begin(), noticed_ms.end());
  RecordProperty("noticed_ms_median", std::to_string(noticed_ms[4]));
  RecordProperty("noticed_ms_max", std::to_string(noticed_ms.back()));
}

TEST_F(OneCard, ThatLosesItsCarrierAtBothEndsIsTakenForSilentAtNone) {
  ASSERT_NO_FATAL_FAILURE(start_stream(1));
  const auto producer = produce(sender, 0, ~std::uint64_t{0});
  for (int round = 1; round <= 3; ++round) {
    ASSERT_NO_FATAL_FAILURE(expect_frames_for(1200ms));
    ASSERT_TRUE(network.set_up(0, false));
    const auto losses = 2 * static_cast<std::size_t>(round);
    ASSERT_TRUE(testing::eventually([&] {
      return count_events("is off, has no carrier") == losses;
    })) << events.all();
    EXPECT_THAT(links().at(0).error, HasSubstr("carrier"));
    std::this_thread::sleep_for(1200ms);  // no flapping
    ASSERT_TRUE(network.set_up(0, true));
    ASSERT_TRUE(waits_for_open(1));
  }
  EXPECT_EQ(count_events("no sign of life"), 0U) << events.all();
}

TEST_F(Cards, ThatFlapAreOneEventAndFewConnections) {
  ASSERT_NO_FATAL_FAILURE(start_stream(2));
  const auto producer = produce(sender, 0, ~std::uint64_t{0});
  const auto connections = links().at(1).reconnects;
  const auto begin = Clock::now();
  for (int flap = 0; flap < 20; ++flap) {
    ASSERT_TRUE(network.set_up(1, false));
    ASSERT_NO_FATAL_FAILURE(expect_frames_for(60ms));
    ASSERT_TRUE(network.set_up(1, true));
    ASSERT_NO_FATAL_FAILURE(expect_frames_for(60ms));
  }
  ASSERT_NO_FATAL_FAILURE(
      expect_frames_until([&] { return open_links() == 2; }, "stable_after_ms"));
  const auto seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  EXPECT_LE(static_cast<double>(links().at(1).reconnects - connections), 10.0 * seconds);
  ASSERT_NO_FATAL_FAILURE(expect_frames_for(1500ms));
  EXPECT_EQ(open_links(), 2U);
  EXPECT_EQ(count_events("is off, has no carrier"), 2U) << events.all();  // once at each end
  EXPECT_EQ(count_events("is back"), 2U) << events.all();
  EXPECT_EQ(count_events("left to"), 0U) << events.all();
  ASSERT_NO_FATAL_FAILURE(expect_frames(500));
  EXPECT_EQ(receiver->telemetry().frames_dropped, 0U);
}

TEST_F(Cards, ThatAppearAreOfferedAndThoseThatVanishAreNotWhileFramesFlow) {
  run("left", "ip addr del 198.18.1.1/24 dev card1");
  run("mix", "ip addr del 198.18.1.2/24 dev card1");
  ASSERT_NO_FATAL_FAILURE(start_stream(1));
  sender->set_links({2, {}});
  const auto producer = produce(sender, 0, ~std::uint64_t{0});
  for (int round = 0; round < 3; ++round) {
    ASSERT_NO_FATAL_FAILURE(expect_frames_for(200ms));
    run("left", "ip addr add 198.18.1.1/24 dev card1");
    run("mix", "ip addr add 198.18.1.2/24 dev card1");
    const auto is_on_both = [&] {
      const auto all = links();
      return std::any_of(all.begin(), all.end(), [](const auto& link) {
        return link.local.starts_with("198.18.1.1:") && link.remote.starts_with("198.18.1.2:") &&
               link.bytes > 0;
      });
    };
    ASSERT_NO_FATAL_FAILURE(expect_frames_until(is_on_both, "carries_after_ms"));
    ASSERT_NO_FATAL_FAILURE(expect_frames_for(200ms));
    run("mix", "ip addr del 198.18.1.2/24 dev card1");
    run("left", "ip addr del 198.18.1.1/24 dev card1");
    ASSERT_NO_FATAL_FAILURE(expect_frames_until([&] { return mix->endpoints().size() == 1; }));
  }
  ASSERT_NO_FATAL_FAILURE(expect_frames(100));
  EXPECT_EQ(receiver->telemetry().frames_dropped, 0U);
}

TEST_F(Cards, ThatAreSwitchedOffOnTheReceiverOnlyAreLeftToo) {
  ASSERT_NO_FATAL_FAILURE(start_stream(2));
  const auto producer = produce(sender, 0, ~std::uint64_t{0});
  for (int round = 0; round < 3; ++round) {
    ASSERT_NO_FATAL_FAILURE(expect_frames_for(100ms));
    run("mix", "ip link set card1 down");
    ASSERT_NO_FATAL_FAILURE(expect_frames_until([&] { return open_links() == 1; }));
    EXPECT_THAT(links().at(1).error, AllOf(HasSubstr("node mix"), HasSubstr("198.18.1.2")));
    ASSERT_NO_FATAL_FAILURE(expect_frames_for(300ms));
    run("mix", "ip link set card1 up");
    ASSERT_NO_FATAL_FAILURE(expect_frames_until([&] { return open_links() == 2; }));
  }
  EXPECT_EQ(receiver->telemetry().frames_dropped, 0U);
}

TEST_F(Cards, CarryThousandsOfFramesThroughJoiningLeavingAndFlappingLinks) {
  ASSERT_NO_FATAL_FAILURE(start_stream(2));
  const auto producer = produce(sender, 0, ~std::uint64_t{0});
  for (int round = 0; round < 12; ++round) {
    sender->set_links({1 + static_cast<std::size_t>(round) % 4, {}});
    ASSERT_NO_FATAL_FAILURE(expect_frames(200));
    const bool is_pulled = round % 3 == 0;
    ASSERT_TRUE(network.set_up(round % 2, !is_pulled));
    ASSERT_NO_FATAL_FAILURE(expect_frames(100));
    ASSERT_TRUE(network.set_up(round % 2, true));
    ASSERT_NO_FATAL_FAILURE(expect_frames(50));
  }
  EXPECT_GE(next_frame, 4000U);
  EXPECT_EQ(receiver->telemetry().frames_dropped, 0U);
}

TEST_F(Cards, AreToldOfWhenTwoLinksShareOneAndWhenTheMtusDiffer) {
  run("mix", "ip link set card1 mtu 1400");
  ASSERT_NO_FATAL_FAILURE(start_stream(2));
  EXPECT_EQ(links().at(0).warning, "");
  EXPECT_THAT(links().at(1).warning, HasSubstr("MTU 1500 here, 1400 at 198.18.1.2"));
  EXPECT_TRUE(events.has("stream main, link 1: MTU")) << events.all();
  run("mix", "ip link set card1 mtu 1500");
  EXPECT_TRUE(testing::eventually([&] { return links().at(1).warning.empty(); }));
  sender->set_links({3, {}});
  ASSERT_TRUE(waits_for_open(3));
  EXPECT_THAT(links().at(2).warning, AllOf(HasSubstr("card card0"), HasSubstr("link 0")));
}

TEST_F(Cards, WithAWrongRouteFromTheStartAreNamedWithTheRoute) {
  ASSERT_NO_FATAL_FAILURE(start_stream(1));
  run("left", "ip route add 198.19.0.0/24 via 198.18.0.2");  // which forwards nothing
  sender->set_destination("mix", {{"198.19.0.9", 24, 7400}});
  ASSERT_TRUE(testing::eventually([&] { return events.has("no answer from 198.19.0.9"); }))
      << events.all();
  EXPECT_TRUE(events.has(
      "198.18.0.1 to 198.19.0.9 (mix): no answer from 198.19.0.9 within 500 ms: sent from "
      "198.18.0.1, card card0; the routing table leads to 198.19.0.9 through 198.18.0.2 by card "
      "card0"))
      << events.all();
}

TEST_F(Cards, WhoseWayBackIsWrongFromTheStartAreNamedUntilItIsMended) {
  run("mix", "ip route del 198.18.1.0/24 && ip route add 198.18.1.0/24 via 198.18.0.99");
  ASSERT_NO_FATAL_FAILURE(start_stream(1));
  sender->set_links({2, {}});
  ASSERT_TRUE(testing::eventually([&] { return events.has("no answer from 198.18.1.2"); }))
      << events.all();
  EXPECT_THAT(
      links().at(1).error,
      AllOf(HasSubstr("sent from 198.18.1.1, card card1"), HasSubstr("directly"),
            HasSubstr("on the receiver's machine \"ip route get 198.18.1.1 from 198.18.1.2\"")));
  run("mix", "ip route del 198.18.1.0/24 && ip route add 198.18.1.0/24 dev card1");
  EXPECT_TRUE(waits_for_open(2)) << events.all();
}

TEST_F(Cards, AreToldOfWhenTheReceiversIsSlowerThanItCouldBeOrThanTheOwn) {
  ASSERT_NO_FATAL_FAILURE(start_stream(2));
  auto endpoints = mix->endpoints();
  ASSERT_EQ(endpoints.size(), 2U);
  endpoints[0].speed_mbit = 100;
  endpoints[0].speed_max_mbit = 1000;
  endpoints[1].speed_mbit = endpoints[1].speed_max_mbit = 1000;  // a veth's speed is 10000
  sender->set_destination("mix", endpoints);
  EXPECT_TRUE(testing::eventually([&] { return !links().at(1).warning.empty(); }));
  EXPECT_THAT(links().at(0).warning, HasSubstr("198.18.0.2 runs at 100 Mbit/s of 1000"));
  EXPECT_THAT(links().at(1).warning, AllOf(HasSubstr("198.18.1.2 is made for 1000 Mbit/s"),
                                           HasSubstr("card card1 runs at 10000")));
  EXPECT_TRUE(events.has("stream main, link 0: the receiver's card")) << events.all();
}

TEST_F(Cards, AreToldOfWhenTheWayIsNotDirect) {
  ASSERT_NO_FATAL_FAILURE(start_stream(2));
  run("left", "ip route add 198.19.0.0/24 via 198.18.0.2");
  sender->set_destination("mix", {{"198.19.0.9", 24, 7400}});
  EXPECT_TRUE(testing::eventually([&] {
    const auto all = links();
    return !all.empty() && all[0].warning.find("goes through 198.18.0.2") != std::string::npos;
  })) << events.all();
}

}  // namespace
}  // namespace submix::link
