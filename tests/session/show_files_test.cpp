// SPDX-License-Identifier: GPL-3.0-or-later
// The core with a real disk: each request for a file is answered at once.
#include "common/base/files.hpp"
#include "common/show/parse.hpp"
#include "controller/session/file_note.hpp"
#include "controller/session/session_core.hpp"
#include "controller/session/show_storage.hpp"
#include "tests/model/readings.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace submix::session {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace sample = model::sample;

show::Show named(const std::string& name) {
  auto show = sample::show();
  show.name = name;
  return show;
}

class ShowFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    core_.handle(ConnectionUpdate{model::ConnectionState::connected, "nats"}, now_);
    core_.handle(ShowUpdate{{show::to_toml(named("evening")), "somebody"}, 1}, now_);
  }
  void handle(const Action& action) {
    core_.handle(action, now_);
    answer();
  }
  void answer() { answer(core_); }
  void answer(SessionCore& core) {
    for (auto& request : core.take_requests(now_)) {
      if (const auto* find = std::get_if<FindFileOfShow>(&request)) {
        core.handle(FileOfShowFound{find->show_name, find_noted_file(find->note)}, now_);
      } else if (const auto* read = std::get_if<ReadFile>(&request)) {
        core.handle(FileRead{read->path, read_text_file(read->path)}, now_);
      } else if (const auto* write = std::get_if<WriteFile>(&request)) {
        core.handle(FileWritten{*write, write_show(*write)}, now_);
      } else if (const auto* list = std::get_if<ListFolder>(&request)) {
        core.handle(FolderListed{list_folder(list->path)}, now_);
      }
    }
  }
  /// Another session, after this one has ended. The control plane has kept the show.
  [[nodiscard]] std::unique_ptr<SessionCore> next_session(const show::Show& show,
                                                          std::uint64_t revision) {
    answer();
    auto next = std::make_unique<SessionCore>(
        SessionSettings{.author = "test", .state_folder = folder_ / "state"});
    next->handle(ConnectionUpdate{model::ConnectionState::connected, "nats"}, now_);
    next->handle(ShowUpdate{{show::to_toml(show), "somebody"}, revision}, now_);
    answer(*next);
    return next;
  }
  void put(const std::string& name, const show::Show& show) {
    ASSERT_TRUE(write_file_atomically(folder_ / name, show::to_toml(show)));
  }
  [[nodiscard]] std::string path(const std::string& name) { return (folder_ / name).string(); }
  [[nodiscard]] std::string last_notice() {
    const auto events = core_.view(now_).events;
    return events.empty() ? "" : events.back().event.text;
  }
  [[nodiscard]] std::string show_name() { return core_.view(now_).show->name; }
  [[nodiscard]] model::ShowFileView file() { return core_.view(now_).file; }

  testing::TemporaryFolder folder_;
  LocalTime now_ = LocalTime(1h);
  SessionCore core_{{.author = "test", .state_folder = folder_ / "state"}};
};

TEST_F(ShowFilesTest, OpensOneAsAnEditThatCanBeUndone) {
  put("late.toml", named("late"));
  handle(OpenShow{path("late.toml")});
  EXPECT_EQ(show_name(), "late");
  EXPECT_EQ(file().path, path("late.toml"));
  EXPECT_FALSE(file().is_modified);
  handle(Undo{});
  EXPECT_EQ(show_name(), "evening");
  EXPECT_TRUE(file().path.empty())
      << "the former show does not stand in the file of the opened one";
  handle(Redo{});
  EXPECT_EQ(file().path, path("late.toml"));
}

TEST_F(ShowFilesTest, OfAShowThatComesBackAreItsOwnAgain) {
  handle(SaveShow{path("evening.toml")});
  handle(EditShow{model::AssignSubmix{"left", "rack2"}});
  put("late.toml", named("late"));
  handle(OpenShow{path("late.toml")});
  handle(Undo{});
  EXPECT_EQ(file().path, path("evening.toml"));
  EXPECT_TRUE(file().is_modified);
}

TEST_F(ShowFilesTest, AreNotThoseOfAShowThatSomebodyElseHasApplied) {
  handle(SaveShow{path("evening.toml")});
  core_.handle(ShowUpdate{{show::to_toml(named("theirs")), "somebody"}, 2}, now_);
  EXPECT_TRUE(file().path.empty());
  handle(SaveShow{});
  EXPECT_THAT(last_notice(), HasSubstr("no file yet"));
  EXPECT_THAT(read_text_file(folder_ / "evening.toml").value(), HasSubstr("evening"));
}

