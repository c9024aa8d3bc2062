// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/checksum.hpp"
#include "common/wire/codec.hpp"
#include "common/wire/seal.hpp"
#include "tests/link/flipping_proxy.hpp"
#include "tests/link/scripted_session.hpp"
#include "tests/link/stream_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace submix::link {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Bytes = std::vector<std::uint8_t>;
using media::PixelFormat;

template <typename Message>
Bytes encoded(const Message& message) {
  Bytes bytes(wire::kControlBytesMax);
  bytes.resize(wire::encode(message, bytes));
  return bytes;
}

std::string name_of(PixelFormat format) {
  return format == PixelFormat::rgba ? "Rgba" : "Rgb24";
}

// Real senders and receivers, with two proxies between them that flip bits.

/// Formats of the sender's and of the receiver's frames.
using Formats = std::tuple<PixelFormat, PixelFormat>;

class FlippedBits : public testing::StreamFixture, public ::testing::WithParamInterface<Formats> {
 protected:
  FlippedBits() {
    pool = media::FramePool(kSize, 2 * kCredits + 4, media::Backing::own, std::get<0>(GetParam()));
  }
  std::shared_ptr<StreamSender> open_flipping_sender(Checksum checksum, bool is_encrypted = false) {
    SenderOptions options{"main", kSize, kRate, kCredits, {.count = 2}};
    options.checksum = checksum;
    options.is_encrypted = is_encrypted;
    auto opened = left->open_sender(std::move(options));
    EXPECT_TRUE(opened);
    auto endpoints = mix->endpoints();
    for (std::size_t i = 0; i < proxies.size(); ++i)
      endpoints.at(i).port = proxies[i].port();
    (*opened)->set_destination("mix", std::move(endpoints));
    return *opened;
  }
  [[nodiscard]] static std::uint64_t damaged(const StreamReceiver& receiver) {
    std::uint64_t stripes = 0;
    for (const auto& link : receiver.telemetry().links)
      stripes += link.stripes_damaged;
    return stripes;
  }
  [[nodiscard]] std::uint64_t flips() const { return proxies[0].flips() + proxies[1].flips(); }
  /// 200 frames in order and intact, although both proxies flip bits now and then.
  void expect_all_frames(StreamReceiver& receiver, const std::shared_ptr<StreamSender>& sender) {
    const auto producer = produce(sender, 0, 200);
    for (std::uint64_t index = 0; index < 200; ++index) {
      if (index % 40 == 20) proxies[index / 40 % 2].flip_next();
      ASSERT_NO_FATAL_FAILURE(expect_frame(receiver, index));
    }
    EXPECT_GE(flips(), 1U);
    EXPECT_TRUE(testing::eventually([&] { return damaged(receiver) == flips(); }))
        << damaged(receiver);
    EXPECT_EQ(receiver.telemetry().frames_dropped, 0U);
  }

  std::array<testing::FlippingProxy, 2> proxies{
      {{"127.0.0.1", mix->endpoints().at(0).port}, {"127.0.0.2", mix->endpoints().at(1).port}}};
};

TEST_P(FlippedBits, AreFoundByTheChecksumNamedCountedAndSentAgain) {
  const auto receiver = open_receiver(std::get<1>(GetParam()));
  const auto sender = open_flipping_sender(Checksum::xxh3);
  ASSERT_NO_FATAL_FAILURE(expect_all_frames(*receiver, sender));
  EXPECT_THAT(events.all(), AllOf(HasSubstr("stream main, link "), HasSubstr("(node left): frame "),
                                  HasSubstr("checksum "), HasSubstr(" found at 127.0.0."),
                                  HasSubstr(" expected by 127.0.0."), HasSubstr("ethtool -K"),
                                  HasSubstr(": link closed, ")));
}

TEST_P(FlippedBits, AreFoundByTheCiphersTag) {
  const auto receiver = open_receiver(std::get<1>(GetParam()));
  const auto sender = open_flipping_sender(Checksum::none, true);
  ASSERT_NO_FATAL_FAILURE(expect_all_frames(*receiver, sender));
  EXPECT_THAT(events.all(),
              AllOf(HasSubstr("the cipher's tag is wrong at 127.0.0."),
                    HasSubstr("or somebody changes them, these pixels are sent again")));
}

TEST_P(FlippedBits, GetThroughWhereThereIsNoChecksum) {
  const auto receiver = open_receiver(std::get<1>(GetParam()));
  const auto sender = open_flipping_sender(Checksum::none);
  const auto producer = produce(sender, 0, 200);
  std::uint64_t wrong = 0;
  for (std::uint64_t index = 0; index < 200; ++index) {
    if (index % 10 == 5) proxies[index / 10 % 2].flip_next();
    const auto received = receiver->receive_for(testing::kPatience, {});
    ASSERT_TRUE(received);
    wrong += testing::has_pattern(*received, index) ? 0U : 1U;
  }
  EXPECT_GE(wrong, 1U);  // not every one: a stripe that another link has taken over is not needed
  EXPECT_LE(wrong, flips());
  EXPECT_EQ(damaged(*receiver), 0U);
}

