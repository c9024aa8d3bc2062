// SPDX-License-Identifier: GPL-3.0-or-later
// A node is asked whether a recording could begin each time that a person edits a show.

#include "common/base/files.hpp"
#include "node/io/io_plugins.hpp"
#include "node/io/record/record.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/small_disk.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>

namespace submix::io {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Everything below a folder: the time of the last change, and the content.
using Contents = std::map<fs::path, std::pair<fs::file_time_type, std::string>>;

Contents contents_of(const fs::path& folder) {
  Contents contents;
  contents.try_emplace(folder, fs::last_write_time(folder), "");
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const bool is_file = entry.is_regular_file() && !entry.is_symlink();
    contents.try_emplace(entry.path(), is_file ? entry.last_write_time() : fs::file_time_type(),
                         is_file ? read_text_file(entry.path()).value() : "");
  }
  return contents;
}

class RecordCheck : public ::testing::Test {
 protected:
  /// A slot's fault as a node checks it. The folder must be unchanged afterwards.
  std::string fault_of(show::Parameters parameters, const fs::path& recordings) {
    plugin::Catalog catalog(std::vector<fs::path>{});
    add_io_plugins(catalog, {{}, recordings});
    const auto before = contents_of(recordings);
    const auto checked =
        catalog.check("record", rig_.setup(record_description(), std::move(parameters)));
    EXPECT_EQ(contents_of(recordings), before);
    EXPECT_TRUE(rig_.events.lines().empty()) << rig_.events.lines().front();
    return checked ? "none" : checked.error().message;
  }
  std::string fault_of(show::Parameters parameters) {
    return fault_of(std::move(parameters), folder_.path());
  }
  void write(const std::string& name) const {
    std::ofstream(folder_ / name) << "what is in " << name;
  }

  testing::TemporaryFolder folder_;
  testing::PluginRig rig_;
};

TEST_F(RecordCheck, LeavesTheFilmThatIsThereAsItIs) {
  write("mix.mkv");
  write("mix-1.mkv");
  EXPECT_EQ(fault_of({{"file", "mix.mkv"}}), "none");
  EXPECT_EQ(fault_of({{"file", "mix.mkv"}, {"keep_last_seconds", 5.0}}), "none");
}

TEST_F(RecordCheck, MakesNoFile) {
  EXPECT_EQ(fault_of({{"file", "mix.mkv"}}), "none");
  EXPECT_EQ(fault_of({{"file", "mix.mkv"}, {"keep_last_seconds", 5.0}}), "none");
}

TEST_F(RecordCheck, JoinsNoPartsThatAKilledProcessLeft) {
  fs::create_directory(folder_ / "mix.mkv.parts");
  write("mix.mkv.parts/000000000000.mkv");
  EXPECT_EQ(fault_of({{"file", "mix.mkv"}, {"keep_last_seconds", 5.0}}), "none");
}

TEST_F(RecordCheck, LeavesALinkOfItsNameThatTheRecordingWouldReplace) {
  write("precious.txt");
  fs::create_symlink("precious.txt", folder_ / "mix.mkv");
  EXPECT_EQ(fault_of({{"file", "mix.mkv"}}), "none");
}

TEST_F(RecordCheck, RefusesWhatIsNoPlainFileAndDoesNotWaitForAPipe) {
  fs::create_directory(folder_ / "folder.mkv");
  ASSERT_EQ(::mkfifo((folder_ / "pipe.mkv").c_str(), 0600), 0);
  for (const double keep : {0.0, 5.0}) {
    EXPECT_THAT(fault_of({{"file", "folder.mkv"}, {"keep_last_seconds", keep}}),
                HasSubstr("is a folder"));
    EXPECT_THAT(fault_of({{"file", "pipe.mkv"}, {"keep_last_seconds", keep}}),
                HasSubstr("left.record: " + (folder_ / "pipe.mkv").string() +
                          ": cannot be written: is not a plain file but a pipe or a device; name "
                          "another file, or lead the pictures to a program by: submix pipe out"));
  }
}

TEST_F(RecordCheck, RefusesANameThatLeavesNoRoomForItsParts) {
  EXPECT_THAT(fault_of({{"file", std::string(296, 'n') + ".mkv"}}),
              HasSubstr("cannot be written: its name has 300 bytes, 240 are possible; shorten it"));
  EXPECT_EQ(fault_of({{"file", std::string(236, 'n') + ".mkv"}}), "none");
}

TEST_F(RecordCheck, RefusesWhatStandsWherePartsAreToBe) {
  write("mix.mkv.parts");
  EXPECT_EQ(fault_of({{"file", "mix.mkv"}}), "none");
  EXPECT_THAT(fault_of({{"file", "mix.mkv"}, {"keep_last_seconds", 5.0}}),
              HasSubstr("mix.mkv.parts: parts cannot be written there: is no folder"));
}

TEST_F(RecordCheck, RefusesAFolderThatIsNotThereAndANameThatIsNotAdmitted) {
  EXPECT_THAT(fault_of({{"file", "missing/mix.mkv"}}),
              HasSubstr("missing/mix.mkv: cannot be written: its folder: No such file"));
  EXPECT_THAT(fault_of({{"file", "../mix.mkv"}}), HasSubstr("leads out of this node's folder"));
  EXPECT_THAT(fault_of({{"file", ".hidden.mkv"}}), HasSubstr("is hidden"));
  EXPECT_THAT(fault_of({{"file", ""}}), HasSubstr("no file is named"));
}

TEST_F(RecordCheck, RefusesADiskThatIsReadOnly) {
  const testing::SmallDisk disk(folder_ / "disk");
  if (!disk.is_ready()) GTEST_SKIP() << testing::SmallDisk::kNeeds;
  ASSERT_EQ(::mount("tmpfs", disk.folder().c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=3m"), 0);
  EXPECT_THAT(
      fault_of({{"file", "mix.mkv"}}, disk.folder()),
      HasSubstr(": Read-only file system; let this user write there, or name another folder"));
}

TEST_F(RecordCheck, FindsNothingWrongWithAFileWhileNothingIsToBeRecorded) {
  EXPECT_EQ(fault_of({{"file", "missing/mix.mkv"}, {"recording", false}}), "none");
}

// A JPEG has 16 bits for its width.
TEST_F(RecordCheck, RefusesASizeThatTheEncoderDoesNotTake) {
  plugin::Catalog catalog(std::vector<fs::path>{});
  add_io_plugins(catalog, {{}, folder_.path()});
  auto setup = rig_.setup(record_description(), {{"codec", "mjpeg"}});
  setup.size = {70'000, 2};
  const auto checked = catalog.check("record", setup);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("left.record: encoder mjpeg refuses 70000x2"));
}

}  // namespace
}  // namespace submix::io
