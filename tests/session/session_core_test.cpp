// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/session_core.hpp"

#include "common/show/parse.hpp"
#include "controller/model/edit/outputs.hpp"
#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::session {
namespace {

using ::testing::HasSubstr;

using namespace std::chrono_literals;
namespace sample = model::sample;

class SessionCoreTest : public ::testing::Test {
 protected:
  void connect() {
    core_.handle(ConnectionUpdate{model::ConnectionState::connected, "nats"}, now_);
  }
  void show(const show::Show& show, std::uint64_t revision) {
    core_.handle(ShowUpdate{{show::to_toml(show), "somebody"}, revision}, now_);
  }
  void run_left() {
    auto report = sample::report("rack1");
    report.submixes = {{"left", cluster::SubmixState::running, ""}};
    core_.handle(report, now_);
    core_.handle(sample::sender(1), now_);
  }
  /// The due requests of one kind; others are forgotten.
  template <typename Kind>
  std::vector<Kind> take() {
    std::vector<Kind> kinds;
    for (auto& request : core_.take_requests(now_)) {
      if (auto* kind = std::get_if<Kind>(&request)) kinds.push_back(std::move(*kind));
    }
    return kinds;
  }
  [[nodiscard]] std::vector<std::string> notices() {
    std::vector<std::string> texts;
    for (const auto& event : core_.view(now_).events)
      texts.push_back(event.event.text);
    return texts;
  }