TEST_F(ShowFilesTest, AreNotThoseOfAShowThatComesAfterOneThatNobodyCanRead) {
  handle(SaveShow{path("evening.toml")});
  core_.handle(ShowUpdate{{"a show of the year 2030", "somebody"}, 2}, now_);
  core_.handle(ShowUpdate{{show::to_toml(named("theirs")), "somebody"}, 3}, now_);
  EXPECT_TRUE(file().path.empty());
}

TEST_F(ShowFilesTest, AreNotReplacedUnasked) {
  put("late.toml", named("late"));
  handle(SaveShow{path("late.toml")});
  EXPECT_THAT(last_notice(), HasSubstr("is there already"));
  EXPECT_THAT(read_text_file(folder_ / "late.toml").value(), HasSubstr("late"));
  handle(SaveShow{path("late.toml"), true});
  EXPECT_THAT(read_text_file(folder_ / "late.toml").value(), HasSubstr("evening"));
}

TEST_F(ShowFilesTest, AreSavedOneAfterTheOther) {
  handle(SaveShow{path("evening.toml")});
  core_.handle(EditShow{model::AssignSubmix{"left", "rack2"}}, now_);
  core_.handle(SaveShow{}, now_);
  core_.handle(EditShow{model::AssignSubmix{"left", ""}}, now_);
  core_.handle(SaveShow{}, now_);
  answer();
  EXPECT_TRUE(file().is_saving);
  answer();
  EXPECT_FALSE(file().is_modified);
  const auto saved = show::parse(read_text_file(folder_ / "evening.toml").value(), "evening");
  EXPECT_EQ(saved->find_submix("left")->node, "");
}

TEST_F(ShowFilesTest, ThatNobodyCanReadAreKeptBeforeAnotherShowTakesTheirPlace) {
  core_.handle(ShowUpdate{{"a show of the year 2030", "somebody"}, 2}, now_);
  put("late.toml", named("late"));
  handle(OpenShow{path("late.toml")});
  answer();
  const auto kept = list_folder((folder_ / "state/snapshots/unreadable").string());
  ASSERT_EQ(kept.entries.size(), 1U);
  EXPECT_EQ(read_text_file(folder_ / "state/snapshots/unreadable" / kept.entries[0].name).value(),
            "a show of the year 2030");
}

TEST_F(ShowFilesTest, ThatAreBrokenLeaveTheShowAsItIs) {
  ASSERT_TRUE(
      write_file_atomically(folder_ / "broken.toml", "name = \"x\"\n[[submix]]\nnode = 3\n"));
  handle(OpenShow{path("broken.toml")});
  EXPECT_EQ(show_name(), "evening");
  EXPECT_THAT(last_notice(), HasSubstr("broken.toml"));
  EXPECT_THAT(last_notice(), HasSubstr("node"));
  EXPECT_TRUE(file().path.empty());
}

// The note about a snapshot came after the refusal, and read like success.
TEST_F(ShowFilesTest, ThatAreRefusedAreSaidLastAndReplaceNothing) {
  std::vector<cluster::PluginSummary> plugins{{.id = "frei0r/glow"}};
  plugins[0].parameters = {{"Blur", "number", "", 0.0, 0.0, 1.0}};
  core_.handle(PluginsListed{"rack1", plugins}, now_);
  auto refused = named("late");
  refused.find_slot(sample::kGlow)->parameters["Blur"] = 7.0;
  refused.find_slot(sample::kGlow)->oscillators.clear();
  put("late.toml", refused);
  handle(OpenShow{path("late.toml")});
  answer();
  EXPECT_EQ(show_name(), "evening");
  EXPECT_THAT(last_notice(), HasSubstr("open late.toml: "));
  EXPECT_THAT(last_notice(), HasSubstr("Blur"));
  EXPECT_TRUE(list_folder((folder_ / "state/snapshots/evening").string()).entries.empty());
}

TEST_F(ShowFilesTest, ThatAreNotThereAreSaid) {
  handle(OpenShow{path("nowhere.toml")});
  EXPECT_EQ(show_name(), "evening");
  EXPECT_THAT(last_notice(), HasSubstr("nowhere.toml"));
}

