// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/channel.hpp"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/stat.h>

#include <random>

namespace submix::host {
namespace {

const SetParameters kSample{{{"on", true},
                             {"level", 0.25},
                             {"file", std::string("a.xml")},
                             {"colour", std::vector<double>{0.1, 0.2, 0.3}},
                             {"", std::string()}}};

TEST(Channel, CarriesParametersOfEveryType) {
  const auto ends = make_channel().value();
  ASSERT_TRUE(send(ends.first.get(), kSample));
  const auto received = receive(ends.second.get()).value();
  EXPECT_EQ(std::get<SetParameters>(received.message).values, kSample.values);
  EXPECT_FALSE(received.descriptor);
}

TEST(Channel, CarriesAViewWithItsMemory) {
  const auto ends = make_channel().value();
  const MapView view{.view = 7,
                     .is_writable = true,
                     .offset_bytes = (std::uint64_t{3} << 32U) + 4096,
                     .margin_bytes = 8192};
  ASSERT_TRUE(send(ends.first.get(), view, ends.first.get()));
  const auto received = receive(ends.second.get()).value();
  const auto& same = std::get<MapView>(received.message);
  EXPECT_EQ(same.view, view.view);
  EXPECT_TRUE(same.is_writable);
  EXPECT_EQ(same.offset_bytes, view.offset_bytes);
  EXPECT_EQ(same.margin_bytes, view.margin_bytes);
  struct stat sent{};
  struct stat come{};
  ASSERT_EQ(::fstat(ends.first.get(), &sent), 0);
  ASSERT_EQ(::fstat(received.descriptor.get(), &come), 0);
  EXPECT_EQ(sent.st_ino, come.st_ino);
}

TEST(Channel, SaysThatTheOtherEndIsGone) {
  auto ends = make_channel().value();
  ends.second = Descriptor();
  EXPECT_FALSE(send(ends.first.get(), kSample));
  auto others = make_channel().value();
  others.first = Descriptor();
  EXPECT_FALSE(receive(others.second.get()));
}

TEST(Channel, NeverWaitsForAHostThatTakesNothing) {
  const auto ends = make_channel().value();
  int sent = 0;
  while (send(ends.first.get(), kSample))
    ++sent;  // ends: bounded by the socket's buffer
  EXPECT_GT(sent, 0);
}

TEST(Channel, RefusesParametersThatAreTooLong) {
  const auto ends = make_channel().value();
  const auto sent =
      send(ends.first.get(), SetParameters{{{"file", std::string(kMessageBytesMax, 'a')}}});
  ASSERT_FALSE(sent.has_value());
  EXPECT_NE(sent.error().message.find("are more than 131072"), std::string::npos);
}

TEST(Message, IsRefusedWhereItIsCutOff) {
  const auto bytes = encode(kSample);
  std::size_t whole = 0;
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    const auto message = decode(std::span(bytes).first(length));
    if (message && std::get<SetParameters>(*message).values == kSample.values) ++whole;
  }
  EXPECT_EQ(whole, 1U);
}

TEST(Message, OfGarbageIsRefusedOrHarmless) {
  const auto seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int turn = 0; turn < 10'000; ++turn) {
    auto bytes = encode(kSample);
    for (int i = 0; i < 4; ++i)
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    if (const auto message = decode(bytes)) {
      EXPECT_LE(message->index(), 1U);
    }
  }
}

}  // namespace
}  // namespace submix::host