  LocalTime now_ = LocalTime(1h);
  SessionCore core_{{.author = "test"}};
};

TEST_F(SessionCoreTest, AsksNothingWhileThereIsNoConnection) {
  EXPECT_TRUE(core_.take_requests(now_).empty());
  EXPECT_EQ(core_.view(now_).connection, model::ConnectionState::connecting);
}

TEST_F(SessionCoreTest, SaysThatAnEditNeedsAConnection) {
  core_.handle(EditShow{model::AssignSubmix{"left", "rack2"}}, now_);
  ASSERT_EQ(notices().size(), 1U);
}

TEST_F(SessionCoreTest, WritesAnEditUnderTheFence) {
  connect();
  show(sample::show(), 5);
  core_.handle(EditShow{model::AssignSubmix{"left", "rack2"}}, now_);
  EXPECT_EQ(core_.view(now_).find_submix("left")->node, "rack2") << "seen at once";
  const auto writes = take<WriteShow>();
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_EQ(writes[0].expected_revision, 5U);
  EXPECT_EQ(writes[0].show.author, "test");
  const auto written = show::parse(writes[0].show.toml, "written");
  ASSERT_TRUE(written);
  EXPECT_EQ(written->find_submix("left")->node, "rack2");
  EXPECT_TRUE(take<WriteShow>().empty());
  core_.handle(ShowWritten{{WriteOutcome::Kind::accepted, 6, {}}}, now_);
  EXPECT_EQ(core_.view(now_).show_revision, 6U);
  EXPECT_FALSE(core_.view(now_).edit.is_writing);
}

TEST_F(SessionCoreTest, SaysWhenSomebodyElseWasFaster) {
  connect();
  show(sample::show(), 5);
  core_.handle(EditShow{model::AssignSubmix{"left", "rack2"}}, now_);
  ASSERT_EQ(take<WriteShow>().size(), 1U);
  core_.handle(ShowWritten{{WriteOutcome::Kind::refused, 0, {}}}, now_);
  auto theirs = sample::show();
  theirs.find_submix("left")->node = "";
  show(theirs, 6);
  EXPECT_TRUE(core_.view(now_).find_submix("left")->node.empty());
  ASSERT_EQ(notices().size(), 1U);
  EXPECT_NE(notices()[0].find("somebody else"), std::string::npos);
}

TEST_F(SessionCoreTest, TriesAFailedWriteAgainAfterAWhile) {
  connect();
  show(sample::show(), 5);
  core_.handle(EditShow{model::AssignSubmix{"left", "rack2"}}, now_);
  ASSERT_EQ(take<WriteShow>().size(), 1U);
  core_.handle(ShowWritten{{WriteOutcome::Kind::failed, 0, "no answer"}}, now_);
  EXPECT_TRUE(take<WriteShow>().empty());
  now_ += 2s;
  EXPECT_EQ(take<WriteShow>().size(), 1U);
}

TEST_F(SessionCoreTest, SaysWhatIsWrongWithADesiredShow) {
  connect();
  core_.handle(ShowUpdate{{"this is no show", "somebody"}, 1}, now_);
  const auto view = core_.view(now_);
  EXPECT_EQ(view.show, nullptr);
  EXPECT_FALSE(view.show_error.empty());
}

TEST_F(SessionCoreTest, SaysThatTheStoreIsSilentAndNotThatThereIsNoShow) {
  core_.handle(ConnectionUpdate{model::ConnectionState::connected, "nats", true}, now_);
  const auto view = core_.view(now_);
  EXPECT_TRUE(view.is_store_silent);
  EXPECT_FALSE(view.show_error.empty());
  connect();
  EXPECT_TRUE(core_.view(now_).show_error.empty());
}

TEST_F(SessionCoreTest, WritesAFadersEditButLeavesNothingToUndo) {
  connect();
  show(sample::show(), 5);
  core_.handle(EditShow{model::SetParameter{{"left", "glow"}, "Blur", 0.9}, 0, false}, now_);
  EXPECT_EQ(take<WriteShow>().size(), 1U);
  EXPECT_TRUE(core_.view(now_).edit.undo_title.empty());
}

TEST_F(SessionCoreTest, TakesBackOnlyTheStepThatIsMeant) {
  connect();
  show(sample::show(), 5);
  core_.handle(EditShow{model::AssignSubmix{"left", "rack2"}}, now_);
  const auto meant = core_.view(now_).edit.undo_step;
  core_.handle(EditShow{model::SetParameter{{"left", "glow"}, "Blur", 0.9}}, now_);
  core_.handle(Undo{meant}, now_);
  EXPECT_NE(core_.view(now_).edit.undo_step, meant) << "a newer one was taken back";
  core_.handle(Undo{core_.view(now_).edit.undo_step}, now_);
  EXPECT_EQ(core_.view(now_).edit.undo_step, meant);
}

TEST_F(SessionCoreTest, TellsWhatOthersWantToBeSaid) {
  core_.handle(Say{Severity::warning, "OSC", "unknown"}, now_);
  EXPECT_EQ(notices(), std::vector<std::string>{"unknown"});
}

TEST_F(SessionCoreTest, PausesAndSteps) {
  connect();
  core_.handle(Step{}, now_);
  EXPECT_TRUE(take<WriteTransport>().empty()) << "nothing to step while it runs";
  core_.handle(SetPaused{true}, now_);
  EXPECT_TRUE(core_.view(now_).transport.is_paused);
  auto writes = take<WriteTransport>();
  ASSERT_EQ(writes.size(), 1U);
  core_.handle(Step{}, now_);
  core_.handle(Step{}, now_);
  EXPECT_TRUE(take<WriteTransport>().empty()) << "one write at a time";
  core_.handle(TransportWritten{writes[0].transport, {}}, now_);
  writes = take<WriteTransport>();
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_EQ(writes[0].transport.steps, 2U);
  EXPECT_TRUE(writes[0].transport.is_paused);
}

TEST_F(SessionCoreTest, BlackOutFreezeAndPauseLeaveEachOtherAlone) {
  connect();
  core_.handle(SetBlack{true}, now_);
  EXPECT_TRUE(core_.view(now_).transport.is_black);
  auto writes = take<WriteTransport>();
  ASSERT_EQ(writes.size(), 1U);
  core_.handle(SetFrozen{true}, now_);
  core_.handle(SetPaused{true}, now_);
  core_.handle(SetBlack{false}, now_);
  core_.handle(TransportWritten{writes[0].transport, {}}, now_);
  writes = take<WriteTransport>();
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_FALSE(writes[0].transport.is_black);
  EXPECT_TRUE(writes[0].transport.is_frozen);
  EXPECT_TRUE(writes[0].transport.is_paused);
}

TEST_F(SessionCoreTest, TestCardsLeaveBlackOutAlone) {
  connect();
  core_.handle(SetBlack{true}, now_);
  core_.handle(SetTestCards{true}, now_);
  EXPECT_TRUE(core_.view(now_).transport.is_black);
  EXPECT_TRUE(core_.view(now_).transport.has_test_cards);
  core_.handle(SetTestCards{false}, now_);
  EXPECT_FALSE(core_.view(now_).transport.has_test_cards);
}

TEST_F(SessionCoreTest, ShowsThePauseThatHoldsWhenItsOwnWasNotWritten) {
  connect();
  core_.handle(SetPaused{true}, now_);
  const auto writes = take<WriteTransport>();
  ASSERT_EQ(writes.size(), 1U);
  core_.handle(TransportWritten{writes[0].transport, fail("no answer")}, now_);
  EXPECT_FALSE(core_.view(now_).transport.is_paused);
  EXPECT_EQ(notices().size(), 1U);
}

TEST_F(SessionCoreTest, KeepsOnlyWatchedPictures) {
  connect();
  show(sample::show(), 1);
  run_left();
  core_.handle(WatchPictures{{{"left", ""}}}, now_);
  const auto asked = take<TakePicture>();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].node, "rack1");
  core_.handle(PictureTaken{{"left", ""}, cluster::Snapshot{{1, 1}, 3, "rgb"}}, now_);
  EXPECT_EQ(core_.pictures().size(), 1U);
  core_.handle(WatchPictures{}, now_);
  EXPECT_TRUE(core_.pictures().empty());
}