TEST_F(ShowFilesTest, AreSavedWhereTheyWereOpened) {
  put("late.toml", named("late"));
  handle(OpenShow{path("late.toml")});
  handle(EditShow{model::AssignSubmix{"left", "rack2"}});
  EXPECT_TRUE(file().is_modified);
  handle(SaveShow{});
  EXPECT_FALSE(file().is_modified);
  const auto saved = show::parse(read_text_file(folder_ / "late.toml").value(), "late");
  ASSERT_TRUE(saved);
  EXPECT_EQ(saved->find_submix("left")->node, "rack2");
}

TEST_F(ShowFilesTest, AreNotSavedOverWhatSomebodyElseHasWrittenMeanwhile) {
  put("late.toml", named("late"));
  handle(OpenShow{path("late.toml")});
  put("late.toml", named("theirs"));
  handle(EditShow{model::AssignSubmix{"left", "rack2"}});
  handle(SaveShow{});
  EXPECT_THAT(last_notice(), HasSubstr("changed by somebody else"));
  EXPECT_TRUE(file().is_modified);
  EXPECT_THAT(read_text_file(folder_ / "late.toml").value(), HasSubstr("theirs"));
}

TEST_F(ShowFilesTest, ThatCannotBeWrittenAreSaid) {
  handle(SaveShow{path("no-such-folder/evening.toml")});
  EXPECT_THAT(last_notice(), ::testing::AllOf(HasSubstr("no-such-folder"),
                                              HasSubstr("save it into another folder")));
  EXPECT_TRUE(file().path.empty());
  EXPECT_FALSE(file().is_saving);
}

TEST_F(ShowFilesTest, ThatCannotBeAskedForAreAnEndOfSavingToo) {
  handle(SaveShow{.ticket = 7});
  EXPECT_EQ(file().ticket_ended, 7U);
  EXPECT_THAT(file().save_error, HasSubstr("no file yet"));
}

TEST_F(ShowFilesTest, AreAllWrittenThatWereWishedForWhileOneIsUnderWay) {
  for (const auto* name : {"a.toml", "b.toml", "c.toml"})
    core_.handle(SaveShow{path(name)}, now_);
  for (const auto* name : {"a.toml", "b.toml", "c.toml"}) {
    answer();
    EXPECT_EQ(show::parse(read_text_file(path(name)).value_or(""), name).value(), named("evening"))
        << name;
  }
  EXPECT_EQ(file().path, path("c.toml"));
  EXPECT_FALSE(file().is_saving);
}

TEST_F(ShowFilesTest, HaveEachTheShowThatWasThereWhenTheyWereWishedFor) {
  put("late.toml", named("late"));
  core_.handle(SaveShow{path("a.toml")}, now_);
  core_.handle(SaveShow{path("b.toml")}, now_);
  core_.handle(OpenShow{path("late.toml")}, now_);
  answer();
  answer();
  EXPECT_EQ(file().path, path("late.toml")) << "the show that is here now";
  EXPECT_EQ(show::parse(read_text_file(path("b.toml")).value_or(""), "b").value(),
            named("evening"));
}

TEST_F(ShowFilesTest, TellEachWhoWaitsItsOwnEnd) {
  core_.handle(SaveShow{path("evening.toml")}, now_);
  core_.handle(SaveShow{path("no-such-folder/a.toml"), false, 3}, now_);
  answer();
  EXPECT_EQ(file().ticket_ended, 0U) << "the end of another one";
  core_.handle(SaveShow{path("b.toml")}, now_);
  answer();
  EXPECT_EQ(file().ticket_ended, 3U);
  EXPECT_THAT(file().save_error, HasSubstr("no-such-folder"));
  answer();
  EXPECT_EQ(file().path, path("b.toml"));
  EXPECT_THAT(file().save_error, HasSubstr("no-such-folder")) << "nobody waits for the last one";
}

TEST_F(ShowFilesTest, ThatWaitForTheDiskAreGivenUpOnDemand) {
  core_.handle(SaveShow{path("a.toml")}, now_);
  core_.handle(SaveShow{path("b.toml"), false, 1}, now_);
  core_.handle(CancelSaves{}, now_);
  answer();
  answer();
  EXPECT_EQ(file().path, path("a.toml"));
  EXPECT_THAT(file().save_error, HasSubstr("given up"));
  EXPECT_FALSE(std::filesystem::exists(path("b.toml")));
}

