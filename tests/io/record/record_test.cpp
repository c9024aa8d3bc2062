// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/record/record.hpp"

#include "common/base/files.hpp"
#include "common/media/scaler.hpp"
#include "node/io/clip/video_reader.hpp"
#include "node/io/record/disk_room.hpp"
#include "node/io/record/recording.hpp"
#include "node/io/record/video_encoder.hpp"
#include "tests/io/any_file.hpp"
#include "tests/io/numbered_clip.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/plugin_counter.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <numeric>

namespace submix::io {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Size kSize{128, 64};

std::vector<int> numbers_from(int first, int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

/// The pictures of a file as RGBA.
std::vector<std::vector<std::uint8_t>> pictures_of(const std::filesystem::path& path) {
  std::vector<std::vector<std::uint8_t>> pictures;
  auto reader = VideoReader::open(open_any_file(path).value());
  EXPECT_TRUE(reader) << (reader ? "" : reader.error().message);
  media::Scaler scaler;
  while (reader) {
    const auto picture = reader->next();
    if (!picture) break;
    EXPECT_FALSE(picture->is_damaged);
    EXPECT_NEAR(picture->seconds, static_cast<double>(pictures.size()) / 30, 0.0011);
    pictures.emplace_back(kSize.pixels() * 4);
    EXPECT_TRUE(scaler.convert(media::source_picture(*picture->frame),
                               media::rgba_target(kSize, pictures.back())));
  }
  return pictures;
}

std::vector<int> numbers_in(const std::filesystem::path& path) {
  std::vector<int> numbers;
  for (const auto& picture : pictures_of(path))
    numbers.push_back(testing::shown_number(picture, kSize));
  return numbers;
}

/// Limits files that this process writes to `bytes`, as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

class RecordTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<plugin::Plugin>> try_make(show::Parameters parameters) {
    return make_record(rig_.setup(record_description(), std::move(parameters)),
                       {{}, folder_.path()});
  }
  std::unique_ptr<plugin::Plugin> make(show::Parameters parameters) {
    auto made = try_make(std::move(parameters));
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return made ? std::move(*made) : nullptr;
  }
  media::Frame numbered(int number) {
    auto writable = rig_.blank();
    testing::draw_number(writable.rgba(), kSize, number);
    return std::move(writable).publish();
  }
  /// Passes frames that show `first` and the next numbers through; each must come out again.
  void feed(plugin::Plugin& record, int first, int count) {
    for (int i = first; i < first + count; ++i) {
      const auto frame = numbered(i);
      const auto output = rig_.run(record, {frame}, static_cast<std::uint64_t>(i));
      ASSERT_TRUE(output);
      ASSERT_EQ(output.rgba().data(), frame.rgba().data());
    }
  }

  testing::TemporaryFolder folder_;
  testing::PluginRig rig_;
};

class RecordCodecs : public RecordTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(RecordCodecs, RecordsEveryFrameOnceInOrder) {
  {
    const auto record = make({{"file", "mix.mkv"}, {"codec", GetParam()}});
    feed(*record, 0, 70);
  }
  EXPECT_THAT(numbers_in(folder_ / "mix.mkv"), ElementsAreArray(numbers_from(0, 70)));
}

TEST_P(RecordCodecs, KeepsTheLastSeconds) {
  {
    const auto record =
        make({{"file", "mix.mkv"}, {"codec", GetParam()}, {"keep_last_seconds", 2.0}});
    feed(*record, 0, 200);
  }
  const auto numbers = numbers_in(folder_ / "mix.mkv");
  ASSERT_FALSE(numbers.empty());
  EXPECT_EQ(numbers.back(), 199);
  EXPECT_THAT(numbers, ElementsAreArray(numbers_from(numbers.front(), 200 - numbers.front())));
  // Exactly 60 pictures if each is a key picture; otherwise from the first key picture within the
  // two seconds.
  EXPECT_EQ(numbers.size(), GetParam() == "h264" ? 50U : 60U);
  EXPECT_FALSE(std::filesystem::exists(folder_ / parts_name("mix.mkv")));
}

INSTANTIATE_TEST_SUITE_P(All, RecordCodecs, ::testing::ValuesIn(record_codec_names()),
                         [](const auto& test) { return test.param; });

TEST_F(RecordTest, IsExactToTheBitWithItsLosslessCodecs) {
  for (const std::string codec : {"huffyuv", "ffv1"}) {
    std::vector<std::vector<std::uint8_t>> recorded;
    {
      const auto record = make({{"file", codec + ".mkv"}, {"codec", codec}});
      std::uint32_t state = 20;
      for (std::uint64_t i = 0; i < 5; ++i) {
        auto writable = rig_.blank();
        for (std::size_t at = 0; at < writable.rgba().size(); ++at) {
          state = state * 1664525U + 1013904223U;
          writable.rgba()[at] = at % 4 == 3 ? 255 : static_cast<std::uint8_t>(state >> 24);
        }
        recorded.emplace_back(writable.rgba().begin(), writable.rgba().end());
        (void)rig_.run(*record, {std::move(writable).publish()}, i);
      }
    }
    EXPECT_EQ(pictures_of(folder_ / (codec + ".mkv")), recorded) << codec;
  }
}

TEST_F(RecordTest, KeepsAllOfAShowShorterThanTheLastSeconds) {
  {
    const auto record = make({{"file", "mix.mkv"}, {"keep_last_seconds", 60.0}});
    feed(*record, 0, 45);
  }
  EXPECT_THAT(numbers_in(folder_ / "mix.mkv"), ElementsAreArray(numbers_from(0, 45)));
}

TEST_F(RecordTest, LeavesNothingOfAShowWithoutAFrame) {
  {
    const auto record = make({{"file", "mix.mkv"}, {"keep_last_seconds", 2.0}});
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
}

TEST_F(RecordTest, WritesAFileThatPlaysBeforeItIsFinished) {
  const auto record = make({{"file", "mix.mkv"}});
  feed(*record, 0, 60);
  // The file of a killed process.
  std::filesystem::copy_file(folder_ / "mix.mkv", folder_ / "killed.mkv");
  const auto numbers = numbers_in(folder_ / "killed.mkv");
  EXPECT_GE(numbers.size(), 44U);  // all but the last half second
  EXPECT_THAT(numbers, ElementsAreArray(numbers_from(0, static_cast<int>(numbers.size()))));
}

TEST_F(RecordTest, JoinsThePartsThatAKilledProcessLeft) {
  const auto parts = folder_ / parts_name("mix.mkv");
  {
    const auto record = make({{"file", "mix.mkv"}, {"keep_last_seconds", 2.0}});
    feed(*record, 0, 100);
    std::filesystem::copy(parts, folder_ / "kept");
  }
  std::filesystem::rename(folder_ / "kept", parts);
  (void)make({{"file", "mix.mkv"}, {"keep_last_seconds", 2.0}});
  const auto numbers = numbers_in(folder_ / "mix-1.mkv");
  ASSERT_FALSE(numbers.empty());
  EXPECT_THAT(numbers, ElementsAreArray(numbers_from(30, static_cast<int>(numbers.size()))));
  EXPECT_THAT(rig_.events.lines(),
              ::testing::Contains(HasSubstr("was not finished by the process before")));
}

TEST_F(RecordTest, SetsAnEarlierRecordingAside) {
  for (int run = 0; run < 3; ++run) {
    const auto record = make({{"file", "mix.mkv"}});
    feed(*record, run * 10, 3);
  }
  EXPECT_THAT(numbers_in(folder_ / "mix.mkv"), ElementsAre(20, 21, 22));
  EXPECT_THAT(numbers_in(folder_ / "mix-1.mkv"), ElementsAre(0, 1, 2));
  EXPECT_THAT(numbers_in(folder_ / "mix-2.mkv"), ElementsAre(10, 11, 12));
}

TEST_F(RecordTest, LeavesAFileToWhoRecordsToItUntilItsFirstFrame) {
  for (const double keep_seconds : {0.0, 5.0}) {
    const auto file = fmt::format("mix{}.mkv", keep_seconds);
    const show::Parameters parameters{{"file", file}, {"keep_last_seconds", keep_seconds}};
    auto former = make(parameters);
    feed(*former, 0, 2);
    const auto next = make(parameters);
    (void)make(parameters);  // another one that is never used
    feed(*former, 2, 2);
    former.reset();
    EXPECT_THAT(numbers_in(folder_ / file), ElementsAre(0, 1, 2, 3));
    feed(*next, 10, 2);
    next->set("recording", false);
  }
  EXPECT_THAT(numbers_in(folder_ / "mix0-1.mkv"), ElementsAre(0, 1, 2, 3));
}

TEST_F(RecordTest, BeginsANewFilmEachTimeThatItIsSwitchedOn) {
  const auto record = make({{"file", "mix.mkv"}});
  feed(*record, 0, 2);
  record->set("recording", false);
  EXPECT_THAT(numbers_in(folder_ / "mix.mkv"), ElementsAre(0, 1)) << "it is complete";
  feed(*record, 2, 5);
  record->set("recording", true);
  feed(*record, 7, 3);
  EXPECT_EQ(testing::counter(*record, "recorded"), 5U);
  EXPECT_EQ(testing::counter(*record, "film_frames"), 3U);
  record->set("recording", false);
  EXPECT_THAT(numbers_in(folder_ / "mix-1.mkv"), ElementsAre(0, 1));
  EXPECT_THAT(numbers_in(folder_ / "mix.mkv"), ElementsAre(7, 8, 9));
}

TEST_F(RecordTest, GoesOnInItsFilmWhileNothingIsSwitched) {
  const auto record = make({{"file", "mix.mkv"}});
  feed(*record, 0, 2);
  record->set("recording", true);
  feed(*record, 2, 2);
  record->set("recording", false);
  record->set("recording", false);
  EXPECT_THAT(numbers_in(folder_ / "mix.mkv"), ElementsAre(0, 1, 2, 3));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "mix-1.mkv"));
}

