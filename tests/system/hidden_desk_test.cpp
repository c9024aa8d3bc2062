// SPDX-License-Identifier: GPL-3.0-or-later
// What a stranger on the network reads of a desk that hides its show, byte by byte.
#include "tests/system/pairing_of_pcs.hpp"

#include "common/base/descriptor.hpp"
#include "common/base/host_name.hpp"
#include "common/cluster/key_question.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

namespace submix::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

sockaddr_in end_of(const char* address, std::uint16_t port) {
  sockaddr_in end{};
  end.sin_family = AF_INET;
  end.sin_port = htons(port);
  ::inet_pton(AF_INET, address, &end.sin_addr);
  return end;
}

Descriptor socket_of(int type) {
  Descriptor socket(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
  const timeval patience{.tv_sec = 1, .tv_usec = 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return socket;
}

std::string received(const Descriptor& socket) {
  std::string bytes(4096, '\0');
  const auto count = ::recv(socket.get(), bytes.data(), bytes.size(), 0);
  bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return bytes;
}

/// What a network answers to the DNS-SD question for all desks. `card`: own address there.
std::string answer_of_dns(const char* card) {
  std::string question("\0\1\0\0\0\1\0\0\0\0\0\0", 12);
  for (const std::string label : {"_submix-desk", "_tcp", "local"})
    question += static_cast<char>(label.size()) + label;
  question += std::string("\0\0\14\0\1", 5);
  const auto socket = socket_of(SOCK_DGRAM);
  const auto own = end_of(card, 0);
  const auto all = end_of("224.0.0.251", 5353);
  ::setsockopt(socket.get(), IPPROTO_IP, IP_MULTICAST_IF, &own.sin_addr, sizeof own.sin_addr);
  ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&own), sizeof own);
  ::sendto(socket.get(), question.data(), question.size(), 0,
           reinterpret_cast<const sockaddr*>(&all), sizeof all);
  return received(socket);
}

/// What the desk answers to one message at its pairing port.
std::string answer_of_desk(std::string message) {
  const auto socket = socket_of(SOCK_STREAM);
  const auto desk = end_of("198.18.0.1", cluster::kPairingPort);
  EXPECT_EQ(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&desk), sizeof desk), 0);
  message.insert(0, {static_cast<char>(message.size()), '\0'});
  ::send(socket.get(), message.data(), message.size(), MSG_NOSIGNAL);
  return received(socket);
}

class DeskOnTheNetwork : public PairingOfPcs {
 protected:
  void SetUp() override {
    PairingOfPcs::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    script("desk", "show.toml", kLeftAlone);
    ASSERT_EQ(pcs_.run("desk", "submix apply --no-wait show.toml").status, 0);
  }
  /// Of Avahi, once it answers.
  [[nodiscard]] std::string dns() {
    std::string answer;
    EXPECT_TRUE(eventually([&] {
      pcs_.network().run_on(
          "rack1", [&] { answer = answer_of_dns("198.18.0.2") + answer_of_dns("198.18.1.2"); });
      return answer.find("machine=") != std::string::npos;
    }));
    return answer;
  }
};

class HiddenDesk : public DeskOnTheNetwork {
 protected:
  [[nodiscard]] std::string options_of_desk() const override { return " --hide-show"; }
};

TEST_F(DeskOnTheNetwork, TellsTheNameOfItsShow) {
  EXPECT_TRUE(eventually([this] { return dns().find("show=alone") != std::string::npos; }));
}

TEST_F(HiddenDesk, TellsNobodyTheNameOfItsShow) {
  std::this_thread::sleep_for(std::chrono::seconds(2));  // a desk that tells it does so at once
  EXPECT_THAT(dns(), AllOf(HasSubstr("machine=" + host_name()), Not(HasSubstr("show=")),
                           Not(HasSubstr("state=")), Not(HasSubstr("alone"))));

  const auto question = cluster::encode(cluster::KeyQuestion{{}, std::string(48, '0')});
  std::string refusal;
  std::string welcome;
  pcs_.network().run_on("rack1", [&] {
    refusal = answer_of_desk({question.begin(), question.end()});
    welcome = answer_of_desk(std::string("submix-pair\2\7nobody1", 20));
  });
  EXPECT_EQ(refusal, std::string("\1\0\5", 3)) << "it does not know this PC";
  EXPECT_THAT(welcome, AllOf(Not(HasSubstr("alone")), ::testing::SizeIs(2 + 1 + 16 + 256)));
}

}  // namespace
}  // namespace submix::testing
