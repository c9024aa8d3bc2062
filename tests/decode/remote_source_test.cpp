// SPDX-License-Identifier: GPL-3.0-or-later
// Real decoders, each a process of its own.

#include "node/decode/remote_source.hpp"

#include "common/base/files.hpp"
#include "common/media/pixels.hpp"
#include "node/host/host_keeper.hpp"
#include "node/io/clip/clip.hpp"
#include "node/io/clip/media_picture.hpp"
#include "node/io/clip/still.hpp"
#include "tests/io/any_file.hpp"
#include "tests/io/numbered_clip.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/plugin_counter.hpp"
#include "tests/support/plugin_hosts.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace submix::decode {
namespace {

using namespace std::chrono_literals;

using ::testing::Contains;
using testing::counter;
using testing::eventually;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

std::vector<pid_t> decoders() {
  return testing::plugin_hosts_of_this().decoders;
}

class Decoders : public ::testing::Test {
 protected:
  Decoders() {
    testing::write_numbered_clip(folder_ / "a.mkv", {.codec = "png", .pictures = kPictures});
  }

  Result<std::unique_ptr<plugin::Plugin>> try_clip(show::Parameters parameters) {
    return io::make_clip(rig_.setup(io::clip_description(), std::move(parameters)),
                         {folder_.path(), {}}, opener_);
  }
  std::unique_ptr<plugin::Plugin> clip(show::Parameters parameters = {{"file", "a.mkv"}}) {
    auto made = try_clip(std::move(parameters));
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return made ? std::move(*made) : nullptr;
  }
  int number(plugin::Plugin& clip, std::uint64_t index) {
    return testing::shown_number(rig_.make(clip, index));
  }
  /// Ends the only decoder, as a fault in any of its threads does.
  static void crash_decoder() {
    const auto before = decoders();
    ASSERT_THAT(before, SizeIs(1));
    ::kill(before[0], SIGABRT);  // a sanitizer catches SIGSEGV
    ASSERT_TRUE(eventually([] { return decoders().empty(); }));
  }
  /// Ends the only decoder and asks for frame `index` until another one has painted it.
  void crash_at(plugin::Plugin& clip, std::uint64_t index) {
    ASSERT_NO_FATAL_FAILURE(crash_decoder());
    ASSERT_TRUE(eventually([&] { return number(clip, index) == static_cast<int>(index); }));
  }

  /// Shows frame `begin`, and 21 more while its decoder stands still. Returns the time of the last
  /// 20; the first one may be waited for.
  std::chrono::nanoseconds time_of_held_frames(plugin::Plugin& clip, std::uint64_t begin) {
    const auto last = static_cast<int>(begin % kPictures);
    EXPECT_TRUE(eventually([&] { return number(clip, begin) == last; }));
    const auto process = decoders().at(0);
    ::kill(process, SIGSTOP);
    EXPECT_EQ(number(clip, begin + 1), last) << "waited for once, then held";
    const auto begun = std::chrono::steady_clock::now();
    for (std::uint64_t i = 2; i < 22; ++i)
      EXPECT_EQ(number(clip, begin + i), last);
    const auto took = std::chrono::steady_clock::now() - begun;
    ::kill(process, SIGCONT);
    return took;
  }

