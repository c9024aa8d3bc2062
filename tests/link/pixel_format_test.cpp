// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/link/stream_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace submix::link {
namespace {

using media::PixelFormat;

/// Formats of the sender's frames, of the stream and of the receiver's frames.
using Formats = std::tuple<PixelFormat, PixelFormat, PixelFormat>;

std::string name_of(const ::testing::TestParamInfo<Formats>& info) {
  const auto name = [](PixelFormat format) {
    return format == PixelFormat::rgba ? "Rgba" : "Rgb24";
  };
  return std::string("From") + name(std::get<0>(info.param)) + "By" +
         name(std::get<1>(info.param)) + "To" + name(std::get<2>(info.param));
}

bool is_by_shared_memory(const StreamSender& sender) {
  const auto links = sender.telemetry().links;
  return !links.empty() && links[0].local == "shared memory" &&
         links[0].state == telemetry::LinkState::open;
}

class StreamPixelFormat : public testing::StreamFixture,
                          public ::testing::WithParamInterface<Formats> {
 protected:
  static constexpr Size kOddSize{321,
                                 243};  // the last stripe ends within a cell, and at an odd byte

  StreamPixelFormat() {
    pool = media::FramePool(kOddSize, 2 * kCredits + 4, media::Backing::own, sent());
  }
  [[nodiscard]] static PixelFormat sent() { return std::get<0>(GetParam()); }
  [[nodiscard]] static PixelFormat carried() { return std::get<1>(GetParam()); }
  [[nodiscard]] static PixelFormat received() { return std::get<2>(GetParam()); }

  std::shared_ptr<StreamSender> open_odd_sender() {
    return open_sender(kOddSize, Checksum::none, carried());
  }
};

TEST_P(StreamPixelFormat, ArrivesExactAlsoWhenLinksAreCut) {
  const auto receiver = mix->open_receiver({"main", kOddSize, kRate, kCredits, 2, received()});
  ASSERT_TRUE(receiver);
  const auto sender = open_odd_sender();
  const auto producer = produce(sender, 0, 200);
  for (std::uint64_t index = 0; index < 200; ++index) {
    if (index == 60) cut("127.0.0.2");
    if (index == 130) cut("127.0.0.1");
    ASSERT_NO_FATAL_FAILURE(expect_frame(**receiver, index));
  }
}

TEST_P(StreamPixelFormat, ArrivesExactBySharedMemory) {
  const auto receiver = mix->open_receiver({"main", kOddSize, kRate, kCredits, 2, received()});
  ASSERT_TRUE(receiver);
  const auto sender = open_odd_sender();
  sender->set_destination("mix", mix->endpoints(), mix->local_endpoint());
  ASSERT_TRUE(testing::eventually([&] { return is_by_shared_memory(*sender); }));
  const auto producer = produce(sender, 0, 100);
  for (std::uint64_t index = 0; index < 100; ++index) {
    const auto frame = (*receiver)->receive_for(testing::kPatience, {});
    ASSERT_TRUE(frame);
    ASSERT_EQ(frame->format(), received());
    ASSERT_TRUE(testing::has_pattern(*frame, index)) << "frame " << index;
  }
}

TEST_P(StreamPixelFormat, SaysGoodbyeInTheMiddleOfAFrame) {
  const auto receiver = mix->open_receiver({"main", kOddSize, kRate, kCredits, 2, received()});
  ASSERT_TRUE(receiver);
  const auto take_all = [&] {
    while (const auto frame = (*receiver)->try_receive())
      ASSERT_TRUE(testing::has_pattern(*frame, frame->stamp().index.value));
  };
  for (int life = 0; life < 20; ++life) {
    auto sender = open_odd_sender();
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
                       ::testing::Values(PixelFormat::rgba, PixelFormat::rgb24),
                       ::testing::Values(PixelFormat::rgba, PixelFormat::rgb24)),
    name_of);

/// A stream by TCP and one by shared memory.
class StreamAlpha : public testing::StreamFixture, public ::testing::WithParamInterface<bool> {
 protected:
  /// Alpha of the first and of the last pixel of a frame that had 7 and 255.
  [[nodiscard]] std::pair<int, int> alpha_by(PixelFormat format, Checksum checksum) {
    const bool is_local = GetParam();
    media::FramePool frames(kSize, 4, is_local ? media::Backing::shared : media::Backing::own);
    const auto receiver = open_receiver();
    const auto sender = open_sender(kSize, checksum, format);
    if (is_local) {
      sender->set_destination("mix", mix->endpoints(), mix->local_endpoint());
      EXPECT_TRUE(testing::eventually([&] { return is_by_shared_memory(*sender); }));
    }
    auto writable = frames.try_acquire();
    std::ranges::fill(writable->rgba(), 255);
    writable->rgba()[3] = 7;
    EXPECT_TRUE(sender->send_for(std::move(*writable).publish(), testing::kPatience, {}));
    const auto frame = receiver->receive_for(testing::kPatience, {});
    if (!frame) return {};
    return {frame->rgba()[3], frame->rgba().back()};
  }
};

TEST_P(StreamAlpha, IsKeptByRgbaAndDroppedByRgb24) {
  EXPECT_EQ(alpha_by(PixelFormat::rgba, Checksum::none), std::pair(7, 255));
  EXPECT_EQ(alpha_by(PixelFormat::rgb24, Checksum::none), std::pair(255, 255));
  EXPECT_EQ(alpha_by(PixelFormat::rgba, Checksum::xxh3), std::pair(7, 255));
}

INSTANTIATE_TEST_SUITE_P(Ways, StreamAlpha, ::testing::Bool(),
                         [](const auto& way) { return way.param ? "BySharedMemory" : "ByTcp"; });

}  // namespace
}  // namespace submix::link