TEST_F(SessionCoreTest, EditsTheShowOnceACopiedFileIsThere) {
  connect();
  show(sample::show(), 1);
  run_left();
  const show::Port clip{"left", "clip"};
  core_.handle(CopyMedia{{"", "/home/me/rain.mp4"}, "rack1", "rain.mp4", clip}, now_);
  core_.handle(CopyMedia{{"", "/home/me/snow.mp4"}, "rack1", "snow.mp4"}, now_);
  const auto copies = take<CopyMediaFile>();
  ASSERT_EQ(copies.size(), 1U) << "one after the other";
  EXPECT_EQ(copies[0].name, "rain.mp4");
  copies[0].progress->bytes = 5;
  copies[0].progress->bytes_all = 10;
  const auto under_way = core_.view(now_).media_copies;
  ASSERT_EQ(under_way.size(), 2U);
  EXPECT_EQ(under_way[0].bytes, 5U);
  EXPECT_EQ(core_.view(now_).edit.undo_title, "");

  const auto file = [&] { return core_.view(now_).show->find_slot(clip)->parameters.at("file"); };
  core_.handle(MediaCopied{"rack1", {}}, now_);
  EXPECT_NE(core_.view(now_).edit.undo_title, "");
  EXPECT_EQ(file(), show::ParameterValue(std::string("rain.mp4")));
  const auto next = take<CopyMediaFile>();
  ASSERT_EQ(next.size(), 1U);
  core_.handle(StopCopies{}, now_);
  EXPECT_TRUE(next[0].progress->is_stopped);
  core_.handle(MediaCopied{"rack1", fail("its disk is full")}, now_);
  const auto view = core_.view(now_);
  EXPECT_EQ(view.events.back().event.text, "its disk is full");
  EXPECT_TRUE(view.media_copies.empty());
}

TEST_F(SessionCoreTest, AddsNoLayerForACopyThatEndsWhileAPersonPerforms) {
  connect();
  show(sample::show(), 1);
  run_left();
  const model::NewLayer layer{.node = "rack1"};
  core_.handle(CopyMedia{{"", "/home/me/rain.mp4"}, "rack1", "rain.mp4", layer}, now_);
  core_.handle(KeepStructure{true}, now_);
  core_.handle(MediaCopied{"rack1", {}}, now_);
  const auto view = core_.view(now_);
  EXPECT_EQ(view.edit.undo_title, "");
  EXPECT_THAT(view.events.back().event.text, HasSubstr("no layer was added in the perform mode"));
}

