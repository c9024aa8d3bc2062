// SPDX-License-Identifier: GPL-3.0-or-later
// Anyone with a show's key may write a show: its file names lead into this node's two folders and
// nowhere else.
#include "common/base/files.hpp"
#include "common/media/png.hpp"
#include "node/io/clip/clip.hpp"
#include "node/io/clip/still.hpp"
#include "node/io/record/record.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <set>

namespace submix::io {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::size_t kEscapes = 500;

/// Everything below a folder: a file's bytes, a link's target.
std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    auto& text = found[entry.path().string()];
    if (entry.is_symlink()) {
      text = "-> " + fs::read_symlink(entry.path()).string();
    } else if (entry.is_regular_file()) {
      text = *read_text_file(entry.path());
    }
  }
  return found;
}

/// "outside/secret.png" is the attacker's aim. "inside" is the node's folder, for clips and
/// recordings alike.
class FileNames : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "inside/sub");
    fs::create_directories(folder_ / "outside/secret.png.parts");
    std::ofstream(folder_ / "outside/secret.png.parts/000000000000.mkv") << "precious";
    const media::Rgb24Image image{{64, 64},
                                  std::vector<std::uint8_t>(std::size_t{64} * 64 * 3, 200)};
    ASSERT_TRUE(media::write_png(outside() / "secret.png", image));
    fs::create_symlink("../outside/secret.png", inside() / "link.png");
    fs::create_symlink(outside() / "secret.png", inside() / "absolute.png");
    fs::create_directory_symlink("../outside", inside() / "door");
    fs::create_directory_symlink("/", inside() / "root");
    fs::create_directory_symlink("/proc/self/root", inside() / "magic");
  }

  [[nodiscard]] fs::path inside() const { return folder_ / "inside"; }
  [[nodiscard]] fs::path outside() const { return folder_ / "outside"; }
  [[nodiscard]] MediaFolders folders() const { return {inside(), inside()}; }

  /// Names that lead to the secret or look so; all different.
  [[nodiscard]] std::vector<std::string> escapes() const {
    const auto secret = (outside() / "secret.png").string();
    const std::vector<std::string> aims{"../outside/secret.png",
                                        secret,
                                        "/proc/self/root" + secret,
                                        "/proc/self/cwd/../../../../../../../.." + secret,
                                        "link.png",
                                        "absolute.png",
                                        "door/secret.png",
                                        "door/../outside/secret.png",
                                        "root" + secret,
                                        "magic" + secret,
                                        "sub/../../outside/secret.png",
                                        "none/../../outside/secret.png",
                                        "..//outside/./secret.png",
                                        "./../outside/secret.png",
                                        "/" + secret,
                                        inside().string() + "/../outside/secret.png"};
    const std::vector<std::string> before{"",        "./",          ".//",
                                          "sub/../", "./sub/.././", "file:",
                                          "file://", "concat:",     "subfile,,start,0,end,0,,:",
                                          "cache:",  "async:",      "pipe:",
                                          "data:",   "crypto:",     "tee:",
                                          "fd:"};
    const std::vector<std::string> after{
        "",   "/.",           "%00",     "?", "#", std::string(1, '\0'), std::string("\0.png", 5),
        "\n", "\xef\xbc\x8f", "\xc0\xae"};
    std::set<std::string> names;
    std::mt19937 random(7);
    const auto any_of = [&random](const auto& list) { return list[random() % list.size()]; };
    for (const auto& aim : aims)
      names.insert(aim);
    while (names.size() < kEscapes) {
      auto aim = any_of(aims);
      if (random() % 4 == 0)
        aim.replace(aim.find('/') == std::string::npos ? 0 : aim.find('/'), 1, "/./");
      names.insert(any_of(before) + aim + any_of(after));
    }
    return {names.begin(), names.end()};
  }

  testing::TemporaryFolder folder_;
  testing::PluginRig rig_;
};

TEST_F(FileNames, ReadNothingOutside) {
  for (const auto& name : escapes()) {
    EXPECT_FALSE(make_clip(rig_.setup(clip_description(), {{"file", name}}), folders())) << name;
    EXPECT_FALSE(make_still(rig_.setup(still_description(), {{"file", name}}), folders())) << name;
    EXPECT_FALSE(open_media(folders(), name)) << name << " as a stand-by picture";
    EXPECT_FALSE(state_of_media(folders(), name)) << name << " as a stand-by picture's state";
  }
}

TEST_F(FileNames, WriteAndRenameAndRemoveNothingOutside) {
  const auto before = contents(outside());
  for (const auto& name : escapes()) {
    for (const double keep_seconds : {0.0, 1.0}) {
      const auto made = make_record(
          rig_.setup(record_description(), {{"file", name}, {"keep_last_seconds", keep_seconds}}),
          folders());
      ASSERT_TRUE(made) << name << made.error().message;
      (void)rig_.run(**made, {rig_.blank().publish()}, 0);
    }
    ASSERT_EQ(contents(outside()), before) << name;
  }
  std::set<std::string> beside;
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    beside.insert(entry.path().filename().string());
  EXPECT_EQ(beside, (std::set<std::string>{"inside", "outside"}));
}

