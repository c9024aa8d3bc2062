// SPDX-License-Identifier: GPL-3.0-or-later
// The opening of a show whose files lie elsewhere.
#include "controller/session/show_opening.hpp"

#include "common/show/parse.hpp"
#include "controller/session/missing_media.hpp"
#include "controller/session/session_core.hpp"
#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::session {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
namespace sample = model::sample;

using sample::kClip;
const model::MissingFile kMissing{
    kClip, {"rack1", "old/rain.mp4", 0}, {{"rack1", "rain.mp4", 5}, {"rack2", "rain.mp4", 5}}};

show::Show with_clip() {
  auto show = sample::show();
  show.name = "late";
  show.find_slot(kClip)->parameters["file"] = std::string("old/rain.mp4");
  show.find_slot(kClip)->parameters["bank"] = std::string("old/sun.mp4");
  return show;
}

class ShowOpeningTest : public ::testing::Test {
 protected:
  void SetUp() override {
    core_.handle(ConnectionUpdate{model::ConnectionState::connected, "nats"}, now_);
    core_.handle(ShowUpdate{{show::to_toml(sample::show()), "somebody"}, 1}, now_);
    core_.handle(Update(sample::report("rack1")), now_);
    core_.handle(Update(sample::sender(1)), now_);
  }
  template <typename Kind>
  std::vector<Kind> take() {
    std::vector<Kind> found;
    for (auto& request : core_.take_requests(now_)) {
      if (auto* wanted = std::get_if<Kind>(&request)) found.push_back(std::move(*wanted));
    }
    return found;
  }
  /// Opens the show and finds `missing`.
  void open(std::vector<model::MissingFile> missing) {
    core_.handle(OpenShow{"late.toml"}, now_);
    core_.handle(FileRead{"late.toml", show::to_toml(with_clip())}, now_);
    const auto searches = take<FindMissingMedia>();
    ASSERT_EQ(searches.size(), 1U) << "rack1 is here and plays the file";
    EXPECT_THAT(searches[0].nodes, ElementsAre("rack1"));
    core_.handle(MissingMediaFound{searches[0].opening, std::move(missing)}, now_);
  }
  void answer(std::optional<MediaOrigin> origin) {
    core_.handle(OpenWithMedia{{{kClip, std::move(origin)}}}, now_);
  }
  [[nodiscard]] std::string show_name() { return core_.view(now_).show->name; }
  [[nodiscard]] show::Slot clip() { return *core_.view(now_).show->find_slot(kClip); }
  [[nodiscard]] auto question() { return core_.view(now_).open_question; }

  LocalTime now_ = LocalTime(1h);
  SessionCore core_{{.author = "test"}};
};

TEST_F(ShowOpeningTest, OpensAShowAtOnceIfNothingIsMissing) {
  open({});
  EXPECT_EQ(question(), nullptr);
  EXPECT_EQ(show_name(), "late");
}

TEST_F(ShowOpeningTest, AsksBeforeAnythingChanges) {
  open({kMissing});
  ASSERT_NE(question(), nullptr);
  EXPECT_EQ(question()->path, "late.toml");
  EXPECT_EQ(question()->missing[0].slot, kClip);
  EXPECT_EQ(show_name(), "duo");
  EXPECT_THAT(take<WriteShow>(), IsEmpty());
  EXPECT_EQ(core_.view(now_).file.opening, "") << "a person is awaited, not a disk";
}

TEST_F(ShowOpeningTest, RelinksAsOneStepAndKnowsThatItsFileSaysOtherwise) {
  open({kMissing});
  answer(MediaOrigin{"rack1", "rain.mp4"});
  EXPECT_EQ(question(), nullptr);
  EXPECT_EQ(show_name(), "late");
  EXPECT_EQ(clip().parameters.at("file"), show::ParameterValue("rain.mp4"));
  EXPECT_EQ(core_.view(now_).file.path, "late.toml");
  EXPECT_TRUE(core_.view(now_).file.is_modified);
  EXPECT_THAT(take<WriteShow>(), SizeIs(1));
  core_.handle(Undo{}, now_);
  EXPECT_EQ(show_name(), "duo");
}

TEST_F(ShowOpeningTest, TakesAnAnswerForEachClipOfABank) {
  auto second = kMissing;
  second.clip = 2;
  open({kMissing, second});
  const auto chosen = [](const char* file, std::size_t number) {
    return ChosenMedia{kClip, MediaOrigin{"rack1", file}, number};
  };
  core_.handle(OpenWithMedia{{chosen("rain.mp4", 1), chosen("sun.mp4", 2)}}, now_);
  EXPECT_EQ(clip().parameters.at("file"), show::ParameterValue("rain.mp4"));
  EXPECT_EQ(clip().parameters.at("bank"), show::ParameterValue("sun.mp4"));
}

TEST_F(ShowOpeningTest, BypassesASlotThatIsLeftOut) {
  open({kMissing});
  answer({});
  EXPECT_EQ(show_name(), "late");
  EXPECT_TRUE(clip().is_bypassed);
}

TEST_F(ShowOpeningTest, CopiesFirst) {
  open({kMissing});
  answer(MediaOrigin{"rack2", "rain.mp4"});
  EXPECT_TRUE(question()->is_copying);
  EXPECT_EQ(show_name(), "duo");
  const auto copies = take<CopyMediaFile>();
  ASSERT_THAT(copies, SizeIs(1));
  EXPECT_EQ(copies[0].node, "rack1");
  core_.handle(MediaCopied{"rack1", {}}, now_);
  EXPECT_EQ(question(), nullptr);
  EXPECT_EQ(clip().parameters.at("file"), show::ParameterValue("rain.mp4"));
}