  static constexpr int kPictures = 40;  // of the clip, which is played again and again
  testing::TemporaryFolder folder_;
  const std::unique_ptr<host::HostKeeper> keeper_ =
      host::HostKeeper::open(SUBMIX_PLUGIN_HOST).value();
  testing::PluginRig rig_{{128, 64}, {30, 1}, media::Backing::shared};
  const io::SourceOpener opener_ = open_in_decoders(*keeper_);
};

TEST_F(Decoders, PlayLoopAndJumpAsTheNodeItselfDoes) {
  const auto remote = clip();
  for (const std::uint64_t index : {0U, 1U, 2U, 39U, 40U, 79U, 80U, 5U, 6U, 30U, 7U})
    EXPECT_EQ(number(*remote, index), static_cast<int>(index % 40)) << index;
  EXPECT_EQ(counter(*remote, "held"), 0U);
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
}

TEST_F(Decoders, KeepTheLoopOfAPacedPatch) {
  rig_.is_paced = true;
  const auto remote = clip({{"file", "a.mkv"}, {"in", 1.0}, {"out", 1.2}});
  std::uint64_t index = 0;
  const auto late_in_a_round = [&] {
    const auto before = counter(*remote, "held");
    for (int i = 0; i < 6; ++i)
      (void)number(*remote, index++);
    return counter(*remote, "held") - before;
  };
  ASSERT_TRUE(eventually([&] { return late_in_a_round() == 0; }));
  int compared = 0;
  EXPECT_TRUE(eventually([&] {
    const auto held = counter(*remote, "held");
    const int expected = 30 + static_cast<int>(index % 6);
    const int shown = number(*remote, index++);
    if (counter(*remote, "held") > held) return false;  // a busy machine was late
    EXPECT_EQ(shown, expected);
    return ++compared == 18;
  }));
}

TEST_F(Decoders, HaveThePictureOfTheInPointWhenTheyAreReady) {
  rig_.is_paced = true;
  const auto remote = clip({{"file", "a.mkv"}, {"in", 1.0}, {"speed", 0.0}});
  EXPECT_TRUE(eventually([&] { return number(*remote, 0) >= 0; }));
  EXPECT_EQ(number(*remote, 1), 30);
}

TEST_F(Decoders, RepeatAPictureThatTwoFramesShow) {
  const auto remote = clip({{"file", "a.mkv"}, {"speed", 0.5}});
  for (const auto& [index, shown] : {std::pair(0, 0), {1, 0}, {2, 1}, {3, 1}, {3, 1}, {4, 2}})
    EXPECT_EQ(number(*remote, static_cast<std::uint64_t>(index)), shown) << index;
}

TEST_F(Decoders, AreConfinedAndBelongToOneFile) {
  const auto remote = clip();
  const auto process = decoders();
  ASSERT_THAT(process, SizeIs(1));
  const auto status = read_text_file("/proc/" + std::to_string(process[0]) + "/status").value();
  EXPECT_THAT(status, HasSubstr("NoNewPrivs:\t1"));
  EXPECT_THAT(status, HasSubstr("Seccomp:\t2"));
}

TEST_F(Decoders, PlayASeriesOfPicturesFromAFolder) {
  testing::write_numbered_clip(folder_ / "s_%03d.png", {.codec = "png", .pictures = 40});
  const auto remote = clip({{"file", "s_%03d.png"}, {"series_rate", 30.0}});
  for (const std::uint64_t index : {0U, 1U, 39U, 40U, 5U, 30U, 7U})
    EXPECT_EQ(number(*remote, index), static_cast<int>(index % 40)) << index;
  EXPECT_EQ(counter(*remote, "end_ms"), 1333U);
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
}

TEST_F(Decoders, TellOfAGapAndABrokenPictureInASeries) {
  testing::write_numbered_clip(folder_ / "s_%03d.png", {.codec = "png", .pictures = 12});
  std::filesystem::resize_file(folder_ / "s_003.png", 60);
  std::filesystem::remove(folder_ / "s_010.png");
  const auto remote = clip({{"file", "s_%03d.png"}, {"series_rate", 30.0}});
  for (const auto& [index, shown] : {std::pair(1, 1), {2, 1}, {3, 3}, {8, 8}, {9, 0}})
    EXPECT_EQ(number(*remote, static_cast<std::uint64_t>(index)), shown) << index;
  EXPECT_THAT(
      rig_.events.lines(),
      UnorderedElementsAre(HasSubstr("s_003.png cannot be read or decoded"),
                           HasSubstr("the pictures 1 to 9, since 10 is missing before 11")));
}

TEST_F(Decoders, RefuseASeriesWithoutPicturesAndNameIt) {
  const auto refused = try_clip({{"file", "s_%03d.png"}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("no numbered picture such as s_001.png in"));
}

TEST_F(Decoders, EndWithTheirSlot) {
  clip().reset();
  EXPECT_TRUE(eventually([] { return decoders().empty(); }));
}

TEST_F(Decoders, RefuseWhatIsNoVideoAndNameTheFile) {
  std::ofstream(folder_ / "größe.txt") << "a text";
  const auto refused = try_clip({{"file", "größe.txt"}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("größe.txt: FFmpeg cannot open it"));
}

TEST_F(Decoders, ThatCrashCostAHeldPictureAndGoOnWhereTheShowIs) {
  const auto remote = clip();
  EXPECT_EQ(number(*remote, 3), 3);
  crash_at(*remote, 9);
  EXPECT_GE(counter(*remote, "held"), 1U);
  EXPECT_EQ(remote->trouble(), "");
  EXPECT_THAT(rig_.events.lines(), Contains(HasSubstr("a.mkv: its decoder crashed (SIGABRT)")));
}

TEST_F(Decoders, ThatCrashThreeTimesLeaveTheLastPictureUntilTheyAreTriedAgain) {
  const auto remote = clip();
  EXPECT_EQ(number(*remote, 3), 3);
  crash_at(*remote, 4);
  crash_at(*remote, 5);
  ASSERT_NO_FATAL_FAILURE(crash_decoder());
  ASSERT_TRUE(eventually([&] {
    EXPECT_THAT(number(*remote, 6), ::testing::AnyOf(5, 6));
    return !remote->trouble().empty();
  }));
  EXPECT_THAT(remote->trouble(), HasSubstr("tries it again"));
  EXPECT_EQ(number(*remote, 7), number(*remote, 8)) << "held";
  remote->try_again();
  EXPECT_TRUE(eventually([&] { return number(*remote, 9) == 9; }));
  EXPECT_EQ(remote->trouble(), "");
}

TEST_F(Decoders, ThatStandStillHoldTheShowUpForAFramesTimeAndThenNoMore) {
  rig_.is_paced = true;
  const auto remote = clip();
  std::uint64_t index = 3;
  // 20 waits of a frame's time take longer than this in every round, a busy machine in some only.
  EXPECT_TRUE(eventually([&] {
    const auto took = time_of_held_frames(*remote, index);
    index += 22;
    return took < 600ms;
  })) << "one wait is all there is";
  EXPECT_TRUE(
      eventually([&] { return number(*remote, index) == static_cast<int>(index % kPictures); }));
  EXPECT_GE(counter(*remote, "held"), 21U);
}

TEST_F(Decoders, OpenAnotherFileWhileTheOneBeforePlaysOn) {
  testing::write_numbered_clip(folder_ / "b.mkv", {.codec = "png", .pictures = 7});
  const auto remote = clip();
  EXPECT_EQ(number(*remote, 8), 8);
  remote->set("file", std::string("b.mkv"));
  EXPECT_TRUE(eventually([&] {
    const auto shown = number(*remote, 9);
    EXPECT_THAT(shown, ::testing::AnyOf(9, 2));
    return shown == 2;
  }));
  EXPECT_EQ(counter(*remote, "held"), 0U);
  EXPECT_TRUE(eventually([] { return decoders().size() == 1; }));
}

TEST_F(Decoders, KeepTheFileBeforeWhereTheNextIsNone) {
  std::ofstream(folder_ / "text.mkv") << "a text";
  const auto remote = clip();
  EXPECT_EQ(number(*remote, 8), 8);
  remote->set("file", std::string("text.mkv"));
  EXPECT_TRUE(eventually([&] {
    EXPECT_EQ(number(*remote, 9), 9);
    return !rig_.events.lines().empty();
  }));
  EXPECT_THAT(rig_.events.lines(), Contains(HasSubstr("text.mkv: FFmpeg cannot open it")));
  EXPECT_THAT(rig_.events.lines(), Contains(HasSubstr("the clip before it plays on")));
}

TEST_F(Decoders, OfStillsEndOnceTheImageIsPainted) {
  testing::write_numbered_clip(folder_ / "still.png", {.codec = "png", .pictures = 1});
  const auto still = io::make_still(rig_.setup(io::still_description(), {{"file", "still.png"}}),
                                    {folder_.path(), {}}, opener_);
  ASSERT_TRUE(still) << still.error().message;
  EXPECT_EQ(number(**still, 0), 0);
  EXPECT_TRUE(eventually([] { return decoders().empty(); }));
  EXPECT_EQ(number(**still, 1), 0);
}

TEST_F(Decoders, LoadStandbyPicturesToo) {
  testing::write_numbered_clip(folder_ / "still.png", {.codec = "png", .pictures = 1});
  auto file = io::open_any_file(folder_ / "still.png");
  ASSERT_TRUE(file);
  const auto here = io::load_still(*std::move(file), {128, 64});
  const auto elsewhere =
      io::load_still(io::open_any_file(folder_ / "still.png").value(), {128, 64}, opener_);
  ASSERT_TRUE(here && elsewhere);
  EXPECT_EQ(*here, *elsewhere);
}

// Its decoder reads fonts, and follows no name of a file.
TEST_F(Decoders, DrawAnSvgAsTheNodeItselfDoes) {
  testing::write_numbered_clip(folder_ / "still.png", {.codec = "png", .pictures = 1});
  ASSERT_TRUE(write_file_atomically(
      folder_ / "a.svg",
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"32\">"
      "<text y=\"24\" font-size=\"24\" opacity=\"0.7\">Abc</text>"
      "<image href=\"" +
          (folder_ / "still.png").string() + "\" width=\"64\" height=\"32\"/></svg>"));
  const auto drawn = [&](const io::SourceOpener& opener) {
    return io::load_still(io::open_any_file(folder_ / "a.svg").value(), {128, 64}, opener);
  };
  const auto here = drawn({});
  const auto elsewhere = drawn(opener_);
  ASSERT_TRUE(here && elsewhere) << (elsewhere ? "" : elsewhere.error().message);
  EXPECT_EQ(*here, *elsewhere);
  const auto inked = std::ranges::count_if(*here, [](std::uint8_t part) { return part > 0; });
  EXPECT_GT(inked, 100) << "letters";
  EXPECT_LT(inked, 128 * 64) << "and no picture over them";
}

TEST_F(Decoders, RefuseABrokenSvgAndKeepTheImageBefore) {
  testing::write_numbered_clip(folder_ / "still.png", {.codec = "png", .pictures = 1});
  ASSERT_TRUE(write_file_atomically(folder_ / "cut.svg", "<svg><rect width="));
  const auto still = io::make_still(rig_.setup(io::still_description(), {{"file", "still.png"}}),
                                    {folder_.path(), {}}, opener_);
  ASSERT_TRUE(still) << still.error().message;
  EXPECT_EQ(number(**still, 0), 0);
  (*still)->set("file", std::string("cut.svg"));
  EXPECT_TRUE(eventually([&] {
    EXPECT_EQ(number(**still, 1), 0);
    return !rig_.events.lines().empty();
  }));
  EXPECT_THAT(rig_.events.lines(),
              Contains(HasSubstr("cut.svg: is no SVG that can be drawn: it is cut off")));
}

// Paints nothing for a show: any moment of a file, and what the file is.
TEST_F(Decoders, ShowAMomentOfAFileToSomebodyWhoChooses) {
  const auto look = [&](const std::string& file, double at) {
    return io::read_media_picture(*io::open_media({folder_.path(), {}}, file), {320, 160}, at,
                                  opener_);
  };
  const auto number_at = [&](double at) {
    const auto found = look("a.mkv", at);
    if (!found) return -2;
    std::vector<std::uint8_t> rgba(found->picture.size.pixels() * 4);
    media::unpack_rgb24(found->picture.pixels, rgba);
    return testing::shown_number(rgba, found->picture.size);
  };
  EXPECT_EQ(number_at(0), 0);
  EXPECT_THAT(number_at(0.5), ::testing::AnyOf(19, 20));
  EXPECT_EQ(number_at(1), 39);
  EXPECT_EQ(number_at(-3), 0);
  EXPECT_EQ(number_at(3), 39);

  const auto found = look("a.mkv", 0);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->own_size, (Size{128, 64}));
  EXPECT_NEAR(found->seconds, 40.0 / 30, 0.05);
  EXPECT_NEAR(found->rate, 30, 0.1);
  EXPECT_EQ(found->codec, "png");
  EXPECT_GT(found->decoding.count(), 0);
  EXPECT_LT(found->decoding, 1s) << "of one picture";
  ASSERT_TRUE(write_file_atomically(folder_ / "words.mp4", "no clip at all"));
  EXPECT_THAT(why(look("words.mp4", 0)), HasSubstr("words.mp4"));
  EXPECT_TRUE(eventually([] { return decoders().empty(); }));
}

}  // namespace
}  // namespace submix::decode
