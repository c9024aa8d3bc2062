// SPDX-License-Identifier: GPL-3.0-or-later
// Desks and PCs that join them, by real sockets on loopback.

#include "controller/pairing/pairing_port.hpp"
#include "controller/pairing/join_desk.hpp"

#include "common/cluster/key_message.hpp"
#include "common/cluster/key_question.hpp"

#include "tests/support/eventually.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace submix::pairing {
namespace {

using testing::eventually;
using ::testing::HasSubstr;
using Kind = PairingEvent::Kind;

PairingCode other_than(const PairingCode& code) {
  auto digits = code.digits();
  digits[0] = digits[0] == '9' ? '0' : static_cast<char>(digits[0] + 1);
  return PairingCode::parse(digits).value();
}

class Desk : public ::testing::Test {
 protected:
  void open(std::chrono::milliseconds lifetime = std::chrono::minutes(2)) {
    desk_ = PairingPort::open(
                {.listen = {"127.0.0.1", "127.0.0.2"},
                 .port = 0,
                 .invite = [this](const Joiner&,
                                  const std::string&) { return Admission{invitation_, {}}; },
                 .lifetime = lifetime})
                .value();
  }
  [[nodiscard]] Result<Invitation> join(const PairingCode& code,
                                        const std::string& address = "127.0.0.1") const {
    return join_desk({{address, desk_->port()}}, code, {"rack1"});
  }
  /// All that have been since open().
  const std::vector<PairingEvent>& events() {
    for (const auto& event : desk_->take_events())
      events_.push_back(event);
    return events_;
  }
  PairingEvent last_event() { return events().empty() ? PairingEvent() : events().back(); }

  const Invitation invitation_{"desk", "nats://198.18.0.1:4222", cluster::ShowKey::random()};

  std::unique_ptr<PairingPort> desk_;

