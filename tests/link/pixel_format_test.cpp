// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/link/stream_fixture.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace submix::link {
namespace {

using media::PixelFormat;

/// Formats of the sender's and of the receiver's frames.
using Formats = std::tuple<PixelFormat, PixelFormat>;

std::string name_of(const ::testing::TestParamInfo<Formats>& info) {
  const auto name = [](PixelFormat format) {
    return format == PixelFormat::rgba ? "Rgba" : "Rgb24";
  };
  return std::string("From") + name(std::get<0>(info.param)) + "To" + name(std::get<1>(info.param));
}

class StreamPixelFormat : public testing::StreamFixture,
                          public ::testing::WithParamInterface<Formats> {
 protected:
  static constexpr Size kOddSize{321,
                                 243};  // the last stripe ends within a cell, and at an odd byte

  StreamPixelFormat() {
    pool =
        media::FramePool(kOddSize, 2 * kCredits + 4, media::Backing::own, std::get<0>(GetParam()));
  }
};

TEST_P(StreamPixelFormat, ArrivesExactAlsoWhenLinksAreCut) {
  const auto receiver =
      mix->open_receiver({"main", kOddSize, kRate, kCredits, 2, std::get<1>(GetParam())});
  ASSERT_TRUE(receiver);
  const auto sender = open_sender(kOddSize);
  const auto producer = produce(sender, 0, 200);
  for (std::uint64_t index = 0; index < 200; ++index) {
    if (index == 60) cut("127.0.0.2");
    if (index == 130) cut("127.0.0.1");
    ASSERT_NO_FATAL_FAILURE(expect_frame(**receiver, index));
  }
}

TEST_P(StreamPixelFormat, ArrivesExactBySharedMemory) {
  const auto receiver =
      mix->open_receiver({"main", kOddSize, kRate, kCredits, 2, std::get<1>(GetParam())});
  ASSERT_TRUE(receiver);
  const auto sender = open_sender(kOddSize);
  sender->set_destination("mix", mix->endpoints(), mix->local_endpoint());
  ASSERT_TRUE(testing::eventually([&] {
    const auto links = sender->telemetry().links;
    return !links.empty() && links[0].local == "shared memory" &&
           links[0].state == telemetry::LinkState::open;
  }));
  const auto producer = produce(sender, 0, 100);
  for (std::uint64_t index = 0; index < 100; ++index) {
    const auto received = (*receiver)->receive_for(testing::kPatience, {});
    ASSERT_TRUE(received);
    ASSERT_EQ(received->format(), std::get<1>(GetParam()));
    ASSERT_TRUE(testing::has_pattern(*received, index)) << "frame " << index;
  }
}

TEST_P(StreamPixelFormat, SaysGoodbyeInTheMiddleOfAFrame) {
  const auto receiver =
      mix->open_receiver({"main", kOddSize, kRate, kCredits, 2, std::get<1>(GetParam())});
  ASSERT_TRUE(receiver);
  const auto take_all = [&] {
    while (const auto received = (*receiver)->try_receive())
      ASSERT_TRUE(testing::has_pattern(*received, received->stamp().index.value));
  };
  for (int life = 0; life < 20; ++life) {
    auto sender = open_sender(kOddSize);
    for (std::uint64_t index = 0; index < kCredits; ++index) {
      while (!sender->try_send(frame(index)))
        take_all();  // left-over frames of the former run have their credits
    }
    sender.reset();
    take_all();
  }
  EXPECT_FALSE(events.has("tag") || events.has("sequence") || events.has("envelope"))
      << events.all();
}

INSTANTIATE_TEST_SUITE_P(
    Formats, StreamPixelFormat,
    ::testing::Combine(::testing::Values(PixelFormat::rgba, PixelFormat::rgb24),
                       ::testing::Values(PixelFormat::rgba, PixelFormat::rgb24)),
    name_of);

}  // namespace
}  // namespace submix::link
