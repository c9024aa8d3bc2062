// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/link_session.hpp"

#include "common/base/descriptor.hpp"
#include "tests/input/input_service_bench.hpp"
#include "tests/input/until.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <cmath>
#include <optional>

namespace submix::input {
namespace {

using namespace std::chrono_literals;

// Whether this machine supports multicast, by which Link finds other members. If so, the test
// demands that they find each other.
bool has_multicast() {
  const Descriptor receiver(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const Descriptor sender(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t bytes = sizeof address;
  if (::bind(receiver.get(), reinterpret_cast<sockaddr*>(&address), bytes) != 0) return false;
  if (::getsockname(receiver.get(), reinterpret_cast<sockaddr*>(&address), &bytes) != 0)
    return false;
  ip_mreq group{};
  ::inet_pton(AF_INET, "224.76.78.75", &group.imr_multiaddr);  // Link's group
  if (::setsockopt(receiver.get(), IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group) != 0)
    return false;
  address.sin_addr = group.imr_multiaddr;
  if (::sendto(sender.get(), "?", 1, 0, reinterpret_cast<sockaddr*>(&address), sizeof address) != 1)
    return false;
  pollfd wait{receiver.get(), POLLIN, 0};
  return ::poll(&wait, 1, 1000) == 1;
}

// Distance around the bar, whose end is its beginning. Readings with time in between are skipped.
// Empty: all readings were skipped.
std::optional<double> beats_apart(const LinkSession& first, const LinkSession& second) {
  constexpr double kBar = 4;
  constexpr auto kAtOnce = 20ms;
  std::optional<double> apart;
  const bool is_read = comes_true([&] {
    const auto before = std::chrono::steady_clock::now();
    apart = std::remainder(first.state().phase - second.state().phase, kBar);
    return std::chrono::steady_clock::now() - before < kAtOnce;
  });
  return is_read ? apart : std::nullopt;
}

TEST(LinkSession, KeepsItsTempoAlone) {
  LinkSession link;
  EXPECT_FALSE(link.state().is_on);
  link.set_tempo(133.5);
  EXPECT_NEAR(link.state().tempo, 133.5, 1e-6);
  EXPECT_EQ(link.state().peers, 0U);
}

TEST(LinkSession, SharesItsTempoAndBeatWithAnother) {
  if (!has_multicast()) GTEST_SKIP() << "no network here that carries multicast";
  LinkSession first;
  LinkSession second;
  first.turn(true);
  second.turn(true);
  ASSERT_TRUE(comes_true([&] { return first.state().peers == 1 && second.state().peers == 1; }));
  first.set_tempo(133.5);
  EXPECT_TRUE(comes_true([&] { return std::abs(second.state().tempo - 133.5) < 1e-3; }));
  const auto apart = beats_apart(first, second);
  ASSERT_TRUE(apart);
  EXPECT_NEAR(*apart, 0, 0.5);
  second.turn(false);
  EXPECT_TRUE(comes_true([&] { return first.state().peers == 0; }));
}

using LinkInput = InputServiceBench;

TEST_F(LinkInput, KeepsTheShowsTempoAndLinksTheSame) {
  if (!has_multicast()) GTEST_SKIP() << "no network here that carries multicast";
  LinkSession other;
  other.turn(true);
  ASSERT_TRUE(input_->post(TurnLink{true}));
  ASSERT_TRUE(until([&] { return input_->view()->link.peers > 0; }));
  other.set_tempo(133.5);
  EXPECT_TRUE(until(
      [&] { return std::abs(session_->view()->show->tempo.beats_per_minute - 133.5) < 0.01; }));
  const auto tempo = show::Tempo{90};
  ASSERT_TRUE(session_->post(session::EditShow{model::SetTempo{tempo}}));
  EXPECT_TRUE(until([&] { return std::abs(other.state().tempo - 90) < 0.01; }));
}

}  // namespace
}  // namespace submix::input
