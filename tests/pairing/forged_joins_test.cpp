// SPDX-License-Identifier: GPL-3.0-or-later
// Strangers who try to join without the code: by garbage, by a listener's recording, by changed
// bits of it, and by guesses. The desk's person offers a new code again and again meanwhile.
// SUBMIX_FORGED_JOINS chooses how many, SUBMIX_SEED which: a million take minutes.
#include "controller/pairing/handshake.hpp"
#include "controller/pairing/join_desk.hpp"
#include "controller/pairing/pairing_port.hpp"

#include "common/base/descriptor.hpp"
#include "tests/support/eventually.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace submix::pairing {
namespace {

constexpr int kForgedUsually = 400;
constexpr int kJoinsPerCode = 50;
constexpr std::uint8_t kAccepted = 0;

unsigned from_environment(const char* name, unsigned usually) {
  const char* text = std::getenv(name);
  return text == nullptr ? usually : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

/// A client that sends what it likes.
class Line {
 public:
  explicit Line(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    ::sockaddr_in desk{};
    desk.sin_family = AF_INET;
    desk.sin_port = htons(port);
    desk.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<::sockaddr*>(&desk), sizeof(desk)), 0);
  }
  void send(const Bytes& message) const {
    Bytes bytes{static_cast<std::uint8_t>(message.size() & 0xFFU),
                static_cast<std::uint8_t>(message.size() >> 8U)};
    bytes.insert(bytes.end(), message.begin(), message.end());
    ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  /// Empty: the desk has hung up.
  [[nodiscard]] Bytes receive() const {
    std::array<std::uint8_t, 2> head{};
    if (::recv(socket_.get(), head.data(), head.size(), MSG_WAITALL) != 2) return {};
    Bytes message(head[0] + 256U * head[1]);
    const auto count = ::recv(socket_.get(), message.data(), message.size(), MSG_WAITALL);
    message.resize(static_cast<std::size_t>(std::max<ssize_t>(0, count)));
    return message;
  }

 private:
  Descriptor socket_;
};

/// What a listener has of a PC that joined.
struct Recording {
  Bytes hello;
  Bytes proof;
};

class ForgedJoins : public ::testing::Test {
 protected:
  void SetUp() override {
    desk_ = PairingPort::open(
                {.listen = {"127.0.0.1"},
                 .port = 0,
                 .invite = [this](const Joiner&,
                                  const std::string&) { return Admission{invitation_, {}}; }})
                .value();
    recording_ = record();
  }

  [[nodiscard]] Recording record() {
    TypingEnd pc(desk_->offer(), {"rack1"});
    const Line line(desk_->port());
    Recording recording{pc.hello(), {}};
    line.send(recording.hello);
    recording.proof = pc.proof_for(line.receive()).value();
    line.send(recording.proof);
    EXPECT_TRUE(pc.read_invitation(line.receive()).has_value());
    EXPECT_TRUE(testing::eventually([this] { return !desk_->take_events().empty(); }));
    return recording;
  }

  [[nodiscard]] unsigned below(unsigned limit) { return static_cast<unsigned>(random_()) % limit; }
  [[nodiscard]] Bytes with_a_flipped_bit(Bytes bytes) {
    bytes[below(static_cast<unsigned>(bytes.size()))] ^= static_cast<std::uint8_t>(1U << below(8));
    return bytes;
  }
  [[nodiscard]] Bytes garbage() {
    Bytes bytes(1 + below(300));
    for (auto& byte : bytes)
      byte = static_cast<std::uint8_t>(below(256));
    return bytes;
  }
  [[nodiscard]] Recording forged() {
    switch (below(4)) {
      case 0:
        return {garbage(), garbage()};
      case 1:
        return {recording_.hello, garbage()};
      case 2:
        return {with_a_flipped_bit(recording_.hello), with_a_flipped_bit(recording_.proof)};
      default:
        return recording_;
    }
  }
  /// Whether the desk has invited.
  [[nodiscard]] bool is_accepted(const Recording& forged) const {
    const Line line(desk_->port());
    line.send(forged.hello);
    const auto welcome = line.receive();
    if (welcome.empty() || welcome.front() != kAccepted) return false;
    line.send(forged.proof);
    const auto answer = line.receive();
    return !answer.empty() && answer.front() == kAccepted;
  }

  const Invitation invitation_{"desk", "nats://198.18.0.1:4222", cluster::ShowKey::random()};
  std::mt19937 random_{from_environment("SUBMIX_SEED", 1)};
  std::unique_ptr<PairingPort> desk_;
  Recording recording_;
};

TEST_F(ForgedJoins, OpenNothing) {
  const auto count = from_environment("SUBMIX_FORGED_JOINS", kForgedUsually);
  unsigned guesses = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (i % kJoinsPerCode == 0) static_cast<void>(desk_->offer());
    ASSERT_FALSE(is_accepted(forged())) << "join " << i;
    for (const auto& event : desk_->take_events()) {
      ASSERT_NE(event.kind, PairingEvent::Kind::joined) << "join " << i;
      ++guesses;
    }
  }
  EXPECT_GT(guesses, 0U) << "no forger came as far as a proof";
  RecordProperty("wrong_proofs", static_cast<int>(guesses));
  EXPECT_EQ(join_desk({{"127.0.0.1", desk_->port()}}, desk_->offer(), {"rack2"}), invitation_);
}

}  // namespace
}  // namespace submix::pairing