INSTANTIATE_TEST_SUITE_P(Formats, FlippedBits,
                         ::testing::Values(Formats{PixelFormat::rgba, PixelFormat::rgba},
                                           Formats{PixelFormat::rgb24, PixelFormat::rgb24},
                                           Formats{PixelFormat::rgba, PixelFormat::rgb24}),
                         [](const auto& each) {
                           return "From" + name_of(std::get<0>(each.param)) + "To" +
                                  name_of(std::get<1>(each.param));
                         });

class BadLink : public FlippedBits {};

TEST_P(BadLink, IsTriedLessAndLessOftenAndTheOtherOneCarriesTheStream) {
  constexpr std::uint64_t kDamages = 14;
  const auto receiver = open_receiver(std::get<1>(GetParam()));
  const auto sender = open_flipping_sender(Checksum::xxh3);
  proxies[1].flip_all(true);
  const auto began = SteadyClock().now();
  const auto producer = produce(sender, 0, std::uint64_t{1} << 40);
  for (std::uint64_t index = 0; damaged(*receiver) < kDamages; ++index)
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  // Ten pauses of 100 to 150 ms, then at least 200, 400 and 800. Without growing pauses the sum
  // would be 1,950 at most.
  EXPECT_GE(SteadyClock().now() - began, std::chrono::milliseconds(2300));
  EXPECT_EQ(receiver->telemetry().links.at(0).stripes_damaged, 0U);
  EXPECT_TRUE(testing::eventually([&] {
    return sender->telemetry().links.at(1).error.find("bits were flipped") != std::string::npos;
  }));
}

INSTANTIATE_TEST_SUITE_P(Formats, BadLink,
                         ::testing::Values(Formats{PixelFormat::rgba, PixelFormat::rgba}));

// A sender that sends any message at any time.

/// One link of a stream with one frame; blocking.
class ScriptedLink {
 public:
  ScriptedLink(std::uint16_t port, std::uint8_t index, Checksum checksum)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{20, 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
    shake_hands(index, checksum);
  }

