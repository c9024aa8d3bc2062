// SPDX-License-Identifier: GPL-3.0-or-later
// A listener on the cable, who has recorded a link and knows the show's key.
#include "common/wire/codec.hpp"
#include "common/wire/ephemeral_key.hpp"
#include "common/wire/pixel_cipher.hpp"
#include "common/wire/seal.hpp"
#include "tests/link/flipping_proxy.hpp"
#include "tests/link/stream_fixture.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace submix::link {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// The messages of one direction, in order.
std::vector<Bytes> messages_of(std::span<const std::uint8_t> recorded) {
  std::vector<Bytes> messages;
  while (recorded.size() >= wire::kEnvelopeBytes) {
    const auto envelope = wire::decode_envelope(recorded).value();
    const auto bytes = wire::kEnvelopeBytes + envelope.body_bytes;
    if (recorded.size() < bytes) break;
    messages.emplace_back(recorded.begin(), recorded.begin() + static_cast<std::ptrdiff_t>(bytes));
    recorded = recorded.subspan(bytes);
  }
  return messages;
}

/// What a listener has of one link: its handshake, the first message after it, and a stripe.
struct Overheard {
  Bytes hello;
  Bytes welcome;
  Bytes first_sealed;
  wire::StripeHeader header;
  Bytes pixels;

  explicit Overheard(const testing::FlippingProxy::Recording& recording) {
    const auto sent = messages_of(recording.from_sender);
    hello = sent.at(0);
    first_sealed = sent.at(2);
    welcome = messages_of(recording.from_receiver).at(0);
    for (const auto& message : sent) {
      if (wire::decode_envelope(message)->type != wire::MessageType::stripe) continue;
      const auto head = std::span(message).first(wire::kStripeHeaderBytes);
      header = wire::decode_stripe(head, PixelFormat::rgb24).value();
      pixels.assign(message.begin() + wire::kStripeHeaderBytes, message.end());
      return;
    }
  }

  /// How many pixel bytes are those of the frame.
  [[nodiscard]] std::size_t bytes_in_clear() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const auto place =
          testing::rgba_byte(PixelFormat::rgb24, std::size_t{header.offset_pixels} * 3 + i);
      count += pixels[i] == testing::pattern_byte(header.frame.value, place) ? 1U : 0U;
    }
    return count;
  }
  [[nodiscard]] bool is_opened_by(const wire::Key& session) const {
    using Direction = wire::Seal::Direction;
    wire::Seal seal(session, Direction::sender_to_receiver, hello, welcome);
    if (seal.check(
            std::span(first_sealed).first(std::min(first_sealed.size(), wire::kStripeHeaderBytes))))
      return true;
    const auto cipher = wire::decode_hello(hello)->protection;
    auto copy = pixels;
    return is_cipher(cipher) &&
           wire::PixelCipher::open(cipher, wire::PixelCipher::Use::decrypt, session)
               ->decrypt(header, copy);
  }
};

class Listener : public testing::StreamFixture {
 protected:
  /// Sends one frame over one link through the proxy.
  [[nodiscard]] Overheard overhear(bool is_encrypted) {
    const auto receiver = open_receiver();
    SenderOptions options{"main", kSize, kRate, kCredits, {.count = 1}};
    options.is_encrypted = is_encrypted;
    const auto sender = left->open_sender(std::move(options)).value();
    auto endpoint = mix->endpoints().at(0);
    endpoint.port = proxy.port();
    sender->set_destination("mix", {endpoint});
    EXPECT_TRUE(sender->send(frame(0), {}));
    expect_frame(*receiver, 0);
    const auto protection = receiver->telemetry().links.at(0).protection;
    EXPECT_EQ(is_cipher(protection), is_encrypted);
    EXPECT_EQ(sender->telemetry().links.at(0).protection, protection);
    return Overheard(proxy.recording());
  }

  testing::FlippingProxy proxy{"127.0.0.1", mix->endpoints().at(0).port};
};

TEST_F(Listener, SeesThePixelsOfAStreamInTheClear) {
  const auto heard = overhear(false);
  ASSERT_FALSE(heard.pixels.empty());
  EXPECT_EQ(heard.bytes_in_clear(), heard.pixels.size());
}

TEST_F(Listener, SeesNoPixelOfAnEncryptedStream) {
  const auto heard = overhear(true);
  ASSERT_GT(heard.pixels.size(), 10'000U);
  // One byte of 256 is the same by chance.
  EXPECT_LT(heard.bytes_in_clear(), heard.pixels.size() / 100);
}

TEST_F(Listener, WhoLearnsTheShowsKeyLaterReadsNothingThatHasPassed) {
  const auto heard = overhear(true);
  constexpr wire::Key kShowKey{};
  const auto from_sender = wire::decode_hello(heard.hello)->public_key;
  const auto from_receiver = wire::decode_welcome(heard.welcome)->public_key;
  ASSERT_TRUE(wire::is_signed(kShowKey, wire::kRoleHello, {}, heard.hello)) << "it is that key";

  // Its own pair of keys does not help, and nothing that passed in the clear is the shared secret.
  const wire::EphemeralKey own;
  const std::vector<wire::Key> guesses{kShowKey,
                                       *own.session_key(kShowKey, from_sender),
                                       *own.session_key(kShowKey, from_receiver),
                                       wire::prove(kShowKey, "submix session", from_sender),
                                       wire::prove(kShowKey, "submix session", from_receiver),
                                       wire::prove(kShowKey, "submix session", {})};
  for (const auto& guess : guesses)
    EXPECT_FALSE(heard.is_opened_by(guess)) << "guess " << &guess - guesses.data();
}

/// The check above can succeed: the ends of a link open what they send.
TEST(Overhearing, OpensWhatItHasTheSessionsKeyOf) {
  wire::Hello hello;
  hello.stream = hello.node = "x";
  hello.size = {64, 64};
  hello.rate = {30, 1};
  hello.protection = wire::fastest_cipher();
  const wire::EphemeralKey sender;
  const wire::EphemeralKey receiver;
  const auto session = sender.session_key({}, receiver.public_key()).value();
  const auto encoded = [](const auto& message) {
    Bytes bytes(wire::kControlBytesMax);
    bytes.resize(wire::encode(message, bytes));
    return bytes;
  };
  const auto hello_bytes = encoded(hello);
  const auto welcome_bytes = encoded(wire::Welcome{});
  auto ping = encoded(wire::Ping{1});
  wire::Seal(session, wire::Seal::Direction::sender_to_receiver, hello_bytes, welcome_bytes)
      .seal(ping);
  wire::StripeHeader header;
  header.pixels = wire::kCellPixels;
  Bytes pixels(header.pixel_bytes());
  wire::PixelCipher::open(hello.protection, wire::PixelCipher::Use::encrypt, session)
      ->encrypt(header, pixels, pixels);
  auto stripe = encoded(header);
  stripe.insert(stripe.end(), pixels.begin(), pixels.end());

  testing::FlippingProxy::Recording recording;
  recording.from_receiver = welcome_bytes;
  for (const auto& message : {hello_bytes, encoded(wire::Proof{}), ping, stripe})
    recording.from_sender.insert(recording.from_sender.end(), message.begin(), message.end());
  const Overheard heard(recording);
  EXPECT_TRUE(heard.is_opened_by(session));
  EXPECT_FALSE(heard.is_opened_by({}));
}

}  // namespace
}  // namespace submix::link