TEST_F(ShowFilesTest, TellTheOneWhoWaitsForTheLastThatAllWereGivenUp) {
  core_.handle(SaveShow{path("a.toml")}, now_);
  core_.handle(SaveShow{path("b.toml"), false, 1}, now_);
  core_.handle(SaveShow{path("c.toml"), false, 2}, now_);
  core_.handle(CancelSaves{}, now_);
  EXPECT_EQ(file().ticket_ended, 2U);
  EXPECT_THAT(file().save_error, HasSubstr("c.toml"));
}

TEST_F(ShowFilesTest, OfAShowThatComesBackWhileItIsSavedAreKnownToIt) {
  handle(SaveShow{path("evening.toml")});
  handle(EditShow{model::AssignSubmix{"left", "rack2"}});
  core_.handle(SaveShow{}, now_);
  core_.handle(BeginShow{std::make_shared<const show::Show>(named("late"))}, now_);
  core_.handle(Undo{}, now_);
  answer();
  EXPECT_EQ(file().path, path("evening.toml"));
  EXPECT_FALSE(file().is_modified);
  handle(EditShow{model::AssignSubmix{"left", ""}});
  handle(SaveShow{});
  EXPECT_EQ(last_notice(), "written: " + path("evening.toml")) << "what it has was written here";
}

TEST_F(ShowFilesTest, OfAShowThatComesBackWhileItIsSavedForTheFirstTimeAreKnownToIt) {
  core_.handle(SaveShow{path("evening.toml")}, now_);
  core_.handle(BeginShow{std::make_shared<const show::Show>(named("late"))}, now_);
  core_.handle(Undo{}, now_);
  answer();
  EXPECT_EQ(file().path, path("evening.toml"));
}

TEST_F(ShowFilesTest, ThatAreBeingReadAreNotOpenedOnceThatIsGivenUp) {
  put("late.toml", named("late"));
  core_.handle(OpenShow{path("late.toml")}, now_);
  EXPECT_EQ(file().opening, path("late.toml"));
  core_.handle(CancelOpen{}, now_);
  answer();
  EXPECT_EQ(show_name(), "evening");
  EXPECT_TRUE(file().opening.empty());
}

TEST_F(ShowFilesTest, AreRefusedWithTheReasonWhenTooManyWait) {
  for (std::size_t i = 0; i <= kSavesMax; ++i)
    core_.handle(SaveShow{path(fmt::format("{}.toml", i)), false, i + 1}, now_);
  EXPECT_EQ(file().ticket_ended, kSavesMax + 1);
  EXPECT_THAT(file().save_error, HasSubstr("32 saves wait"));
}

TEST_F(ShowFilesTest, NeedANameTheFirstTime) {
  handle(SaveShow{});
  EXPECT_THAT(last_notice(), HasSubstr("no file yet"));
  handle(SaveShow{path("evening.toml")});
  EXPECT_EQ(file().path, path("evening.toml"));
}

TEST_F(ShowFilesTest, KeepASnapshotOfAShowThatGivesWay) {
  put("late.toml", named("late"));
  handle(OpenShow{path("late.toml")});
  answer();
  const auto kept = list_folder((folder_ / "state/snapshots/evening").string());
  ASSERT_EQ(kept.entries.size(), 1U);
  const auto text = read_text_file(folder_ / "state/snapshots/evening" / kept.entries[0].name);
  EXPECT_EQ(show::parse(text.value(), "snapshot").value(), named("evening"));
}

TEST_F(ShowFilesTest, KeepNoSnapshotTwiceAndNoMoreThanTheLast) {
  const auto folder = folder_ / "state/snapshots/evening";
  const auto keep = [&](const std::string& text) {
    ASSERT_TRUE(write_show(
        {.purpose = WriteFile::Purpose::snapshot, .path = folder.string(), .text = text}));
  };
  const auto kept = [&] { return list_folder(folder.string()).entries; };
  keep("one");
  keep("one");
  EXPECT_EQ(kept().size(), 1U);
  for (std::size_t i = 0; i < kSnapshotsMax; ++i)
    keep(std::to_string(i));
  EXPECT_EQ(kept().size(), kSnapshotsMax);
}

