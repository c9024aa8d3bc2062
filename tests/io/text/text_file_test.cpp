// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/text/text_file.hpp"

#include "common/base/files.hpp"
#include "node/io/text/text.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>

namespace submix::io {
namespace {

using std::chrono::steady_clock;
using testing::eventually;
using ::testing::HasSubstr;

class TextFileTest : public ::testing::Test {
 protected:
  void rewrite(const std::string& text) const {
    std::ofstream(folder_ / "score.txt", std::ios::binary) << text;
  }
  void replace(const std::string& text) const {
    ASSERT_TRUE(write_file_atomically(folder_ / "score.txt", text));
  }
  void follow() {
    file_.follow("score.txt");
    ASSERT_TRUE(file_.wait(steady_clock::now() + std::chrono::seconds(20), {}));
  }
  [[nodiscard]] std::string text() const {
    const auto found = file_.text();
    return found == nullptr ? "(none)" : *found;
  }
  [[nodiscard]] bool becomes(const std::string& expected) const {
    return eventually([&] { return text() == expected; });
  }
  void expect_trouble(const std::string& why) const {
    EXPECT_TRUE(eventually([&] { return file_.trouble().find(why) != std::string::npos; }))
        << file_.trouble();
    EXPECT_THAT(file_.trouble(), HasSubstr("the last good text stays"));
    EXPECT_EQ(text(), "1:0");
  }

  testing::TemporaryFolder folder_;
  TextFile file_{MediaFolders{folder_.path(), {}}};
};

TEST_F(TextFileTest, FollowsARewriteAndAnotherFileInItsPlace) {
  replace("1:0\n");
  follow();
  EXPECT_EQ(text(), "1:0");
  rewrite("2:0");
  EXPECT_TRUE(becomes("2:0"));
  replace("2:1\r\nsecond line\r\n");
  EXPECT_TRUE(becomes("2:1\nsecond line"));
  EXPECT_EQ(file_.trouble(), "");
}

TEST_F(TextFileTest, KeepsTheLastGoodTextWhateverTheFileBecomes) {
  replace("1:0");
  follow();
  replace("");
  expect_trouble("is empty");
  replace(std::string(TextFile::kBytesMax + 1, 'x'));
  expect_trouble("has more than 65536 bytes");
  replace(std::string("ab\0c", 4));
  expect_trouble("score.txt: is no text: byte 3 is no UTF-8; save it as UTF-8");
  replace("\xef\xbb\xbf\x61\xff");  // behind a mark of UTF-8
  expect_trouble("score.txt: is no text: byte 5 is no UTF-8");
  ASSERT_EQ(std::remove((folder_ / "score.txt").c_str()), 0);
  expect_trouble("there is no such file");
  replace("3:0");
  EXPECT_TRUE(becomes("3:0"));
  EXPECT_EQ(file_.trouble(), "");
}

TEST_F(TextFileTest, LeadsNowhereElseAndShowsTheParameterMeanwhile) {
  for (const auto& name : {std::string("../score.txt"), std::string("/etc/hostname")}) {
    file_.follow(name);
    EXPECT_TRUE(file_.wait(steady_clock::now() + std::chrono::seconds(20), {}));
    EXPECT_THAT(file_.trouble(), HasSubstr("leads out of this node's folder"));
    EXPECT_THAT(file_.trouble(), HasSubstr("the parameter text is shown"));
    EXPECT_EQ(text(), "(none)");
  }
  file_.follow("");
  EXPECT_EQ(file_.trouble(), "");
}

TEST_F(TextFileTest, IsReadAgainWhenItsNameComesBack) {
  replace("1:0");
  follow();
  file_.follow("");
  follow();
  EXPECT_EQ(text(), "1:0");
}

// A program that never stops writing.
TEST_F(TextFileTest, TakesAFileThatChangesAllTheTime) {
  replace("0");
  follow();
  int number = 0;
  EXPECT_TRUE(eventually([&] {
    replace(std::to_string(++number));
    return text() != "0";
  }));
}

// OSC sets no text whose description names a file.
TEST(TextParameters, LetOscSetTheText) {
  const auto text = title_description().parameters.at(0);
  ASSERT_EQ(text.name, "text");
  for (const auto* word : {"file", "folder", "path", "address"})
    EXPECT_THAT(text.explanation, ::testing::Not(HasSubstr(word)));
}

TEST_F(TextFileTest, IsPaintedInPlaceOfTheParameter) {
  const auto ink = [](const media::Frame& frame) {
    return std::ranges::count_if(frame.rgba(), [](auto part) { return part > 0; });
  };
  testing::PluginRig rig({320, 180});
  replace("WWWWWW");
  const auto title = make_text(rig.setup(title_description(), {{"text", std::string("I")},
                                                               {"file", std::string("score.txt")}}),
                               {folder_.path(), {}})
                         .value();
  const auto of_file = ink(rig.make(*title, 0));
  title->set("file", std::string());
  EXPECT_GT(of_file, 2 * ink(rig.make(*title, 1)));
  title->set("file", std::string("gone.txt"));
  EXPECT_GT(of_file, 2 * ink(rig.make(*title, 2)));
  EXPECT_THAT(title->trouble(), HasSubstr("gone.txt: there is no such file"));
}

}  // namespace
}  // namespace submix::io
