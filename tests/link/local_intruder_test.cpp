// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/local/local_socket.hpp"
#include "common/link/timing.hpp"
#include "common/media/shared_memory.hpp"
#include "common/wire/codec.hpp"
#include "common/wire/seal.hpp"
#include "tests/link/scripted_session.hpp"
#include "tests/link/stream_fixture.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace submix::link {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kFrameBytes = 320 * 240 * 4;

/// A process of the same user that knows the key and sends arbitrary messages; blocking.
class Intruder {
 public:
  explicit Intruder(const LocalEndpoint& endpoint)
      : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{20, 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const auto to = abstract_endpoint(endpoint.socket);
    EXPECT_EQ(::connect(socket_.get(), to.data(), static_cast<socklen_t>(to.size())), 0);
  }

  void say(const Bytes& bytes) const {
    EXPECT_EQ(::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  /// All bytes until the other side closes.
  [[nodiscard]] bool hears_the_end() const {
    std::array<std::uint8_t, 4096> buffer{};
    ssize_t count = 0;
    while ((count = ::recv(socket_.get(), buffer.data(), buffer.size(), 0)) > 0) {
    }
    return count == 0 || errno == ECONNRESET;
  }
  void shake_hands(const std::string& stream) {
    wire::Hello hello;
    hello.software = "0";
    hello.stream = stream;
    hello.node = "intruder";
    hello.epoch = 1;
    hello.size = {320, 240};
    hello.rate = {30, 1};
    hello.public_key = testing::scripted_key().public_key();
    auto hello_bytes = encoded(hello);
    wire::sign({}, wire::kRoleHello, {}, hello_bytes);
    say(hello_bytes);
    Bytes welcome(wire::kControlBytesMax);
    const auto count = ::recv(socket_.get(), welcome.data(), welcome.size(), 0);
    ASSERT_GT(count, 0);
    welcome.resize(static_cast<std::size_t>(count));
    say(encoded(wire::Proof{wire::prove({}, wire::kRoleProof, hello_bytes, welcome)}));
    seal_ = testing::sender_seal(hello_bytes, welcome);
  }
  template <typename Message>
  void say_sealed(const Message& message, Descriptor descriptor = Descriptor()) {
    auto bytes = encoded(message);
    seal_->seal(bytes);
    if (!descriptor) return say(bytes);
    std::vector<Descriptor> descriptors;
    descriptors.push_back(std::move(descriptor));
    static_cast<void>(
        send_with(socket_.get(), bytes, descriptors));  // the other side may have closed
  }
  void say_terms() {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    returns_ = Descriptor(ends[0]);
    say_sealed(wire::Terms{4}, Descriptor(ends[1]));
  }
  [[nodiscard]] int returns() const { return returns_.get(); }
  /// Waits until the receiver has granted credit, i.e. until a sealed Ack has come.
  void await_credit() const {
    Bytes ack(72);
    EXPECT_GT(::recv(socket_.get(), ack.data(), ack.size(), 0), 0);
  }

 private:
  template <typename Message>
  static Bytes encoded(const Message& message) {
    Bytes bytes(wire::kControlBytesMax);
    bytes.resize(wire::encode(message, bytes));
    return bytes;
  }

  Descriptor socket_;
  Descriptor returns_;
  std::optional<wire::Seal> seal_;
};

Descriptor duplicate(const media::SharedMemory& memory) {
  return Descriptor(::fcntl(memory.descriptor(), F_DUPFD_CLOEXEC, 0));
}

/// A stream runs at the same time, also by shared memory, and must not notice.
class LocalIntruder : public testing::StreamFixture {
 protected:
  LocalIntruder() {
    receiver = open_receiver();
    auto made = left->open_sender({"main", kSize, kRate, kCredits, {.count = 2}});
    EXPECT_TRUE(made);
    sender = *made;
    sender->set_destination("mix", mix->endpoints(), mix->local_endpoint());
    EXPECT_TRUE(sender->send(frame(0), {}));
    expect_frame(*receiver, 0);
    auto opened = mix->open_receiver({"other", kSize, kRate, kCredits, 2});
    EXPECT_TRUE(opened);
    other = *opened;
  }
  ~LocalIntruder() override {
    EXPECT_TRUE(sender->send(frame(1), {}));
    expect_frame(*receiver, 1);
    for (const auto& each : sender->telemetry().links)
      EXPECT_EQ(each.reconnects, 0U) << each.error;
  }
  [[nodiscard]] Intruder begin() const {
    Intruder intruder(mix->local_endpoint());
    intruder.shake_hands("other");
    return intruder;
  }
  void expect_refused(const Intruder& intruder, const std::string& reason) {
    EXPECT_TRUE(intruder.hears_the_end()) << "still open";
    EXPECT_TRUE(testing::eventually([&] { return events.has(reason); })) << reason << " not in:\n"
                                                                         << events.all();
    EXPECT_FALSE(other->try_receive());
  }

  std::shared_ptr<StreamReceiver> receiver;
  std::shared_ptr<StreamSender> sender;
  std::shared_ptr<StreamReceiver> other;
};

TEST_F(LocalIntruder, IsClosedAndNamedWhenItSpeaksSomethingElse) {
  const Intruder intruder(mix->local_endpoint());
  const std::string request = "GET / HTTP/1.1\r\n\r\n";
  intruder.say({request.begin(), request.end()});
  expect_refused(intruder,
                 "process " + std::to_string(::getpid()) + " of this machine: sent something");
}

TEST_F(LocalIntruder, ThatFollowsTheProtocolIsUnderstood) {
  auto intruder = begin();
  intruder.say_terms();
  const auto memory = *media::SharedMemory::create(kFrameBytes);
  memory->data()[17] = 99;
  intruder.say_sealed(wire::Memory{1, kFrameBytes}, duplicate(*memory));
  intruder.await_credit();
  intruder.say_sealed(wire::Loan{1, {0}, {}, 1, 0});
  auto got = other->receive_for(testing::kPatience, {});
  ASSERT_TRUE(got) << events.all();
  EXPECT_EQ(got->rgba()[17], 99);
  got.reset();
  std::array<std::uint8_t, 8> returned{1, 1, 1, 1, 1, 1, 1, 1};
  EXPECT_EQ(::recv(intruder.returns(), returned.data(), returned.size(), 0), 8);
  EXPECT_EQ(returned, (std::array<std::uint8_t, 8>{}));
}

TEST_F(LocalIntruder, CannotGiveMemoryThatMayShrink) {
  auto intruder = begin();
  intruder.say_terms();
  Descriptor unsealed(::memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(::ftruncate(unsealed.get(), kFrameBytes), 0);
  intruder.say_sealed(wire::Memory{1, kFrameBytes}, std::move(unsealed));
  expect_refused(intruder, "it must be sealed");
}

TEST_F(LocalIntruder, CannotGiveMemoryThatIsShorterThanItSays) {
  auto intruder = begin();
  intruder.say_terms();
  const auto memory = *media::SharedMemory::create(kFrameBytes);
  intruder.say_sealed(wire::Memory{1, 2 * kFrameBytes}, duplicate(*memory));
  expect_refused(intruder, "were said");
}

TEST_F(LocalIntruder, CannotGiveMemoryTooSmallForAFrame) {
  auto intruder = begin();
  intruder.say_terms();
  const auto memory = *media::SharedMemory::create(4096);
  intruder.say_sealed(wire::Memory{1, 4096}, duplicate(*memory));
  expect_refused(intruder, "4096 bytes are not within 307200 to");
}

TEST_F(LocalIntruder, CannotMakeTheReceiverMapWithoutLimit) {
  auto intruder = begin();
  intruder.say_terms();
  const auto memory = *media::SharedMemory::create(4096);
  intruder.say_sealed(wire::Memory{1, ~std::uint64_t{0}}, duplicate(*memory));
  expect_refused(intruder, "18446744073709551615 bytes are not within");
}

TEST_F(LocalIntruder, CannotTakeGivenMemoryAwayAgain) {
  const auto memory = *media::SharedMemory::create(kFrameBytes);
  EXPECT_NE(::ftruncate(memory->descriptor(), 0), 0);
}

TEST_F(LocalIntruder, MustBringADescriptorWhereOneIsDue) {
  auto intruder = begin();
  intruder.say_terms();
  intruder.say_sealed(wire::Memory{1, kFrameBytes});
  expect_refused(intruder, "memory: no descriptor has come with it");
}

TEST_F(LocalIntruder, MustStateItsTermsFirst) {
  auto intruder = begin();
  const auto memory = *media::SharedMemory::create(kFrameBytes);
  intruder.say_sealed(wire::Memory{1, kFrameBytes}, duplicate(*memory));
  expect_refused(intruder, "the terms have not come");
}

TEST_F(LocalIntruder, CannotLendWhatLiesOutsideOfItsMemory) {
  auto intruder = begin();
  intruder.say_terms();
  const auto memory = *media::SharedMemory::create(kFrameBytes);
  intruder.say_sealed(wire::Memory{1, kFrameBytes}, duplicate(*memory));
  intruder.await_credit();
  intruder.say_sealed(wire::Loan{1, {0}, {}, 1, 64});
  expect_refused(intruder, "a frame of 307200 bytes at 64 in memory of 307200");
}

TEST_F(LocalIntruder, CannotLendFromMemoryThatItNeverGave) {
  auto intruder = begin();
  intruder.say_terms();
  intruder.say_sealed(wire::Loan{1, {0}, {}, 7, 0});
  expect_refused(intruder, "loan: memory 7 is not known here");
}

TEST_F(LocalIntruder, CannotLendBeyondItsCredit) {
  auto intruder = begin();
  intruder.say_terms();
  const auto memory = *media::SharedMemory::create(kFrameBytes);
  intruder.say_sealed(wire::Memory{1, kFrameBytes}, duplicate(*memory));
  intruder.say_sealed(wire::Loan{1, {1000}, {}, 1, 0});
  expect_refused(intruder, "frame 1000, credit ends before");
}

TEST_F(LocalIntruder, CannotSendMoreDescriptorsThanAreTaken) {
  auto intruder = begin();
  intruder.say_terms();
  for (int i = 0; i < 3 * static_cast<int>(kDescriptorsMax); ++i)
    intruder.say_sealed(wire::Ping{1}, Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
  EXPECT_TRUE(intruder.hears_the_end());
}

}  // namespace
}  // namespace submix::link