 private:
  std::vector<PairingEvent> events_;
};

TEST_F(Desk, InvitesThePcWithTheCodeAtEachOfItsAddresses) {
  open();
  for (const auto* address : {"127.0.0.1", "127.0.0.2"}) {
    EXPECT_EQ(join(desk_->offer(), address), invitation_);
    ASSERT_TRUE(eventually([&] { return last_event().kind == Kind::joined; }));
    EXPECT_EQ(last_event().pc, "rack1");
    EXPECT_EQ(last_event().address, "127.0.0.1");
  }
}

TEST_F(Desk, IsFoundAtTheEndThatAnswers) {
  open();
  const std::vector<HostPort> ends{{"127.0.0.1", 1}, {"127.0.0.2", desk_->port()}};
  EXPECT_EQ(join_desk(ends, desk_->offer(), {"rack1"}), invitation_);
}

TEST_F(Desk, HasNoCodeUntilItOffersOneAndAfterAPcHasJoined) {
  open();
  EXPECT_THAT(why(join(PairingCode::random())), HasSubstr("no code at present"));
  const auto code = desk_->offer();
  ASSERT_TRUE(join(code).has_value());
  EXPECT_THAT(why(join(code)), HasSubstr("no code at present"));
}

TEST_F(Desk, BearsThreeWrongCodes) {
  open();
  const auto code = desk_->offer();
  for (int left = PairingPort::kTries - 1; left >= 0; --left) {
    EXPECT_THAT(why(join(other_than(code))), HasSubstr("another code"));
    EXPECT_EQ(last_event().kind, Kind::wrong_code);
    EXPECT_EQ(last_event().tries_left, left);
  }
  EXPECT_THAT(why(join(code)), HasSubstr("no code at present"));
}

TEST_F(Desk, TakesTheRightCodeAfterAWrongOne) {
  open();
  const auto code = desk_->offer();
  EXPECT_FALSE(join(other_than(code)).has_value());
  EXPECT_EQ(join(code), invitation_);
}

TEST_F(Desk, MakesACodeVoidByTimeAndByTheNextOne) {
  open(std::chrono::milliseconds(50));
  const auto late = desk_->offer();
  ASSERT_TRUE(eventually([&] { return last_event().kind == Kind::over && !events().empty(); }));
  EXPECT_THAT(why(join(late)), HasSubstr("no code at present"));
  open();
  const auto before = desk_->offer();
  const auto now = desk_->offer();
  ASSERT_NE(before, now) << "once in a million runs";
  EXPECT_THAT(why(join(before)), HasSubstr("another code"));
  EXPECT_EQ(join(now), invitation_);
}

// A stranger who only holds connections keeps nobody out.
TEST_F(Desk, ServesAPcWhileStrangersHoldConnections) {
  open();
  const auto code = desk_->offer();
  std::vector<int> strangers;
  for (int i = 0; i < 40; ++i) {
    strangers.push_back(::socket(AF_INET, SOCK_STREAM, 0));
    ::sockaddr_in end{};
    end.sin_family = AF_INET;
    end.sin_port = htons(desk_->port());
    ::inet_pton(AF_INET, "127.0.0.1", &end.sin_addr);
    ASSERT_EQ(::connect(strangers.back(), reinterpret_cast<::sockaddr*>(&end), sizeof(end)), 0);
    static_cast<void>(::send(strangers.back(), "\x10\x00sub", 5, MSG_NOSIGNAL));
  }
  EXPECT_EQ(join(code), invitation_);
  for (const int stranger : strangers)
    ::close(stranger);
}

TEST_F(Desk, EndsWhileAPcIsConnected) {
  open();
  static_cast<void>(desk_->offer());
  const int stranger = ::socket(AF_INET, SOCK_STREAM, 0);
  ::sockaddr_in end{};
  end.sin_family = AF_INET;
  end.sin_port = htons(desk_->port());
  ::inet_pton(AF_INET, "127.0.0.1", &end.sin_addr);
  ASSERT_EQ(::connect(stranger, reinterpret_cast<::sockaddr*>(&end), sizeof(end)), 0);
  desk_.reset();
  char byte = 0;
  EXPECT_LE(::recv(stranger, &byte, 1, 0), 0);
  ::close(stranger);
}

TEST_F(Desk, RefusesAPcThatItCannotWriteDown) {
  desk_ = PairingPort::open({.listen = {"127.0.0.1"},
                             .port = 0,
                             .invite = [](const Joiner&, const std::string&) -> Result<Admission> {
                               return fail("the disk is full");
                             }})
              .value();
  EXPECT_THAT(why(join(desk_->offer())), HasSubstr("cannot write down"));
  ASSERT_TRUE(eventually([this] { return last_event().kind == Kind::not_kept; }));
  EXPECT_EQ(to_text(last_event()), "rack1 (127.0.0.1) cannot join: the disk is full");
}

/// A desk that knows one PC, and shows no code.
class DeskThatIsAsked : public ::testing::Test {
 protected:
  [[nodiscard]] Result<std::string> ask(const cluster::PublicKey& pc,
                                        const std::string& challenge) const {
    return cluster::ask_for_key({"127.0.0.1", desk_->port()}, {pc, challenge},
                                std::chrono::seconds(5));
  }

  [[nodiscard]] PairingPort::Settings settings(PairingPort::Invite invite) const {
    return {.listen = {"127.0.0.1"},
            .port = 0,
            .invite = std::move(invite),
            .answer = [this](const cluster::KeyQuestion& question) -> std::optional<std::string> {
              if (question.pc != pc_.public_key()) return std::nullopt;
              return cluster::write_answer(own_, question.pc, key_, question.challenge);
            }};
  }