TEST_F(RecordTest, GoesOnInTheLastSecondsWhenItIsSwitchedOnAgain) {
  {
    const auto record = make({{"file", "mix.mkv"}, {"keep_last_seconds", 5.0}});
    feed(*record, 0, 2);
    record->set("recording", false);
    feed(*record, 2, 5);
    record->set("recording", true);
    feed(*record, 7, 2);
  }
  EXPECT_THAT(numbers_in(folder_ / "mix.mkv"), ElementsAre(0, 1, 7, 8));
}

// It took its own claim to the file for another slot's, and recorded nothing.
TEST_F(RecordTest, KeepsTheLastSecondsAlsoIfItIsSwitchedOnLater) {
  {
    const auto record =
        make({{"file", "mix.mkv"}, {"keep_last_seconds", 5.0}, {"recording", false}});
    feed(*record, 0, 2);
    record->set("recording", true);
    feed(*record, 2, 2);
    EXPECT_EQ(record->trouble(), "");
  }
  EXPECT_THAT(numbers_in(folder_ / "mix.mkv"), ElementsAre(2, 3));
}

TEST_F(RecordTest, NamesItsFilmAfterTheTimeAtWhichItBegins) {
  const auto record = make({{"file", "mix-{time}.mkv"}});
  feed(*record, 0, 2);
  record->set("recording", false);
  ASSERT_EQ(rig_.events.lines().size(), 1U);
  EXPECT_THAT(rig_.events.lines().front(),
              ::testing::ContainsRegex("recorded to .*/mix-2[0-9]+-[0-9]+-[0-9]+-[0-9]+\\.mkv"));
}

