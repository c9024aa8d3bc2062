// SPDX-License-Identifier: GPL-3.0-or-later
// The commands about media folders, with a real nats-server and a fake node.
#include "common/base/files.hpp"
#include "tests/cli/cluster_commands.hpp"
#include "tests/cli/fake_node.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <sstream>
#include <string>

namespace submix::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(CommandsTest, MediaListsWhatNodesHave) {
  EXPECT_THAT(run({"media", "list"}).err, HasSubstr("no node is here"));
  const FakeNode node(*bus_, "solo");
  const auto listed = run({"media", "list"});
  EXPECT_EQ(listed.status, kOk) << listed.err;
  EXPECT_THAT(listed.out, AllOf(HasSubstr("rain/drops.mp4"), HasSubstr("2.5"), HasSubstr("solo")));
  EXPECT_THAT(listed.out, HasSubstr("glow_%04d.png (200 pictures)"));
  EXPECT_THAT(run({"media", "list", "solo", "--json"}).out,
              AllOf(HasSubstr(R"({"bytes":40000,"name":"logo.png"})"),
                    HasSubstr(R"({"bytes":9000000,"name":"glow_%04d.png","pictures":200})")));
  const auto refused = run({"media", "list", "nobody"});
  EXPECT_NE(refused.status, kOk);
  EXPECT_THAT(refused.err, HasSubstr("node \"nobody\" does not answer"));
}

TEST_F(CommandsTest, MediaTellsDetailsAndNamesAFileThatCannotBeRead) {
  const FakeNode node(*bus_, "solo");
  const auto listed = run({"media", "list", "--details"});
  EXPECT_THAT(listed.out, HasSubstr("12.50   1280x720     25     2.4  h264"));
  EXPECT_NE(listed.status, kOk);
  EXPECT_THAT(listed.err, HasSubstr("/media/logo.png: has no video in it"));
  const auto json = run({"media", "list", "--details", "--json"}).out;
  EXPECT_THAT(json, AllOf(HasSubstr(R"("codec":"h264")"), HasSubstr(R"("seconds":12.5)"),
                          HasSubstr(R"("decoding_ms":2.4)"),
                          HasSubstr(R"("error":"node \"solo\": /media/logo.png)")));
}

TEST_F(CommandsTest, MediaTellsEachFileAsSoonAsItIsRead) {
  std::ostringstream out;
  std::ostringstream err;
  std::string printed_before_last;
  cluster::Cluster cluster(*bus_);
  const auto answer = [&](const cluster::Command& command) -> Result<cluster::Reply> {
    if (command.kind == cluster::CommandKind::media)
      return cluster::MediaList{{{"a.mp4", 2'500'000}, {"b.mp4", 2'500'000}}, false};
    if (command.file == "b.mp4") printed_before_last = out.str();
    return cluster::MediaPicture{"jpeg", {{1280, 720}, 12.5, 25, "h264"}};
  };
  const auto commands = cluster.serve_commands("solo", answer);
  ASSERT_TRUE(cluster.is_there("solo", std::chrono::seconds(5)));
  Context context{out, err};
  const std::string url = server_->url();
  const std::array<const char*, 7> words{"submix",    "media",  "list",     "solo",
                                         "--details", "--nats", url.c_str()};
  EXPECT_EQ(cli::run(static_cast<int>(words.size()), words.data(), context), kOk) << err.str();
  EXPECT_THAT(printed_before_last, HasSubstr("a.mp4"));
  EXPECT_THAT(out.str(), HasSubstr("b.mp4"));
}

std::string with(const std::string& file) {
  return fmt::format(
      "[show]\nname = \"x\"\nsize = [64, 32]\nrate = 30\n[[node]]\nname = \"solo\"\n"
      "[[submix]]\nname = \"one\"\nnode = \"solo\"\nslot = [\n"
      "{{ name = \"clip\", plugin = \"clip\", parameters = {{ file = \"{}\" }} }},\n"
      "{{ name = \"end\", plugin = \"null\" }} ]\n",
      file);
}

TEST_F(CommandsTest, AppliesAShowWithItsFilesRelinked) {
  const FakeNode node(*bus_, "solo", {}, 0,
                      {{"clip", "source", "plays", "", {{"file", "text", "", std::string()}}}});
  cluster::Cluster cluster(*bus_);
  testing::TemporaryFolder folder;
  const auto apply = [&](const std::string& file) {
    EXPECT_TRUE(write_file_atomically(folder / "x.toml", with(file)));
    return run({"apply", "--relink", "--no-wait", (folder / "x.toml").string()});
  };
  const auto done = apply("old/drops.mp4");
  EXPECT_EQ(done.status, kOk) << done.err;
  EXPECT_THAT(done.out, HasSubstr("rain/drops.mp4 is to play"));
  EXPECT_THAT(cluster.show()->value.toml, HasSubstr("rain/drops.mp4"));
  EXPECT_THAT(*read_text_file(folder / "x.toml"), HasSubstr("old/drops.mp4")) << "the file stays";

  const auto missing = apply("nowhere.mp4");
  EXPECT_NE(missing.status, kOk);
  EXPECT_THAT(missing.err, HasSubstr("nothing was changed"));
  EXPECT_THAT(cluster.show()->value.toml, HasSubstr("rain/drops.mp4"));
}

TEST_F(CommandsTest, MediaRelinksAFileThatLiesInAnotherFolder) {
  const FakeNode node(*bus_, "solo");
  cluster::Cluster cluster(*bus_);
  const auto toml = [&] { return cluster.show()->value.toml; };
  ASSERT_TRUE(cluster.put_show({with("old/drops.mp4"), "test"}, std::nullopt));
  const auto dry = run({"media", "relink", "--dry-run"});
  EXPECT_EQ(dry.status, kOk) << dry.err;
  EXPECT_EQ(dry.out, "one.clip: solo has no old/drops.mp4; rain/drops.mp4 is to play\n");
  EXPECT_THAT(toml(), HasSubstr("old/drops.mp4"));
  const auto done = run({"media", "relink"});
  EXPECT_THAT(toml(), HasSubstr("rain/drops.mp4")) << done.out << done.err;
  EXPECT_THAT(run({"undo"}).out, HasSubstr("Relink files"));

  ASSERT_TRUE(cluster.put_show({with("nowhere.mp4"), "test"}, std::nullopt));
  const auto missing = run({"media", "relink"});
  EXPECT_NE(missing.status, kOk);
  EXPECT_THAT(missing.out, HasSubstr("nor has any other node a file of this name"));
}

}  // namespace
}  // namespace submix::cli