  const cluster::Identity pc_ = cluster::Identity::random();
  const cluster::Identity own_ = cluster::Identity::random();
  const cluster::NumberedKey key_{cluster::ShowKey::random(), 4};
  std::unique_ptr<PairingPort> desk_ = PairingPort::open(settings({})).value();
};

TEST_F(DeskThatIsAsked, AnswersThePcItKnows) {
  const auto challenge = cluster::random_challenge();
  const auto answer = ask(pc_.public_key(), challenge);
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(cluster::read_answer(*answer, pc_, own_.public_key(), challenge), key_);
}

TEST_F(DeskThatIsAsked, TellsStrangersNothingHoweverOftenTheyAsk) {
  const auto stranger = cluster::Identity::random();
  for (int i = 0; i < 1000; ++i) {
    const auto answer = ask(stranger.public_key(), cluster::random_challenge());
    ASSERT_THAT(answer.error().message, HasSubstr("join it by code again")) << i;
  }
  EXPECT_TRUE(ask(pc_.public_key(), cluster::random_challenge()).has_value());
  EXPECT_TRUE(desk_->take_events().empty());
}

// The command that shuts a PC out keeps the list for a while.
TEST_F(DeskThatIsAsked, AnswersWhileAPcWaitsToBeWrittenDown) {
  std::promise<void> written_down;
  std::atomic<bool> is_waiting = false;
  const auto invite = [&](const Joiner&, const std::string&) -> Result<Admission> {
    is_waiting = true;
    written_down.get_future().wait();
    return Admission{{"desk", "nats://198.18.0.1:4222", cluster::ShowKey::random()}, {}};
  };
  desk_ = PairingPort::open(settings(invite)).value();
  auto joined = std::async(std::launch::async, [port = desk_->port(), code = desk_->offer()] {
    return join_desk({{"127.0.0.1", port}}, code, {"rack1"}).has_value();
  });
  ASSERT_TRUE(eventually([&] { return is_waiting.load(); }));
  EXPECT_TRUE(ask(pc_.public_key(), cluster::random_challenge()).has_value());
  written_down.set_value();
  EXPECT_TRUE(joined.get());
}

TEST_F(DeskThatIsAsked, EndsWhileAPcIsBeingWrittenDown) {
  std::promise<void> written_down;
  std::atomic<bool> is_waiting = false;
  const auto invite = [&](const Joiner&, const std::string&) -> Result<Admission> {
    is_waiting = true;
    written_down.get_future().wait();
    return fail("the desk ends");
  };
  desk_ = PairingPort::open(settings(invite)).value();
  auto joined = std::async(std::launch::async, [port = desk_->port(), code = desk_->offer()] {
    return join_desk({{"127.0.0.1", port}}, code, {"rack1"}).has_value();
  });
  ASSERT_TRUE(eventually([&] { return is_waiting.load(); }));
  auto ended = std::async(std::launch::async, [this] { desk_.reset(); });
  written_down.set_value();
  ended.get();
  EXPECT_FALSE(joined.get()) << "it was told that it has joined";
}

// A name server that is away would take longer than the patience.
TEST_F(DeskThatIsAsked, IsNotLookedUpByAName) {
  const auto asked = cluster::ask_for_key({"localhost", desk_->port()},
                                          {pc_.public_key(), cluster::random_challenge()},
                                          std::chrono::seconds(5));
  EXPECT_FALSE(asked.has_value());
}

TEST(PairingPort, SaysWhichPortAnotherProgramHas) {
  PairingPort::Settings settings{.listen = {"127.0.0.1"}, .port = 0, .invite = {}};
  const auto first = PairingPort::open(settings).value();
  settings.port = first->port();
  const auto second = PairingPort::open(settings);
  ASSERT_FALSE(second.has_value());
  EXPECT_THAT(second.error().message, HasSubstr("another desk"));
}

TEST(JoinDesk, SaysThatNobodyAnswers) {
  const auto joined = join_desk({{"127.0.0.1", 1}}, PairingCode::random(), {"rack1"});
  ASSERT_FALSE(joined.has_value());
  EXPECT_THAT(joined.error().message, HasSubstr("no desk answers at 127.0.0.1:1"));
}

}  // namespace
}  // namespace submix::pairing
