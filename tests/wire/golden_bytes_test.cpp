// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/wire/sample_messages.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace submix::wire {
namespace {

using sample::Bytes;

/// The bytes of PROTOCOL.md under "### <name>": two hexadecimal digits each, up to the closing
/// fence.
std::string worked_bytes(const std::string& name) {
  std::ifstream page(SUBMIX_PROTOCOL_PAGE);
  std::string line;
  while (std::getline(page, line) && line != "### " + name)
    continue;
  while (std::getline(page, line) && line != "```hex")
    continue;
  std::string bytes;
  while (std::getline(page, line) && line != "```")
    bytes += line.substr(0, line.find(" ;")) + " ";
  std::erase(bytes, ' ');
  return bytes;
}

std::string hexadecimal(const Bytes& bytes) {
  std::string text;
  for (const auto byte : bytes)
    text += fmt::format("{:02x}", byte);
  return text;
}

template <typename Message>
Bytes sealed(const Message& message, Seal::Direction direction) {
  const sample::Handshake handshake;
  Seal seal(sample::session(), direction, handshake.hello, handshake.welcome);
  auto bytes = sample::encoded(message);
  seal.seal(bytes);
  return bytes;
}

TEST(GoldenBytes, AreThoseOfTheProtocolPage) {
  constexpr auto kForward = Seal::Direction::sender_to_receiver;
  constexpr auto kBack = Seal::Direction::receiver_to_sender;
  const sample::Handshake handshake;
  EXPECT_EQ(hexadecimal(handshake.hello), worked_bytes("Hello"));
  EXPECT_EQ(hexadecimal(handshake.welcome), worked_bytes("Welcome"));
  EXPECT_EQ(hexadecimal(sample::encoded(sample::refusal())), worked_bytes("Refusal"));
  EXPECT_EQ(hexadecimal(handshake.proof), worked_bytes("Proof"));
  const sample::EncryptedStripe stripe(Protection::aes_256_gcm);
  EXPECT_EQ(hexadecimal(sealed(stripe.header, kForward)), worked_bytes("Stripe"));
  EXPECT_EQ(hexadecimal({stripe.pixels.begin(), stripe.pixels.begin() + 32}),
            worked_bytes("Encrypted pixels"));
  EXPECT_EQ(hexadecimal(sealed(sample::stripe(), kForward)),
            worked_bytes("Stripe with a checksum"));
  EXPECT_EQ(hexadecimal(sealed(sample::ack(), kBack)), worked_bytes("Ack"));
  EXPECT_EQ(hexadecimal(sealed(sample::ping(), kForward)), worked_bytes("Ping"));
  EXPECT_EQ(hexadecimal(sealed(sample::pong(), kBack)), worked_bytes("Pong"));
  EXPECT_EQ(hexadecimal(sealed(sample::goodbye(), kForward)), worked_bytes("Goodbye"));
  EXPECT_EQ(hexadecimal(sealed(sample::terms(), kForward)), worked_bytes("Terms"));
  EXPECT_EQ(hexadecimal(sealed(sample::memory(), kForward)), worked_bytes("Memory"));
  EXPECT_EQ(hexadecimal(sealed(sample::loan(), kForward)), worked_bytes("Loan"));
  EXPECT_EQ(hexadecimal(sealed(sample::forget(), kForward)), worked_bytes("Forget"));
}

}  // namespace
}  // namespace submix::wire
