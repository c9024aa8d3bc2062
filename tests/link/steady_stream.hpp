// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/pixels.hpp"
#include "tests/link/stream_fixture.hpp"
#include "tests/support/growth.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

namespace submix::testing {

/// How frames pass through a stream in its steady state.
struct SteadyKind {
  const char* name;
  media::PixelFormat sent = media::PixelFormat::rgba;
  PixelFormat carried = PixelFormat::rgb24;
  media::PixelFormat received = media::PixelFormat::rgba;
  Checksum checksum = Checksum::none;
  bool is_encrypted = false;
  std::uint64_t frames_in_flight = 1;  ///< 1: the next frame is sent when the last one has arrived
  bool is_by_shared_memory = false;
};

inline constexpr auto kRgba = media::PixelFormat::rgba;
inline constexpr auto kRgb24 = media::PixelFormat::rgb24;

inline constexpr std::array kSteadyKinds{
    SteadyKind{.name = "Rgba"},
    SteadyKind{.name = "RgbaInFlight", .frames_in_flight = 4},
    SteadyKind{.name = "RgbaWithChecksums", .checksum = Checksum::xxh3},
    SteadyKind{
        .name = "RgbaWithChecksumsInFlight", .checksum = Checksum::xxh3, .frames_in_flight = 4},
    SteadyKind{.name = "Rgb24", .sent = kRgb24, .received = kRgb24},
    SteadyKind{.name = "Rgb24InFlight", .sent = kRgb24, .received = kRgb24, .frames_in_flight = 4},
    SteadyKind{.name = "Rgb24WithChecksums",
               .sent = kRgb24,
               .received = kRgb24,
               .checksum = Checksum::xxh3},
    SteadyKind{.name = "Rgb24WithChecksumsInFlight",
               .sent = kRgb24,
               .received = kRgb24,
               .checksum = Checksum::xxh3,
               .frames_in_flight = 4},
    SteadyKind{.name = "RgbaEncryptedInFlight", .is_encrypted = true, .frames_in_flight = 4},
    SteadyKind{.name = "Rgb24EncryptedInFlight",
               .sent = kRgb24,
               .received = kRgb24,
               .is_encrypted = true,
               .frames_in_flight = 4},
    SteadyKind{.name = "Rgb24ToRgbaInFlight", .sent = kRgb24, .frames_in_flight = 4},
    SteadyKind{.name = "RgbaToRgb24InFlight", .received = kRgb24, .frames_in_flight = 4},
    SteadyKind{.name = "WithAlphaInFlight", .carried = kRgba, .frames_in_flight = 4},
    SteadyKind{
        .name = "OpaqueSharedMemoryInFlight", .frames_in_flight = 4, .is_by_shared_memory = true},
    SteadyKind{.name = "SharedMemory", .carried = kRgba, .is_by_shared_memory = true},
    SteadyKind{.name = "SharedMemoryInFlight",
               .carried = kRgba,
               .frames_in_flight = 4,
               .is_by_shared_memory = true},
};

inline void PrintTo(const SteadyKind& kind, std::ostream* out) {
  *out << kind.name;
}
inline std::string name_of(const ::testing::TestParamInfo<SteadyKind>& info) {
  return info.param.name;
}

/// A stream between two nodes of this process; every byte of its frames is written and read.
class SteadyStream : public StreamFixture, public ::testing::WithParamInterface<SteadyKind> {
 protected:
  /// The growth of `count()` while a thousand frames pass, after the stream has run for a while. It
  /// is the least of three stretches, because a change of this machine's cards may allocate at any
  /// time.
  template <typename Count>
  std::uint64_t growth(Count count);

 private:
  [[nodiscard]] static bool has_all_links(const link::StreamSender& sender);
  void send_next(link::StreamSender& sender, media::FramePool& frames);
  void receive_next(link::StreamReceiver& receiver);

  std::uint8_t next_value_ = 0;
  unsigned sum_ = 0;  // of all bytes received
};

/// False while a link is missing. A link that joined or left later would disturb the count.
inline bool SteadyStream::has_all_links(const link::StreamSender& sender) {
  const bool is_local = GetParam().is_by_shared_memory;
  const auto links = sender.telemetry().links;
  return links.size() == (is_local ? 1U : 2U) &&
         std::all_of(links.begin(), links.end(), [&](const telemetry::LinkReading& link) {
           return link.state == telemetry::LinkState::open &&
                  (link.local == "shared memory") == is_local;
         });
}

inline void SteadyStream::send_next(link::StreamSender& sender, media::FramePool& frames) {
  auto picture = frames.acquire_for(kPatience);
  ASSERT_TRUE(picture);
  ++next_value_;
  for (auto& value : picture->pixels())
    value = next_value_;
  const bool is_lent_opaque = GetParam().is_by_shared_memory && GetParam().carried == kRgb24;
  if (is_lent_opaque) media::make_opaque(picture->rgba());
  ASSERT_TRUE(sender.send(std::move(*picture).publish(), {}));
}

inline void SteadyStream::receive_next(link::StreamReceiver& receiver) {
  const auto received = receiver.receive_for(kPatience, {});
  ASSERT_TRUE(received);
  for (const auto value : received->pixels())
    sum_ += value;
}

template <typename Count>
std::uint64_t SteadyStream::growth(Count count) {
  constexpr int kStretches = 3;
  const auto& kind = GetParam();
  const auto receiver = open_receiver(kind.received);
  // This thread also receives. A window that narrowed below its frames in flight would end it.
  receiver->set_frames_least(kind.frames_in_flight);
  const auto sender = open_sender(kSize, kind.checksum, kind.carried, kind.is_encrypted);
  if (kind.is_by_shared_memory)
    sender->set_destination("mix", mix->endpoints(), mix->local_endpoint());
  const auto backing = kind.is_by_shared_memory ? media::Backing::shared : media::Backing::own;
  media::FramePool frames(kSize, 3 * kCredits, backing, kind.sent);
  EXPECT_TRUE(eventually([&] { return has_all_links(*sender); })) << events.all();
  for (std::uint64_t i = 1; i < kind.frames_in_flight; ++i)
    send_next(*sender, frames);
  const auto pass = [&](int frame_count) {
    for (int i = 0; i < frame_count && !HasFatalFailure(); ++i) {
      send_next(*sender, frames);
      receive_next(*receiver);
    }
  };
  pass(200);
  const auto least = least_growth(kStretches, count, [&] { pass(1000); });
  EXPECT_NE(sum_, 0U);
  EXPECT_TRUE(has_all_links(*sender));
  return least;
}

}  // namespace submix::testing