  void say(std::span<const std::uint8_t> bytes) const {
    EXPECT_EQ(::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  void say_header(const wire::StripeHeader& header) {
    auto bytes = encoded(header);
    seal_.seal(bytes);
    say(bytes);
  }
  [[nodiscard]] std::string hear_until_closed() const {
    std::string heard;
    std::array<char, 4096> buffer{};
    for (;;) {
      const auto count = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
      if (count < 0) {
        EXPECT_EQ(errno, ECONNRESET) << "still open";
      }
      if (count <= 0) return heard;
      heard.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  void shake_hands(std::uint8_t index, Checksum checksum) {
    wire::Hello hello;
    hello.software = "0";
    hello.stream = "main";
    hello.node = "script";
    hello.epoch = 1;
    hello.link_index = index;
    hello.link_count = 2;
    hello.protection = checksum == Checksum::xxh3 ? Protection::xxh3 : Protection::none;
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
    Bytes ack(72);
    EXPECT_GT(::recv(socket_.get(), ack.data(), ack.size(), 0), 0);  // the credit
  }

  Descriptor socket_;
  wire::Seal seal_;
};

/// A range of frame 0, either right or with one bit of its second half flipped after the checksum
/// was made.
struct Piece {
  wire::StripeHeader header;
  Bytes pixels;

  Piece(std::uint32_t first, std::uint32_t count, Checksum checksum, bool is_flipped = false)
      : header{1, {0}, {}, first, count, 0} {
    for (std::size_t byte = std::size_t{first} * 3; byte < (std::size_t{first} + count) * 3; ++byte)
      pixels.push_back(testing::pattern_byte(0, testing::rgba_byte(PixelFormat::rgb24, byte)));
    if (checksum == Checksum::xxh3) header.checksum = wire::checksum_of(pixels);
    if (is_flipped) pixels[pixels.size() * 3 / 4] ^= 1;
  }
  [[nodiscard]] std::span<const std::uint8_t> first_half() const {
    return std::span(pixels).first(pixels.size() / 2);
  }
  [[nodiscard]] std::span<const std::uint8_t> second_half() const {
    return std::span(pixels).subspan(pixels.size() / 2);
  }
};

constexpr std::uint32_t kSplit = 21 * wire::kCellPixels;
constexpr std::uint32_t kRest = 320 * 240 - kSplit;

class SamePixelsTwice : public testing::StreamFixture,
                        public ::testing::WithParamInterface<PixelFormat> {
 protected:
  [[nodiscard]] ScriptedLink open_link(std::uint8_t index, Checksum checksum) const {
    return {mix->endpoints().at(0).port, index, checksum};
  }
  static void say(ScriptedLink& link, const Piece& piece) {
    link.say_header(piece.header);
    link.say(piece.pixels);
  }
  /// Waits until the receiver has this many bytes of all links together.
  void await_bytes(std::uint64_t bytes) const {
    ASSERT_TRUE(testing::eventually([&] {
      std::uint64_t sum = 0;
      for (const auto& link : receiver->telemetry().links)
        sum += link.bytes;
      return sum >= bytes;
    }));
  }
  [[nodiscard]] std::uint64_t damaged(std::size_t link) const {
    return receiver->telemetry().links.at(link).stripes_damaged;
  }
  [[nodiscard]] bool is_frame_right() const {
    const auto received = receiver->receive_for(testing::kPatience, {});
    EXPECT_TRUE(received) << events.all();
    return received && testing::has_pattern(*received, 0);
  }
  /// Link 0 begins a piece, and link 1 delivers the whole piece. Link 0 delivers the rest with a
  /// flipped bit; then link 1 delivers what is left.
  [[nodiscard]] bool is_right_after_a_late_flip(Checksum checksum) {
    auto late = open_link(0, checksum);
    auto helper = open_link(1, checksum);
    const Piece flipped(0, kSplit, checksum, true);
    const Piece right(0, kSplit, checksum);
    late.say_header(flipped.header);
    late.say(flipped.first_half());
    await_bytes(wire::kStripeHeaderBytes + flipped.first_half().size());
    say(helper, right);
    await_bytes(2 * wire::kStripeHeaderBytes + flipped.first_half().size() + right.pixels.size());
    late.say(flipped.second_half());
    await_bytes(2 * wire::kStripeHeaderBytes + 2 * right.pixels.size());
    if (checksum == Checksum::xxh3) {
      EXPECT_THAT(late.hear_until_closed(), HasSubstr("bits were flipped"));
    }
    say(helper, Piece(kSplit, kRest, checksum));
    return is_frame_right();
  }

  std::shared_ptr<StreamReceiver> receiver = open_receiver(GetParam());
};

TEST_P(SamePixelsTwice, AreNotSpoiltByALateLinksFlippedBit) {
  EXPECT_TRUE(is_right_after_a_late_flip(Checksum::xxh3));
  EXPECT_EQ(damaged(0), 1U);
  EXPECT_EQ(damaged(1), 0U);
}

TEST_P(SamePixelsTwice, AreSpoiltByItWhereThereIsNoChecksum) {
  EXPECT_FALSE(is_right_after_a_late_flip(Checksum::none));
}

TEST_P(SamePixelsTwice, AreTakenFromTheSecondLinkWhenTheFirstOnesAreFlipped) {
  auto first = open_link(0, Checksum::xxh3);
  auto second = open_link(1, Checksum::xxh3);
  say(first, Piece(0, kSplit, Checksum::xxh3, true));
  EXPECT_THAT(first.hear_until_closed(), HasSubstr("frame 0, pixels 0 to 21504: checksum "));
  EXPECT_EQ(damaged(0), 1U);
  say(second, Piece(0, kSplit, Checksum::xxh3));
  say(second, Piece(kSplit, kRest, Checksum::xxh3));
  EXPECT_TRUE(is_frame_right());
}

TEST_P(SamePixelsTwice, TellOfABadWayAlsoWhenTheyAreNotNeeded) {
  auto first = open_link(0, Checksum::xxh3);
  auto second = open_link(1, Checksum::xxh3);
  say(second, Piece(0, kSplit, Checksum::xxh3));
  await_bytes(wire::kStripeHeaderBytes + std::uint64_t{kSplit} * 3);
  say(first, Piece(0, kSplit, Checksum::xxh3, true));
  EXPECT_THAT(first.hear_until_closed(), HasSubstr("bits were flipped"));
  say(second, Piece(kSplit, kRest, Checksum::xxh3));
  EXPECT_TRUE(is_frame_right());
  EXPECT_EQ(damaged(0), 1U);
}

TEST_P(SamePixelsTwice, MayComeFromALinkWithAndALinkWithoutChecksums) {
  auto first = open_link(0, Checksum::none);
  auto second = open_link(1, Checksum::xxh3);
  say(first, Piece(0, kSplit, Checksum::none));
  say(second, Piece(0, kSplit, Checksum::xxh3));
  say(second, Piece(kSplit, kRest, Checksum::xxh3));
  EXPECT_TRUE(is_frame_right());
}

TEST_P(SamePixelsTwice, HaveNoChecksumWhereTheHelloSaysSo) {
  auto link = open_link(0, Checksum::none);
  say(link, Piece(0, kSplit, Checksum::xxh3));
  static_cast<void>(link.hear_until_closed());
  EXPECT_TRUE(testing::eventually([&] { return events.has("a stripe with a checksum, where"); }))
      << events.all();
}

TEST_P(SamePixelsTwice, HaveNoCiphersTagWhereTheHelloSaysSo) {
  auto link = open_link(0, Checksum::xxh3);
  Piece piece(0, kSplit, Checksum::xxh3);
  piece.header.tag[0] = 1;
  say(link, piece);
  static_cast<void>(link.hear_until_closed());
  EXPECT_TRUE(testing::eventually([&] {
    return events.has("a stripe with a cipher's tag, where");
  })) << events.all();
}

INSTANTIATE_TEST_SUITE_P(Formats, SamePixelsTwice,
                         ::testing::Values(PixelFormat::rgba, PixelFormat::rgb24),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace submix::link