TEST_F(ShowOpeningTest, AsksAgainIfACopyFailsOrIsStopped) {
  open({kMissing});
  answer(MediaOrigin{"rack2", "rain.mp4"});
  static_cast<void>(take<CopyMediaFile>());
  core_.handle(MediaCopied{"rack1", fail("rack1: its disk is full")}, now_);
  ASSERT_NE(question(), nullptr);
  EXPECT_FALSE(question()->is_copying);
  EXPECT_THAT(question()->error, HasSubstr("disk is full"));

  answer(MediaOrigin{"rack2", "rain.mp4"});
  core_.handle(StopCopies{}, now_);
  EXPECT_FALSE(question()->is_copying);
  EXPECT_EQ(show_name(), "duo");
}

TEST_F(ShowOpeningTest, LeavesEverythingAsItWasWhenItIsCancelled) {
  open({kMissing});
  core_.handle(CancelOpen{}, now_);
  EXPECT_EQ(question(), nullptr);
  answer(MediaOrigin{"rack1", "rain.mp4"});
  EXPECT_EQ(show_name(), "duo") << "a late answer is about nothing";

  open({kMissing});
  answer(MediaOrigin{"rack2", "rain.mp4"});
  const auto copies = take<CopyMediaFile>();
  core_.handle(CancelOpen{}, now_);
  EXPECT_TRUE(copies.at(0).progress->is_stopped);
  core_.handle(MediaCopied{"rack1", {}}, now_);
  EXPECT_EQ(show_name(), "duo") << "the copy has ended all the same";
}

TEST_F(ShowOpeningTest, DoesNotReplaceTheShowOfAPersonWhoPerformsMeanwhile) {
  open({kMissing});
  answer(MediaOrigin{"rack2", "rain.mp4"});
  static_cast<void>(take<CopyMediaFile>());
  core_.handle(KeepStructure{true}, now_);
  core_.handle(MediaCopied{"rack1", {}}, now_);
  EXPECT_EQ(show_name(), "duo");
  EXPECT_THAT(core_.view(now_).events.back().event.text, HasSubstr("not opened"));
}

TEST_F(ShowOpeningTest, ForgetsTheFileAfterWhichAnotherWasChosen) {
  core_.handle(OpenShow{"late.toml"}, now_);
  core_.handle(FileRead{"late.toml", show::to_toml(with_clip())}, now_);
  const auto searches = take<FindMissingMedia>();
  core_.handle(OpenShow{"other.toml"}, now_);
  core_.handle(MissingMediaFound{searches.at(0).opening, std::vector{kMissing}}, now_);
  EXPECT_EQ(question(), nullptr);
  EXPECT_EQ(core_.view(now_).file.opening, "other.toml");
}

TEST(ShowOpening, RefusesTwoFilesThatWouldGetOneName) {
  ShowOpening opening;
  auto show = with_clip();
  static_cast<void>(opening.begin("x.toml"));
  FileRead read{"x.toml", show::to_toml(show)};
  const auto search = opening.take(read, {"rack1"});
  auto second = kMissing;
  second.slot.slot = "other";
  MissingMediaFound found{(*search)->opening, std::vector{kMissing, second}};
  opening.take(found);
  const auto refused = opening.answer(
      {{kClip, MediaOrigin{"", "/a/rain.mp4"}}, {second.slot, MediaOrigin{"", "/b/rain.mp4"}}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(opening.question()->error, HasSubstr("two different files"));
  const auto same = opening.answer(
      {{kClip, MediaOrigin{"", "/a/rain.mp4"}}, {second.slot, MediaOrigin{"", "/a/rain.mp4"}}});
  ASSERT_TRUE(same);
  EXPECT_THAT(*same, SizeIs(1)) << "one copy serves both";
}

TEST(MissingMedia, AsksOtherNodesOnlyIfAFileIsMissing) {
  std::vector<std::string> asked;
  bool has_link = true;
  const MediaQuestions questions{[&](const std::string& node) -> Result<cluster::MediaList> {
                                   asked.push_back(node);
                                   if (node == "rack3") return fail("rack3 does not answer");
                                   cluster::MediaList list;
                                   if (node == "rack2") list.files = {{"rain.mp4", 5}};
                                   return list;
                                 },
                                 [&](const model::NodeFile&) { return has_link; }};
  const std::vector<std::string> nodes{"rack1", "rack2", "rack3"};
  EXPECT_THAT(find_missing_media(questions, with_clip(), nodes).files, IsEmpty())
      << "a link is in no list";
  EXPECT_THAT(asked, ElementsAre("rack1"));
  has_link = false;
  const auto missing = find_missing_media(questions, with_clip(), nodes);
  ASSERT_THAT(missing.files, SizeIs(2)) << "both clips of the bank";
  EXPECT_THAT(missing.files[0].found, ElementsAre(model::NodeFile{"rack2", "rain.mp4", 5}));
  EXPECT_THAT(missing.files[1].found, IsEmpty());
  EXPECT_THAT(missing.faults, ElementsAre("rack3 does not answer"));
}

}  // namespace
}  // namespace submix::session