TEST_F(ShowFilesTest, KeepTheNewestSnapshotsAfterTheClockWasWrong) {
  const auto folder = folder_ / "state/snapshots/evening";
  std::filesystem::create_directories(folder);
  for (std::size_t i = 0; i < kSnapshotsMax; ++i)
    put(fmt::format("state/snapshots/evening/2040-01-01 00-00-00 ({}).toml", i), named("future"));
  for (const auto* text : {"one", "two", "three", "three"})
    ASSERT_TRUE(write_show(
        {.purpose = WriteFile::Purpose::snapshot, .path = folder.string(), .text = text}));
  std::set<std::string> texts;
  for (const auto& entry : list_folder(folder.string()).entries)
    texts.insert(read_text_file(folder / entry.name).value());
  EXPECT_THAT(texts, ::testing::IsSupersetOf({"one", "two", "three"}));
  EXPECT_EQ(list_folder(folder.string()).entries.size(), kSnapshotsMax);
}

TEST_F(ShowFilesTest, ThatCannotBeAutosavedAreSaidSoOnce) {
  ASSERT_TRUE(write_file_atomically(folder_ / "state", "in the way"));
  answer();
  EXPECT_THAT(last_notice(), HasSubstr("state"));
  const auto said = core_.view(now_).events.size();
  handle(EditShow{model::AssignSubmix{"left", "rack2"}});
  now_ += kAutosavePeriod;
  answer();
  EXPECT_EQ(core_.view(now_).events.size(), said);
}

TEST_F(ShowFilesTest, OfExportsDoNotReplaceOneThatIsThere) {
  const auto text = std::make_shared<const std::string>("ledger");
  ASSERT_TRUE(write_new_text({WriteText::Purpose::ledger, path("ledger.csv"), text}));
  const auto again = write_new_text({WriteText::Purpose::ledger, path("ledger.csv"), text});
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("is there already"));
}

TEST_F(ShowFilesTest, AreAutosavedOnceAWhileWhenSomethingHasChanged) {
  answer();
  const auto autosaved = folder_ / "state/autosave/evening.toml";
  const auto first = read_text_file(autosaved).value();
  handle(EditShow{model::AssignSubmix{"left", "rack2"}});
  EXPECT_EQ(read_text_file(autosaved).value(), first) << "not yet";
  now_ += kAutosavePeriod;
  answer();
  EXPECT_NE(read_text_file(autosaved).value(), first);
}

TEST(ShowFileName, AreDifferentForDifferentShows) {
  EXPECT_EQ(file_name_of("evening"), "evening");
  const std::vector<std::string> names{
      "a b", "a-b", "a/b", "a%20b", "", "%", std::string(100, ' '), std::string(99, ' ') + "."};
  std::set<std::string> files;
  for (const auto& name : names) {
    EXPECT_LE(file_name_of(name).size(), 200U);
    files.insert(file_name_of(name));
  }
  EXPECT_EQ(files.size(), names.size());
}

TEST_F(ShowFilesTest, KeepTheCommentsThatTheyBeginWith) {
  const std::string head = "# Sunday\n\n# Form: example.toml\n";
  ASSERT_TRUE(
      write_file_atomically(folder_ / "late.toml", head + "\n" + show::to_toml(named("late"))));
  handle(OpenShow{path("late.toml")});
  answer();
  for (const auto* node : {"rack2", ""}) {
    handle(EditShow{model::AssignSubmix{"left", node}});
    handle(SaveShow{});
    EXPECT_EQ(last_notice(), "written: " + path("late.toml"));
  }
  const auto text = read_text_file(path("late.toml")).value();
  EXPECT_TRUE(text.starts_with(head)) << text;
  EXPECT_EQ(show::parse(text, "late").value().find_submix("left")->node, "");
  EXPECT_FALSE(std::filesystem::exists(path("late.toml.bak")));
}

TEST_F(ShowFilesTest, WithCommentsInTheirMidstAreCopiedBeforeTheyAreOverwritten) {
  const auto commented = show::to_toml(named("late")) + "# the end\n";
  ASSERT_TRUE(write_file_atomically(folder_ / "late.toml", commented));
  handle(OpenShow{path("late.toml")});
  answer();
  handle(EditShow{model::AssignSubmix{"left", "rack2"}});
  handle(SaveShow{});
  EXPECT_THAT(last_notice(), HasSubstr("with its comments, is kept as " + path("late.toml.bak")));
  EXPECT_EQ(read_text_file(path("late.toml.bak")), commented);
  handle(EditShow{model::AssignSubmix{"left", ""}});
  handle(SaveShow{});
  EXPECT_EQ(last_notice(), "written: " + path("late.toml")) << "there are none any more";
}