TEST(FilmName, HasTheTimeInAnOrderThatSorts) {
  std::tm time{};
  time.tm_year = 126;
  time.tm_mon = 10;
  time.tm_mday = 9;
  time.tm_hour = 20;
  time.tm_min = 5;
  EXPECT_EQ(film_name("mix-{time}.mkv", time), "mix-2026-11-09-200500.mkv");
  EXPECT_EQ(film_name("{other}.mkv", time), "{other}.mkv");
}

TEST_F(RecordTest, TellsWhereTheFileLiesWhenItIsSwitchedOff) {
  const auto record = make({{"file", "mix.mkv"}});
  feed(*record, 0, 2);
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
  record->set("recording", false);
  EXPECT_THAT(rig_.events.lines(),
              ElementsAre(HasSubstr("recorded to " + (folder_ / "mix.mkv").string())));
}

TEST_F(RecordTest, TellsWhereTheLastSecondsLieWhenItIsSwitchedOff) {
  const auto record = make({{"file", "mix.mkv"}, {"keep_last_seconds", 5.0}});
  feed(*record, 0, 2);
  record->set("recording", false);
  EXPECT_THAT(rig_.events.lines(), ElementsAre(HasSubstr("mix.mkv.parts")));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "mix.mkv.parts"));
}

TEST_F(RecordTest, ChangesItsFileWhileRunning) {
  {
    const auto record = make({{"file", "a.mkv"}});
    feed(*record, 0, 3);
    record->set("file", std::string("b.mkv"));
    feed(*record, 3, 2);
  }
  EXPECT_THAT(numbers_in(folder_ / "a.mkv"), ElementsAre(0, 1, 2));
  EXPECT_THAT(numbers_in(folder_ / "b.mkv"), ElementsAre(3, 4));
}