TEST_F(SessionCoreTest, SaysWhatADroppedLutChangesAndHowToTakeItBack) {
  connect();
  show(sample::show(), 1);
  run_left();
  std::vector<cluster::PluginSummary> plugins{{.id = "colour", .kind = "filter"},
                                              {.id = "frei0r/glow", .kind = "filter"}};
  plugins[0].parameters = {{"lut", "text", "", std::string(), 0.0, 1.0}};
  core_.handle(PluginsListed{"rack1", plugins}, now_);
  core_.handle(CopyMedia{{"", "/home/me/warm.cube"}, "rack1", "warm.cube", LutOfSubmix{"left"}},
               now_);
  core_.handle(MediaCopied{"rack1", {}}, now_);

  EXPECT_EQ(core_.view(now_).events.back().event.text,
            "warm.cube changes the colours of all of left; Ctrl+Z takes it back");
  core_.handle(Undo{}, now_);
  EXPECT_EQ(*core_.view(now_).show, sample::show());
}

TEST_F(SessionCoreTest, AppliesACopiedLutButAddsNoEffectWhileAPersonPerforms) {
  connect();
  auto shown = sample::show();
  show(shown, 1);
  run_left();
  std::vector<cluster::PluginSummary> plugins{{.id = "colour", .kind = "filter"},
                                              {.id = "frei0r/glow", .kind = "filter"}};
  plugins[0].parameters = {{"lut", "text", "", std::string(), 0.0, 1.0}};
  core_.handle(PluginsListed{"rack1", plugins}, now_);
  core_.handle(KeepStructure{true}, now_);
  const auto copy_lut = [&] {
    core_.handle(CopyMedia{{"", "/home/me/warm.cube"}, "rack1", "warm.cube", LutOfSubmix{"left"}},
                 now_);
    core_.handle(MediaCopied{"rack1", {}}, now_);
  };
  copy_lut();
  EXPECT_THAT(core_.view(now_).events.back().event.text,
              HasSubstr("no effect Colour was added in the perform mode"));
  auto& slots = shown.find_submix("left")->slots;
  slots.insert(slots.begin() + 1, sample::slot("grade", "colour"));
  show(shown, 2);
  copy_lut();
  const auto view = core_.view(now_);
  const auto* grade = view.show->find_slot({"left", "grade"});
  ASSERT_TRUE(grade->parameters.contains("lut")) << view.events.back().event.text;
  EXPECT_EQ(grade->parameters.at("lut"), show::ParameterValue("warm.cube"));
}

TEST_F(SessionCoreTest, AsksAPresentNodeForItsMediaAndKeepsTheListWhenItFallsSilent) {
  connect();
  show(sample::show(), 1);
  run_left();
  core_.handle(AskMedia{"rack1"}, now_);
  core_.handle(AskMedia{"nobody"}, now_);
  const auto asked = take<ListMedia>();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].node, "rack1");
  EXPECT_TRUE(take<ListMedia>().empty()) << "once for each question";
  core_.handle(MediaListed{"rack1", cluster::MediaList{{{"a.mp4", 5}}, false}}, now_);
  core_.handle(MediaListed{"rack1", fail("no answer")}, now_);
  const auto view = core_.view(now_);
  ASSERT_NE(view.media, nullptr);
  EXPECT_EQ(view.media->at("rack1").list.files.at(0).name, "a.mp4");
  EXPECT_EQ(view.media->at("rack1").error, "no answer");
}

TEST_F(SessionCoreTest, AsksForPluginsOnceForEachNodeThatNeedsThem) {
  connect();
  show(sample::show(), 1);
  run_left();
  ASSERT_EQ(take<ListPlugins>().size(), 1U);
  EXPECT_TRUE(take<ListPlugins>().empty());
  std::vector<cluster::PluginSummary> plugins(3);
  plugins[0].id = "clip";
  plugins[1].id = "frei0r/glow";
  plugins[2].id = "stream-out";
  core_.handle(PluginsListed{"rack1", plugins}, now_);
  now_ += 1min;
  run_left();
  EXPECT_TRUE(take<ListPlugins>().empty());
  EXPECT_NE(core_.view(now_).find_plugin("clip"), nullptr);
}