TEST_F(ShowFilesTest, OfAFolderAreListedByName) {
  put("b.toml", named("b"));
  put("a.toml", named("a"));
  ASSERT_TRUE(write_file_atomically(folder_ / "picture.png", "x"));
  std::filesystem::create_directory(folder_ / "old");
  handle(ListFolder{folder_.path().string()});
  const auto folder = core_.view(now_).folder;
  ASSERT_NE(folder, nullptr);
  EXPECT_THAT(folder->entries,
              ElementsAre(model::FolderEntry{"old", true}, model::FolderEntry{"a.toml", false},
                          model::FolderEntry{"b.toml", false}));
}

TEST_F(ShowFilesTest, OfAFolderThatIsNotThereIsAnError) {
  handle(ListFolder{path("nowhere")});
  EXPECT_THAT(core_.view(now_).folder->error, HasSubstr("nowhere"));
}

TEST_F(ShowFilesTest, AreRememberedByTheNextSession) {
  handle(SaveShow{path("evening.toml")});
  auto edited = named("evening");
  edited.find_submix("left")->node = "rack2";
  const auto next = next_session(edited, 3);
  EXPECT_EQ(next->view(now_).file.path, path("evening.toml"));
  EXPECT_TRUE(next->view(now_).file.is_modified);
  next->handle(SaveShow{}, now_);
  answer(*next);
  EXPECT_THAT(read_text_file(path("evening.toml")).value_or(""), HasSubstr("rack2"));
}

TEST_F(ShowFilesTest, ThatAreGoneAreNotTakenByTheNextSession) {
  handle(SaveShow{path("evening.toml")});
  answer();
  std::filesystem::remove(path("evening.toml"));
  const auto next = next_session(named("evening"), 1);
  EXPECT_TRUE(next->view(now_).file.path.empty());
  const auto& events = next->view(now_).events;
  ASSERT_FALSE(events.empty());
  EXPECT_THAT(events.back().event.text, HasSubstr("is gone"));
}

TEST_F(ShowFilesTest, WithAnotherShowMeanwhileAreNotTakenByTheNextSession) {
  handle(SaveShow{path("evening.toml")});
  answer();
  put("evening.toml", named("late"));
  const auto next = next_session(named("evening"), 1);
  EXPECT_TRUE(next->view(now_).file.path.empty());
  next->handle(SaveShow{path("evening.toml")}, now_);
  answer(*next);
  EXPECT_THAT(read_text_file(path("evening.toml")).value_or(""), HasSubstr("late"));
}

TEST_F(ShowFilesTest, AreNotThoseOfAnotherShowOfTheSameNameInANewControlPlane) {
  handle(SaveShow{path("evening.toml")});
  auto other = named("evening");
  other.find_submix("left")->node = "rack2";
  EXPECT_TRUE(next_session(other, 1)->view(now_).file.path.empty());
}

TEST_F(ShowFilesTest, AreNotThoseOfANewShowOfTheSameName) {
  handle(SaveShow{path("evening.toml")});
  handle(BeginShow{std::make_shared<const show::Show>(named("evening"))});
  EXPECT_TRUE(next_session(named("evening"), 4)->view(now_).file.path.empty());
}

TEST(ReadOnlySession, ChangesNothingAndSaysSo) {
  const auto now = LocalTime(1h);
  SessionCore core({.author = "wall", .is_read_only = true});
  core.handle(ConnectionUpdate{model::ConnectionState::connected, "nats"}, now);
  core.handle(ShowUpdate{{show::to_toml(sample::show()), "somebody"}, 1}, now);
  for (const auto& action : {Action(EditShow{model::AssignSubmix{"left", "rack2"}}),
                             Action(SetPaused{true}), Action(OpenShow{"x.toml"})}) {
    core.handle(action, now);
    EXPECT_THAT(core.view(now).events.back().event.text, HasSubstr("read-only"));
  }
  for (const auto& request : core.take_requests(now)) {
    EXPECT_FALSE(std::holds_alternative<WriteShow>(request));
    EXPECT_FALSE(std::holds_alternative<WriteTransport>(request));
  }
  EXPECT_TRUE(core.view(now).is_read_only);
}

}  // namespace
}  // namespace submix::session