TEST_F(RecordTest, PassesFramesOnWhenItsFolderCannotBeWritten) {
  for (const double keep_seconds : {0.0, 5.0}) {
    const auto record = make({{"file", "missing/mix.mkv"}, {"keep_last_seconds", keep_seconds}});
    feed(*record, 0, 5);
  }
  EXPECT_THAT(
      rig_.events.lines(),
      ElementsAre(HasSubstr("missing/mix.mkv: cannot be written"),
                  HasSubstr("missing/mix.mkv: cannot be written: its folder: No such file")));
}

TEST_F(RecordTest, EndsOnAFullDiskAndPlaysUpToThere) {
  {
    const auto record = make({{"file", "mix.mkv"}});
    const FileSizeLimit limit(100'000);
    feed(*record, 0, 200);
  }
  const auto numbers = numbers_in(folder_ / "mix.mkv");
  EXPECT_GE(numbers.size(), 10U);
  EXPECT_THAT(numbers, ElementsAreArray(numbers_from(0, static_cast<int>(numbers.size()))));
  ASSERT_FALSE(rig_.events.lines().empty());
  EXPECT_THAT(rig_.events.lines().front(), HasSubstr("the recording ends here, the show goes on"));
  EXPECT_THAT(rig_.events.lines(),
              ::testing::Contains(HasSubstr("recorded to " + (folder_ / "mix.mkv").string())))
      << "windows list it";
}

TEST_F(RecordTest, SurvivesAFullDiskWhileKeepingTheLastSeconds) {
  {
    const auto record = make({{"file", "mix.mkv"}, {"keep_last_seconds", 5.0}});
    feed(*record, 0, 40);
    const FileSizeLimit limit(2'000);
    feed(*record, 40, 200);
  }
  EXPECT_THAT(rig_.events.lines(),
              ::testing::Contains(HasSubstr("the recording ends here, the show goes on")));
  EXPECT_THAT(rig_.events.lines(), ::testing::Contains(HasSubstr("mix.mkv.parts play")));
}

// Before, it waited forever, and its node too.
TEST_F(RecordTest, CompletesItsFileAfterTheStatedFrames) {
  const auto record = make({{"file", "mix.mkv"}, {"frames", 20.0}});
  feed(*record, 0, 19);
  EXPECT_EQ(testing::counter(*record, "completed"), 0U);
  feed(*record, 19, 11);
  EXPECT_EQ(testing::counter(*record, "completed"), 1U);
  EXPECT_EQ(record->trouble(), "");
  EXPECT_THAT(numbers_in(folder_ / "mix.mkv"), ElementsAreArray(numbers_from(0, 20)));
}

TEST_F(RecordTest, CountsARecordingThatBreaksOff) {
  const FileSizeLimit full(100'000);
  const auto record = make({{"file", "mix.mkv"}, {"frames", 1000.0}});
  feed(*record, 0, 200);
  EXPECT_EQ(testing::counter(*record, "completed"), 0U);
  EXPECT_EQ(testing::counter(*record, "broken_off"), 1U);
}

TEST_F(RecordTest, DoesNotWaitForAPipeWithoutAReader) {
  const auto pipe = folder_ / "pipe.mkv";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const double keep_seconds : {0.0, 5.0}) {
    const auto record = make({{"file", "pipe.mkv"}, {"keep_last_seconds", keep_seconds}});
    feed(*record, 0, 3);
    EXPECT_THAT(record->trouble(), HasSubstr("pipe.mkv: cannot be written: is not a plain file"));
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
    record->set("file", fmt::format("mix{}.mkv", keep_seconds));
    feed(*record, 3, 2);
    EXPECT_EQ(record->trouble(), "");
  }
  EXPECT_THAT(numbers_in(folder_ / "mix0.mkv"), ElementsAre(3, 4));
  EXPECT_THAT(numbers_in(folder_ / "mix5.mkv"), ElementsAre(3, 4));
}

TEST_F(RecordTest, WritesIntoNoFolderAndNoDevice) {
  std::filesystem::create_directory(folder_ / "folder.mkv");
  const auto record = make({{"file", "folder.mkv"}});
  EXPECT_THAT(record->trouble(), HasSubstr("is a folder"));
  EXPECT_TRUE(std::filesystem::is_directory(folder_ / "folder.mkv"));
}

// The target of the link is left alone.
TEST_F(RecordTest, ReplacesALinkOfItsName) {
  std::ofstream(folder_ / "precious.txt") << "precious";
  std::filesystem::create_symlink("precious.txt", folder_ / "mix.mkv");
  {
    const auto record = make({{"file", "mix.mkv"}});
    feed(*record, 0, 2);
  }
  EXPECT_THAT(numbers_in(folder_ / "mix.mkv"), ElementsAre(0, 1));
  EXPECT_EQ(*read_text_file(folder_ / "precious.txt"), "precious");
}

TEST_F(RecordTest, SaysWhyNothingIsRecordedUntilItIsNotWanted) {
  const auto record = make({{"file", "missing/mix.mkv"}});
  feed(*record, 0, 2);
  EXPECT_THAT(record->trouble(), ::testing::AllOf(HasSubstr("missing/mix.mkv: cannot be written"),
                                                  HasSubstr("switch \"recording\" off and on")));
  record->set("recording", false);
  EXPECT_EQ(record->trouble(), "");
  std::filesystem::create_directory(folder_ / "missing");
  record->set("recording", true);
  feed(*record, 5, 2);
  EXPECT_EQ(record->trouble(), "");
  record->set("recording", false);
  record->set("file", std::string("other.mkv"));
  EXPECT_THAT(numbers_in(folder_ / "missing/mix.mkv"), ElementsAre(5, 6));
}

/// A disk of a few megabytes, which only root can have.
class SmallDisk {
 public:
  explicit SmallDisk(std::filesystem::path at) : at_(std::move(at)) {
    std::filesystem::create_directory(at_);
    is_there_ = ::mount("none", at_.c_str(), "tmpfs", 0, "size=8m") == 0;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (is_there_) ::umount2(at_.c_str(), MNT_DETACH);
  }
  [[nodiscard]] bool is_there() const { return is_there_; }

 private:
  std::filesystem::path at_;
  bool is_there_ = false;
};

TEST_F(RecordTest, RecordsAgainOnceAFullDiskHasRoom) {
  const SmallDisk disk(folder_ / "disk");
  if (!disk.is_there()) GTEST_SKIP() << "only root may have a disk of its own";
  const auto record = make({{"file", "disk/mix.mkv"}});
  for (int i = 0; i < 5000 && record->trouble().find("nothing is recorded") == std::string::npos;
       i += 30)
    feed(*record, i, 30);
  EXPECT_THAT(record->trouble(),
              ::testing::AllOf(HasSubstr("disk/mix.mkv"), HasSubstr("No space left"),
                               HasSubstr("make room"), HasSubstr("off and on")));
  record->set("recording", false);
  record->set("recording", true);
  feed(*record, 0, 1);
  EXPECT_THAT(record->trouble(), HasSubstr("No space left")) << "there is no room yet";

  for (const auto* full : {"mix.mkv", "mix-1.mkv", "mix-2.mkv"})
    std::filesystem::remove(folder_ / "disk" / full);
  record->set("recording", false);
  record->set("recording", true);
  feed(*record, 0, 3);
  EXPECT_EQ(record->trouble(), "");
  record->set("file", std::string("other.mkv"));
  EXPECT_THAT(numbers_in(folder_ / "disk/mix.mkv"), ElementsAre(0, 1, 2));
}

TEST_F(RecordTest, LeavesNoFilmWithoutAPictureOnAFullDisk) {
  const SmallDisk disk(folder_ / "disk");
  if (!disk.is_there()) GTEST_SKIP() << "only root may have a disk of its own";
  const std::string block(4096, 'x');
  std::ofstream filling(folder_ / "disk/filling", std::ios::binary);
  while (filling.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
  }
  for (const auto* codec : {"huffyuv", "h264"}) {
    const auto record = make({{"file", "disk/mix.mkv"}, {"codec", codec}});
    for (int i = 0; i < 3; ++i) {
      feed(*record, 0, 60);
      EXPECT_THAT(record->trouble(), HasSubstr("No space left"));
      record->set("recording", false);
      record->set("recording", true);
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "disk"))
    EXPECT_EQ(entry.path().filename(), "filling");
}

TEST_F(RecordTest, RemovesAFilmWithoutAPictureAtItsEnd) {
  std::ofstream(folder_ / "mix.mkv") << "a former film";
  make({{"file", "mix.mkv"}}).reset();

  EXPECT_FALSE(std::filesystem::exists(folder_ / "mix.mkv"));
  EXPECT_EQ(read_text_file(folder_ / "mix-1.mkv").value(), "a former film");
}

TEST_F(RecordTest, KeepsAFilmThatHasTakenTheNameOfOneWithoutAPicture) {
  auto record = make({{"file", "mix.mkv"}});
  std::filesystem::rename(folder_ / "mix.mkv", folder_ / "mix-1.mkv");
  std::ofstream(folder_ / "mix.mkv") << "another film";

  record.reset();

  EXPECT_EQ(read_text_file(folder_ / "mix.mkv").value(), "another film");
}

TEST_F(RecordTest, SaysThatItsFileWasDeletedAndBeginsAnother) {
  const auto record = make({{"file", "mix.mkv"}});
  feed(*record, 0, 2);
  std::filesystem::remove(folder_ / "mix.mkv");
  feed(*record, 2, 2);
  EXPECT_THAT(record->trouble(), ::testing::AllOf(HasSubstr("mix.mkv"), HasSubstr("deleted"),
                                                  HasSubstr("off and on")));

  record->set("recording", false);
  record->set("recording", true);
  feed(*record, 5, 2);
  EXPECT_EQ(record->trouble(), "");
  record->set("file", std::string("other.mkv"));
  EXPECT_THAT(numbers_in(folder_ / "mix.mkv"), ElementsAre(5, 6));
}

TEST_F(RecordTest, WarnsBeforeTheDiskIsFull) {
  const SmallDisk disk(folder_ / "disk");
  if (!disk.is_there()) GTEST_SKIP() << "only root may have a disk of its own";
  const auto record = make({{"file", "disk/mix.mkv"}});
  feed(*record, 0, 60);
  EXPECT_THAT(record->trouble(), HasSubstr("disk/mix.mkv: the disk has room for"));
  EXPECT_THAT(rig_.events.lines(), ElementsAre(HasSubstr("then the recording ends; make room")));
  EXPECT_EQ(record->counters().front().second, 60U);
}

TEST(DiskRoom, IsShortBelowTheSecondsWantedAndEnoughAboveHalfAsManyMore) {
  DiskRoom room(60);
  room.look(10'000'000, 900'000'000, 1);
  EXPECT_FALSE(room.is_short());
  room.look(20'000'000, 590'000'000, 1);
  EXPECT_TRUE(room.is_short());
  EXPECT_EQ(room.text(), "room for 59 s more (590 MB at 10.0 MB/s)");
  room.look(30'000'000, 890'000'000, 1);
  EXPECT_TRUE(room.is_short());
  room.look(40'000'000, 910'000'000, 1);
  EXPECT_FALSE(room.is_short());
}

TEST(DiskRoom, SaysNothingWhereTheDiskDoesNot) {
  DiskRoom room(60);
  room.look(10'000'000, std::nullopt, 1);
  EXPECT_FALSE(room.is_short());
}

TEST_F(RecordTest, RefusesAnEmptyName) {
  const auto made = try_make({{"file", ""}});
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("left.record: no file is named"));
}

}  // namespace
}  // namespace submix::io