TEST_F(SessionCoreTest, AsksAnotherNodeForPluginsWhileTheOneThatRunsThemIsAway) {
  connect();
  show(sample::show(), 1);
  core_.handle(sample::report("rack2"), now_);
  auto reading = sample::sender(1);
  reading.node = "rack2";
  core_.handle(reading, now_);
  const auto lists = take<ListPlugins>();
  ASSERT_EQ(lists.size(), 1U);
  EXPECT_EQ(lists[0].node, "rack2");
  core_.handle(PluginsListed{"rack2", std::vector<cluster::PluginSummary>{{.id = "window"},
                                                                          {.id = "stream-in"}}},
               now_);
  now_ += 1min;
  reading.sequence += 10;
  core_.handle(reading, now_);
  EXPECT_TRUE(take<ListPlugins>().empty()) << "it has told all that it has";
}

TEST_F(SessionCoreTest, SaysOnceThatNobodyCouldJudgeAValue) {
  connect();
  show(sample::show(), 1);
  for (int i = 0; i < 5; ++i)
    core_.handle(EditShow{model::SetParameter{{"left", "glow"}, "Blur", i / 10.0}, 0, false}, now_);
  ASSERT_EQ(notices().size(), 1U);
  EXPECT_EQ(notices()[0].substr(0, 28), "left.glow.Blur: not checked:");
}

TEST_F(SessionCoreTest, SaysOnceWhatAFaderCannotDo) {
  connect();
  auto playing = sample::show();
  playing.find_slot({"left", "clip"})->parameters = {{"in", 0.0}, {"out", 2.0}};
  show(playing, 1);
  std::vector<cluster::PluginSummary> plugins{{.id = "clip"}};
  plugins[0].parameters = {{"in", "number", "", 0.0, 0.0, 100.0},
                           {"out", "number", "", 0.0, 0.0, 100.0}};
  core_.handle(PluginsListed{"rack1", plugins}, now_);
  for (int i = 0; i < 5; ++i)
    core_.handle(EditShow{model::SetParameter{{"left", "clip"}, "in", 3.0 + i}, 0, false}, now_);
  ASSERT_EQ(notices().size(), 1U);
  EXPECT_NE(notices()[0].find("in point 3 s is not before the out point 2 s"), std::string::npos);
  EXPECT_EQ(*core_.view(now_).show, playing);
}

TEST_F(SessionCoreTest, GoesBackToTheLastGoodShowAndUndoesThat) {
  connect();
  auto good = sample::show();
  good.name = "good";
  core_.handle(GoodShowUpdate{{show::to_toml(good), "submix-node rack1"}}, now_);
  show(sample::show(), 3);
  ASSERT_NE(core_.view(now_).good_show, nullptr);
  EXPECT_EQ(*core_.view(now_).good_show, good);
  core_.handle(
      EditShow{model::ReplaceShow{core_.view(now_).good_show, "back to the last good show"}}, now_);
  EXPECT_EQ(core_.view(now_).show->name, "good");
  EXPECT_EQ(take<WriteShow>().size(), 1U);
  core_.handle(Undo{}, now_);
  EXPECT_EQ(core_.view(now_).show->name, "duo");
  core_.handle(GoodShowUpdate{{"of a newer version", "submix-node rack1"}}, now_);
  EXPECT_EQ(core_.view(now_).good_show, nullptr);
}

TEST_F(SessionCoreTest, SaysWhatOfAnOpenedFileWillBeLeftOutAlsoOnceANodeHasDescribedIt) {
  connect();
  show(sample::show(), 1);
  auto file = sample::show();
  file.find_slot({"left", "clip"})->parameters["file"] = std::string("a.mp4");
  file.knobs = {{"file", 0, {{{"left", "clip"}, "file", 0, 1}}},
                {"blur", 0, {{{"left", "glow"}, "Blur", 0, 5}}}};
  core_.handle(OpenShow{"new.toml"}, now_);
  core_.handle(FileRead{"new.toml", show::to_toml(file)}, now_);
  const auto count = [&](std::string_view text) {
    return std::ranges::count_if(
        notices(), [&](const auto& notice) { return notice.find(text) != std::string::npos; });
  };
  EXPECT_EQ(count("knob \"file\", left.clip.file: a knob gives a number"), 1)
      << "a text is in the file";
  EXPECT_EQ(count("knob \"blur\""), 0) << "nobody knows yet";
  std::vector<cluster::PluginSummary> plugins{{.id = "frei0r/glow"}};
  plugins[0].parameters = {{"Blur", "number", "", 0.0, 0.0, 1.0}};
  for (int i = 0; i < 2; ++i)
    core_.handle(PluginsListed{"rack1", plugins}, now_);
  EXPECT_EQ(count("knob \"blur\", left.glow.Blur: 5 is not within 0 to 1"), 1);
  EXPECT_EQ(count("it will be left out"), 2);
}