TEST_F(FileNames, SayWhereTheyLeadAndHowToAllowIt) {
  const auto still = make_still(rig_.setup(still_description(), {{"file", "link.png"}}), folders());
  ASSERT_FALSE(still);
  EXPECT_THAT(still.error().message, HasSubstr("inside/link.png: leads out of this node's folder"));
  EXPECT_THAT(still.error().message, HasSubstr("start the node with --any-file"));
  const auto record =
      make_record(rig_.setup(record_description(), {{"file", "../a.mkv"}}), folders());
  ASSERT_TRUE(record);
  EXPECT_THAT((*record)->trouble(),
              HasSubstr("a.mkv: cannot be written: it leads out of this node's folder"));
}

// A node started in a home folder uses this folder.
TEST_F(FileNames, OfHiddenFilesAreNotRecordedTo) {
  fs::create_directory(inside() / ".ssh");
  std::ofstream(inside() / ".ssh/authorized_keys") << "key";
  std::ofstream(inside() / ".bashrc") << "rc";
  for (const auto* name : {".bashrc", "./.bashrc", ".ssh/authorized_keys", "sub/../.ssh/new.mkv"}) {
    const auto made =
        make_record(rig_.setup(record_description(), {{"file", std::string(name)}}), folders());
    ASSERT_TRUE(made);
    EXPECT_THAT((*made)->trouble(), HasSubstr("a name that begins with a dot is hidden"));
  }
  EXPECT_EQ(*read_text_file(inside() / ".bashrc"), "rc");
  EXPECT_EQ(*read_text_file(inside() / ".ssh/authorized_keys"), "key");
}

TEST_F(FileNames, MayLeadAnywhereWhereTheNodeIsToldSo) {
  auto any = folders();
  any.allows_any_file = true;
  for (const auto& name : {std::string("../outside/secret.png"), std::string("link.png"),
                           (outside() / "secret.png").string()}) {
    const auto still = make_still(rig_.setup(still_description(), {{"file", name}}), any);
    EXPECT_TRUE(still) << still.error().message;
  }
  {
    const auto record =
        make_record(rig_.setup(record_description(), {{"file", "../outside/a.mkv"}}), any);
    ASSERT_TRUE(record);
    (void)rig_.run(**record, {rig_.blank().publish()}, 0);
  }
  EXPECT_TRUE(fs::exists(outside() / "a.mkv"));
}

TEST_F(FileNames, MayBeAbsoluteWithinTheFolderAndLinksWithinIt) {
  fs::copy(outside() / "secret.png", inside() / "sub/own.png");
  fs::create_symlink("sub/own.png", inside() / "own-link.png");
  for (const auto& name : {(inside() / "sub/own.png").string(), std::string("own-link.png"),
                           std::string("sub/../sub/own.png")}) {
    const auto still = make_still(rig_.setup(still_description(), {{"file", name}}), folders());
    EXPECT_TRUE(still) << still.error().message;
  }
}

// 747 KB of such a file took 1.6 GB.
TEST_F(FileNames, OfImagesThatAreTooLargeAreRefusedBeforeTheyAreDecoded) {
  auto bytes = *read_text_file(outside() / "secret.png");
  const auto header = bytes.find("IHDR") + 4;  // width and height follow, in network order
  bytes.replace(header, 8, std::string("\0\0\x40\0\0\0\x40\0", 8));  // 16384x16384
  ASSERT_TRUE(write_file_atomically(inside() / "large.png", bytes));
  for (const auto& made :
       {make_still(rig_.setup(still_description(), {{"file", "large.png"}}), folders()).has_value(),
        make_clip(rig_.setup(clip_description(), {{"file", "large.png"}}), folders()).has_value()})
    EXPECT_FALSE(made);
  const auto still =
      make_still(rig_.setup(still_description(), {{"file", "large.png"}}), folders());
  EXPECT_THAT(why(still),
              HasSubstr("pictures of more than 67 million pixels (8192x8192) are not decoded"));
}

/// Containers of other kinds, with the name of a known one.
class FileKinds : public FileNames,
                  public ::testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(FileKinds, ThatAreNoVideoAreRefused) {
  const auto [name, text] = GetParam();
  std::ofstream(inside() / name) << text;
  const auto still = make_still(rig_.setup(still_description(), {{"file", name}}), folders());
  ASSERT_FALSE(still);
  EXPECT_THAT(still.error().message, HasSubstr("FFmpeg"));
  EXPECT_FALSE(make_clip(rig_.setup(clip_description(), {{"file", name}}), folders()));
}

INSTANTIATE_TEST_SUITE_P(
    All, FileKinds,
    ::testing::Values(
        std::pair{"key.asc", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBF\n-----END-----\n"},
        std::pair{"key.nfo", "a secret text\r\n"},
        std::pair{"list.ffconcat", "ffconcat version 1.0\nfile '../outside/secret.png'\n"},
        std::pair{"list.m3u8",
                  "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n"},
        std::pair{"a.sdp",
                  "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 1 "
                  "RTP/AVP 96\n"},
        std::pair{"a.mpd",
                  "<?xml version=\"1.0\"?><MPD><BaseURL>file:///etc/passwd</BaseURL></MPD>"}),
    [](const auto& test) {
      std::string name(test.param.first);
      std::replace(name.begin(), name.end(), '.', '_');
      return name;
    });

}  // namespace
}  // namespace submix::io