TEST_F(SessionCoreTest, OpensAShowThatWasSavedWhileItRecordedWithItsRecorderOff) {
  connect();
  show(sample::show(), 1);
  auto file = sample::show();
  file.name = "evening";
  file.submixes.back().slots.push_back(
      {.name = "film", .plugin = "record", .parameters = {}, .inputs = {}});
  const auto open = [&] {
    core_.handle(OpenShow{"evening.toml"}, now_);
    core_.handle(FileRead{"evening.toml", show::to_toml(file)}, now_);
  };
  open();
  const auto view = core_.view(now_);
  EXPECT_EQ(view.show->name, "evening");
  EXPECT_FALSE(model::is_recording(*view.show));
  EXPECT_FALSE(view.file.is_modified);
  EXPECT_THAT(notices(), ::testing::Contains(::testing::HasSubstr("its recorder is off")));
  core_.handle(EditShow{*model::set_recording(*view.show, {}, "mix", true)}, now_);
  ASSERT_TRUE(model::is_recording(*core_.view(now_).show));
  open();
  EXPECT_TRUE(model::is_recording(*core_.view(now_).show)) << "a film that grows goes on";
}

TEST_F(SessionCoreTest, KeepsWhoHeldTheShowBack) {
  connect();
  static_cast<void>(take<WriteShow>());
  ASSERT_EQ(core_.view(now_).verdicts->size(), 1U);
  EXPECT_EQ(core_.view(now_).verdicts->back().kind, model::Bottleneck::Kind::unknown);
  show(sample::show(), 5);
  core_.handle(TransportUpdate{{true, 0, "eva"}}, now_);
  for (int i = 0; i < 10; ++i, now_ += 100ms)
    static_cast<void>(take<WriteShow>());
  ASSERT_EQ(core_.view(now_).verdicts->size(), 2U);
  EXPECT_EQ(core_.view(now_).verdicts->back().sentence, "the show is paused by eva");
  EXPECT_EQ(core_.view(now_).bottleneck->kind, model::Bottleneck::Kind::paused);
}

TEST_F(SessionCoreTest, SharesTheAlertsThatSomebodyHasSeen) {
  connect();
  show(sample::show(), 5);
  const auto wait = [&] {
    for (int i = 0; i < 40; ++i, now_ += 200ms)
      static_cast<void>(core_.take_requests(now_));
  };
  wait();
  ASSERT_FALSE(core_.alerts()->empty()) << "no node has come";
  const auto alert = core_.alerts()->front();
  core_.handle(AcknowledgeAlert{alert.id}, now_);
  const auto shared = take<ShareSeenAlerts>();
  ASSERT_EQ(shared.size(), 1U);
  EXPECT_EQ(shared[0].changes.seen, std::vector{alert.thing});
  EXPECT_TRUE(take<ShareSeenAlerts>().empty());
  core_.handle(SeenAlertsShared{fail("there is no connection")}, now_);
  EXPECT_EQ(notices().back(), "seen in this window only: there is no connection");
}

TEST_F(SessionCoreTest, HasSeenTheAlertsThatSomebodyHasSeenElsewhere) {
  connect();
  show(sample::show(), 5);
  for (int i = 0; i < 40; ++i, now_ += 200ms)
    static_cast<void>(core_.take_requests(now_));
  cluster::AlertsSeen seen;
  for (const auto& alert : *core_.alerts())
    seen.things.push_back(alert.thing);
  ASSERT_GT(model::unseen_alerts(*core_.alerts()), 0U);
  core_.handle(AlertsSeenUpdate{seen}, now_);
  EXPECT_EQ(model::unseen_alerts(*core_.alerts()), 0U);
}

TEST_F(SessionCoreTest, AReadOnlyOneSharesNothing) {
  SessionCore reader({.author = "test", .is_read_only = true});
  reader.handle(ConnectionUpdate{model::ConnectionState::connected, "nats"}, now_);
  reader.handle(ShowUpdate{{show::to_toml(sample::show()), "somebody"}, 5}, now_);
  for (int i = 0; i < 40; ++i, now_ += 200ms)
    static_cast<void>(reader.take_requests(now_));
  reader.handle(AcknowledgeAlert{}, now_);
  EXPECT_EQ(model::unseen_alerts(*reader.alerts()), 0U);
  for (const auto& request : reader.take_requests(now_))
    EXPECT_FALSE(std::holds_alternative<ShareSeenAlerts>(request));
}

TEST_F(SessionCoreTest, ChangesNothingOnAPcThatMayOnlyWatch) {
  connect();
  core_.handle(RightsUpdate{cluster::Rights::watch}, now_);
  EXPECT_TRUE(core_.view(now_).is_read_only);
  EXPECT_TRUE(core_.view(now_).is_limited);
  core_.handle(SetPaused{true}, now_);
  EXPECT_THAT(core_.view(now_).events.back().event.text,
              HasSubstr("may only watch the show; its desk decides"));
  for (const auto& request : core_.take_requests(now_))
    EXPECT_FALSE(std::holds_alternative<WriteTransport>(request));

  core_.handle(RightsUpdate{cluster::Rights::everything}, now_);
  EXPECT_FALSE(core_.view(now_).is_read_only);
  core_.handle(SetPaused{true}, now_);
  const auto requests = core_.take_requests(now_);
  EXPECT_TRUE(std::ranges::any_of(requests, [](const Request& request) {
    return std::holds_alternative<WriteTransport>(request);
  }));
}

TEST_F(SessionCoreTest, ChangesNothingBesideADeskThatIsTooFarInVersion) {
  connect();
  core_.handle(VersionUpdate{"desk rack2 has 999.0.0: update this PC"}, now_);
  EXPECT_TRUE(core_.view(now_).is_read_only);
  EXPECT_FALSE(core_.view(now_).is_limited) << "no desk has taken rights from this PC";
  core_.handle(SetPaused{true}, now_);
  EXPECT_THAT(core_.view(now_).events.back().event.text, HasSubstr("rack2 has 999.0.0"));
  for (const auto& request : core_.take_requests(now_))
    EXPECT_FALSE(std::holds_alternative<WriteTransport>(request));
  for (int i = 0; i < 40; ++i, now_ += 200ms)  // until it has lasted
    static_cast<void>(core_.take_requests(now_));
  const auto alerts = core_.view(now_).alerts;
  ASSERT_NE(alerts, nullptr);
  EXPECT_TRUE(std::ranges::any_of(
      *alerts, [](const auto& alert) { return alert.thing == "version of the desk"; }));

  core_.handle(RightsUpdate{}, now_);  // a new connection
  EXPECT_FALSE(core_.view(now_).is_read_only);
}

TEST_F(SessionCoreTest, ForgetsANodeOnceTheClusterHas) {
  connect();
  core_.handle(sample::report("rack9"), now_);
  ASSERT_NE(core_.view(now_).find_node("rack9"), nullptr);
  core_.handle(ForgetNode{"rack9"}, now_);
  const auto asked = take<ForgetNode>();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].node, "rack9");
  core_.handle(NodeForgotten{"rack9", fail("it runs")}, now_);
  EXPECT_NE(core_.view(now_).find_node("rack9"), nullptr);
  EXPECT_EQ(notices().back(), "it runs");
  core_.handle(NodeForgotten{"rack9", {}}, now_);
  EXPECT_EQ(core_.view(now_).find_node("rack9"), nullptr);
}

}  // namespace
}  // namespace submix::session
