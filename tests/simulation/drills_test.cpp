// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/files.hpp"
#include "controller/model/verdict/alerts.hpp"
#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/verdict/verdict.hpp"
#include "controller/model/view/cluster_model.hpp"
#include "controller/simulation/plugin_list.hpp"
#include "controller/simulation/world.hpp"
#include "tests/simulation/bench.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <set>
#include <string>
#include <vector>

/// An operator's drills before a show. Each fault is named correctly at once, its remedy helps, and
/// nothing untrue is reported.
namespace submix::simulation {
namespace {

using namespace std::chrono_literals;
using Kind = model::Bottleneck::Kind;

constexpr int kGigabit = 1000;

/// A simulated cluster and the model of a window that watches it.
class Stage {
 public:
  Stage(const show::Show& show, int cable_mbit) : show_(show) {
    World::WorldSettings settings{{}, 1, false, cable_mbit};
    for (const auto& node : show.nodes)
      settings.nodes.push_back(node.name);
    settings.nodes.emplace_back("guest");  // in no show
    world_ = std::make_unique<World>(settings, now_);
    model_.set_connection(model::ConnectionState::connected, "nats://198.18.9.9:4222", now_);
    for (const auto& node : settings.nodes)
      model_.add_plugins(node, plugins_for(show));
    follow(show);
  }

  void follow(const show::Show& show) {
    show_ = show;
    world_->follow(show, ++revision_);
    model_.set_show(std::make_shared<const show::Show>(show), revision_, "test");
  }
  void follow(const model::Edit& edit) {
    auto show = show_;
    ASSERT_TRUE(model::apply(show, edit));
    follow(show);
  }
  void run(std::chrono::milliseconds time) {
    for (auto at = 0ms; at < time; at += 100ms) {
      now_ += 100ms;
      world_->advance(now_);
      for (std::size_t i = 0; i < world_->node_count(); ++i)
        listen_to(i);
      model_.advance(now_);
      log_.update(view(), now_);
      for (const auto& alert : open())
        seen_.insert(alert.thing);
    }
  }
  void pause(bool is_paused) {
    cluster::DesiredTransport transport{is_paused, 0, "test"};
    world_->follow(transport);
    model_.set_transport(transport);
  }
  void disconnect(bool is_lost) {
    model_.set_connection(
        is_lost ? model::ConnectionState::lost : model::ConnectionState::connected, "test", now_);
  }
  /// Writes an unreadable show into the cluster; nodes keep what they run.
  void spoil_show() { model_.set_show(nullptr, ++revision_, "test", "line 1: this is no show"); }
  /// Silences a node, or ends its silence; its frames keep flowing.
  void mute(const std::string& node, bool is_mute) {
    if (is_mute) {
      muted_.insert(node);
    } else {
      muted_.erase(node);
    }
  }

  [[nodiscard]] World& world() { return *world_; }
  [[nodiscard]] const show::Show& show() const { return show_; }
  [[nodiscard]] model::ClusterView view() const { return model_.view(now_); }
  [[nodiscard]] std::vector<model::Alert> open() const {
    std::vector<model::Alert> open;
    for (const auto& alert : *log_.alerts()) {
      if (alert.is_open()) open.push_back(alert);
    }
    return open;
  }
  /// Things reported since forget().
  [[nodiscard]] const std::set<std::string>& seen() const { return seen_; }
  void forget() { seen_.clear(); }

 private:
  void listen_to(std::size_t i) {
    const auto& node = world_->node(i);
    if (!node.is_alive()) return;
    auto reading = world_->next_reading(i);
    if (muted_.contains(node.name())) return;
    model_.accept(node.report(), now_);
    model_.accept(std::move(reading), now_);
  }

  LocalTime now_ = LocalTime(1h);
  std::uint64_t revision_ = 0;
  show::Show show_;
  std::unique_ptr<World> world_;
  model::ClusterModel model_;
  model::AlertLog log_;
  std::set<std::string> muted_;
  std::set<std::string> seen_;
};

show::Stream stream(std::string name, show::Port from, show::Port to) {
  show::Stream stream;
  stream.name = std::move(name);
  stream.from = std::move(from);
  stream.to = std::move(to);
  return stream;
}

/// left and right feed mix, which has a window. Each runs on its own node; node c has no work.
show::Show trio() {
  auto show = sample::duo();
  show.nodes = {{"a", ""}, {"b", ""}, {"r", ""}, {"c", ""}};
  show.submixes.push_back(
      {"right",
       "r",
       {sample::slot("source", "pattern"), sample::slot("look", "frei0r/distort0r"),
        sample::slot("out", "stream-out")}});
  auto fade = sample::slot("fade", "frei0r/xfade0r");
  fade.inputs = {"in", "in-right"};
  show.submixes[1].slots = {sample::slot("in", "stream-in"), sample::slot("in-right", "stream-in"),
                            fade, sample::slot("screen", "window")};
  show.streams.push_back(stream("right", {"right", "out"}, {"mix", "in-right"}));
  return show;
}

show::Show with_policy(show::InputPolicy policy) {
  auto show = trio();
  for (auto& each : show.streams)
    each.policy = policy;
  return show;
}

show::Submix performer(const std::string& name, const char* node) {
  return {name, node, {sample::slot("source", "pattern"), sample::slot("out", "stream-out")}};
}

/// The trio, and a performer whose picture nobody shows.
show::Show with_idle(const char* node) {
  auto show = trio();
  show.submixes.push_back(performer("three", node));
  return show;
}

show::Show with_idle_pair() {
  auto show = with_idle("c");
  show.submixes.push_back({"four", "", {sample::slot("in", "stream-in")}});
  show.streams.push_back(stream("three", {"three", "out"}, {"four", "in"}));
  return show;
}

show::Show with_unplugged_input() {
  auto show = trio();
  show.submixes[1].slots.insert(show.submixes[1].slots.begin(), sample::slot("spare", "stream-in"));
  auto& mixer = show.submixes[1].slots[3];
  mixer.inputs = {"spare", "in"};
  auto& screen = show.submixes[1].slots[4];
  auto second = sample::slot("fade-2", "frei0r/xfade0r");
  second.inputs = {"fade", "in-right"};
  screen.inputs = {"fade-2"};
  show.submixes[1].slots.insert(show.submixes[1].slots.begin() + 4, second);
  return show;
}

/// left feeds two mixes, each with a window.
show::Show with_two_outputs() {
  auto show = trio();
  show.submixes.push_back(
      {"wall", "c", {sample::slot("in", "stream-in"), sample::slot("screen", "window")}});
  show.streams.push_back(stream("to-wall", {"left", "out"}, {"wall", "in"}));
  return show;
}

/// One link, for more data than a cable carries.
show::Show with_a_narrow_stream() {
  auto show = sample::duo();
  show.size = {1920, 1080};
  show.streams[0].link_count = 1;
  return show;
}

show::Show in_size(Size size) {
  auto show = trio();
  show.size = size;
  return show;
}

constexpr int kCrowd = 12;

std::string name_in_crowd(int i) {
  return fmt::format("guest-{}", i);
}

/// The trio, and many performers on left's computer whose pictures nobody shows.
show::Show with_a_crowd() {
  auto show = trio();
  for (int i = 0; i < kCrowd; ++i)
    show.submixes.push_back(performer(name_in_crowd(i), "a"));
  return show;
}

/// All of them and left's filter take nearly a frame's time: more than eight cores can do.
void crowd_in(Stage& stage) {
  constexpr double kNearlyAFrame = 7;
  stage.world().set_load({"left", "look"}, kNearlyAFrame);
  for (int i = 0; i < kCrowd; ++i)
    stage.world().set_load({name_in_crowd(i), "source"}, kNearlyAFrame);
}

struct Drill {
  const char* name;
  show::Show show = trio();
  std::function<void(Stage&)> act = [](Stage&) {};
  Kind verdict = Kind::nothing;
  std::string sentence = {};              ///< part of the sentence
  std::vector<std::string> alerts = {};   ///< a part of each, in any order; there must be no others
  std::string remedy = {};                ///< part of the remedy; empty: none
  std::function<void(Stage&)> mend = {};  ///< empty: only edits can repair the fault
  std::chrono::milliseconds time = 8s;    ///< from the fault to the check
  int cable_mbit = kGigabit;
  bool is_well_before = true;
};

std::string text_of(const model::Alert& alert) {
  return fmt::format("{} {}: {} ({})", model::word_of(alert.severity), alert.thing, alert.cause,
                     alert.response);
}

void expect_alerts(const Drill& drill, const Stage& stage) {
  const auto open = stage.open();
  for (const auto& wanted : drill.alerts) {
    const bool is_told = std::ranges::any_of(
        open, [&](const auto& alert) { return text_of(alert).find(wanted) != std::string::npos; });
    EXPECT_TRUE(is_told) << "no alert tells: " << wanted;
  }
  EXPECT_EQ(open.size(), drill.alerts.size());
  for (const auto& alert : open)
    EXPECT_TRUE(open.size() == drill.alerts.size()) << "told: " << text_of(alert);
}

/// The action that the window offers improves the show.
void expect_help(Stage& stage, const model::Edit& edit) {
  const double before = stage.view().master_fps;
  const bool was_held = !model::find_bottleneck(stage.view()).held.empty();
  stage.follow(edit);
  stage.run(6s);
  const auto after = model::find_bottleneck(stage.view());
  if (was_held) {
    EXPECT_TRUE(after.held.empty()) << after.sentence;
  } else {
    EXPECT_GT(stage.view().master_fps, before + 1) << after.sentence;
  }
}

/// The drill as a line of DRILLS.md.
std::string row_of(const Drill& drill, const model::Bottleneck& verdict, const Stage& stage,
                   const std::string& remedy) {
  std::string alerts;
  for (const auto& alert : stage.open()) {
    if (!alerts.empty()) alerts += "<br>";
    alerts += fmt::format("{} {}: {}", model::word_of(alert.severity), alert.thing, alert.cause);
  }
  return fmt::format("| {} | {} | {} | {} |", drill.name, verdict.sentence,
                     alerts.empty() ? "none" : alerts, remedy.empty() ? "none" : remedy);
}

/// The document tells what the program tells. Its rows are printed, for a new document.
void expect_in_document(const std::string& row) {
  static const auto document =
      read_text_file(SUBMIX_SOURCE_DIR "/controller/model/verdict/DRILLS.md").value_or("");
  std::cout << row << "\n";
  EXPECT_NE(document.find(row + "\n"), std::string::npos)
      << "controller/model/verdict/DRILLS.md has not this line, as it was printed";
}

void practise(const Drill& drill) {
  SCOPED_TRACE(drill.name);
  Stage stage(drill.show, drill.cable_mbit);
  stage.run(5s);
  EXPECT_EQ(stage.open().empty(), drill.is_well_before);
  drill.act(stage);
  stage.run(drill.time);
  const auto verdict = model::find_bottleneck(stage.view());
  EXPECT_EQ(verdict.kind, drill.verdict) << verdict.sentence;
  EXPECT_NE(verdict.sentence.find(drill.sentence), std::string::npos) << verdict.sentence;
  expect_alerts(drill, stage);
  const auto remedy = model::remedy_of(stage.view(), verdict);
  const auto remedy_text = remedy ? remedy->text : std::string();
  EXPECT_EQ(remedy_text.empty(), drill.remedy.empty()) << remedy_text;
  EXPECT_NE(remedy_text.find(drill.remedy), std::string::npos) << remedy_text;
  expect_in_document(row_of(drill, verdict, stage, remedy_text));
  if (remedy && remedy->edit) expect_help(stage, *remedy->edit);
  if (!drill.mend) return;
  drill.mend(stage);
  stage.run(8s);
  EXPECT_TRUE(stage.open().empty()) << "not gone: " << text_of(stage.open().front());
  EXPECT_EQ(model::find_bottleneck(stage.view()).kind, Kind::nothing)
      << model::find_bottleneck(stage.view()).sentence;
}

void practise_all(const std::vector<Drill>& drills) {
  for (const auto& drill : drills)
    practise(drill);
}

auto kill(const char* node) {
  return [node](Stage& stage) { stage.world().kill(node); };
}
auto revive(const char* node) {
  return [node](Stage& stage) { stage.world().revive(node); };
}
auto speed(const char* stream, std::vector<std::size_t> links, double share) {
  return [=](Stage& stage) {
    for (const auto link : links)
      stage.world().set_speed(stream, link, share);
  };
}
auto cut(const char* stream, std::vector<std::size_t> links, const char* why) {
  return [=](Stage& stage) {
    for (const auto link : links)
      stage.world().cut(stream, link, why);
  };
}
auto load(const char* submix, const char* slot, double factor) {
  return [=](Stage& stage) { stage.world().set_load({submix, slot}, factor); };
}
auto trouble(const char* submix, const char* slot, const char* why) {
  return [=](Stage& stage) { stage.world().set_trouble({submix, slot}, why); };
}

TEST(Drills, TellNothingOfAShowThatIsWell) {
  practise_all({
      {.name = "healthy show"},
      {.name = "a submix beside the show that no node runs", .show = with_idle("")},
      {.name = "an idle performer that a node runs", .show = with_idle("c")},
      {.name = "an idle performer that takes a second for a frame",
       .show = with_idle("c"),
       .act = load("three", "source", 300)},
      {.name = "idle submixes that feed each other", .show = with_idle_pair()},
      {.name = "an input without a stream in the running mix", .show = with_unplugged_input()},
      {.name = "a node that is in no show ends", .act = kill("guest")},
      {.name = "a cable that is out for a second",
       .act =
           [](Stage& stage) {
             stage.world().cut("left", 1, "no carrier");
             stage.run(1s);
             stage.world().cut("left", 1, "");
           }},
      {.name = "cables that have little to do", .cable_mbit = 10'000},
      {.name = "a larger picture",
       .act =
           [](Stage& stage) {
             auto show = stage.show();
             show.size = {1600, 900};
             stage.follow(show);
           }},
  });
}

TEST(Drills, NameWhoIsGone) {
  practise_all({
      {.name = "kill -9 of a performer that the mix waits for",
       .act = kill("a"),
       .verdict = Kind::standstill,
       .sentence = "node \"a\", which is to run submix \"left\": silent for",
       .alerts = {"fault node a: simulated-1: gone", "fault the show: the show stands still"},
       .mend = revive("a")},
      {.name = "kill -9 of a performer whose input holds",
       .show = with_policy(show::InputPolicy::hold),
       .act = kill("a"),
       .alerts = {"node a"},
       .mend = revive("a")},
      {.name = "kill -9 of the node with the window",
       .act = kill("b"),
       .verdict = Kind::standstill,
       .sentence = "start it on simulated-2: submix-node --name b (without submix join: --nats "
                   "nats://198.18.9.9:4222 --key FILE)",
       .alerts = {"fault node b", "fault the show"},
       .mend = revive("b")},
      {.name = "a node of the show that has nothing to do ends",
       .act = kill("c"),
       .alerts = {"warning node c"},
       .mend = revive("c")},
      {.name = "the node of an idle performer ends",
       .show = with_idle("c"),
       .act = kill("c"),
       .alerts = {"warning node c"},
       .mend = revive("c")},
      {.name = "one of two outputs is gone",
       .show = with_two_outputs(),
       .act = kill("c"),
       .verdict = Kind::standstill,
       .sentence = "1 of 2 outputs stand still (wall), and wait for node \"c\"",
       .alerts = {"fault node c", "fault the show"},
       .mend = revive("c")},
      {.name = "a control cable is out while frames flow",
       .act = [](Stage& stage) { stage.mute("a", true); },
       .alerts = {"control of node a: simulated-1: its control connection is gone; its streams "
                  "still carry"},
       .mend = [](Stage& stage) { stage.mute("a", false); }},
      {.name = "the control cable of the node with the window is out",
       .act = [](Stage& stage) { stage.mute("b", true); },
       .alerts = {"control of node b"},
       .mend = [](Stage& stage) { stage.mute("b", false); }},
      {.name = "the cluster's show cannot be read",
       .act = [](Stage& stage) { stage.spoil_show(); },
       .verdict = Kind::unknown,
       .sentence = "the show cannot be read: line 1",
       .alerts = {"the desired show: revision 2 by test cannot be read"},
       .mend = [](Stage& stage) { stage.follow(stage.show()); }},
      {.name = "NATS is lost",
       .act = [](Stage& stage) { stage.disconnect(true); },
       .verdict = Kind::unknown,
       .alerts = {"fault NATS"},
       .mend = [](Stage& stage) { stage.disconnect(false); }},
  });
}

TEST(Drills, NameTheCable) {
  practise_all({
      {.name = "one of two cables carries 2 %, the other suffices",
       .act = speed("left", {1}, 0.02),
       .alerts = {"link 1 of left: simulated-1's enp2s0 carries"},
       .mend = speed("left", {1}, 1)},
      {.name = "one of two cables carries 2 %, and the picture is small",
       .show = in_size({640, 360}),
       .act = speed("left", {1}, 0.02),
       .alerts = {"link 1 of left: simulated-1's enp2s0 carries"},
       .mend = speed("left", {1}, 1)},
      {.name = "one of two cables carries 2 %, the other does not suffice",
       .show = in_size({1920, 1080}),
       .act = speed("left", {1}, 0.02),
       .verdict = Kind::link,
       .sentence = "simulated-1's enp2s0",
       .alerts = {"link 1 of left: simulated-1's enp2s0 carries", "warning the show"},
       .remedy = "check its plug, its cable",
       .mend = speed("left", {1}, 1)},
      {.name = "both cables carry 2 %",
       .act = speed("left", {0, 1}, 0.02),
       .verdict = Kind::link,
       .alerts = {"link 0 of left", "link 1 of left", "warning the show"},
       .remedy = "check its plug, its cable",
       .mend = speed("left", {0, 1}, 1)},
      {.name = "one of two cables is pulled",
       .act = cut("left", {1}, "no carrier"),
       .alerts = {"link 1 of left: simulated-1's enp2s0 to simulated-2's enp2s0: no carrier"},
       .mend = cut("left", {1}, "")},
      {.name = "both cables are pulled",
       .act = cut("left", {0, 1}, "no carrier"),
       .verdict = Kind::standstill,
       .sentence = "stream \"left\": none of its links is open: no carrier",
       .alerts = {"fault link 0 of left", "fault link 1 of left", "fault the show"},
       .mend = cut("left", {0, 1}, "")},
      {.name = "a stream needs more than its one cable carries, and both ends have another",
       .show = with_a_narrow_stream(),
       .verdict = Kind::link,
       .sentence = "is full",
       .alerts = {"warning the show"},
       .remedy = "give it 2 links: simulated-1's enp2s0 and simulated-2's enp2s0 carry none yet",
       .is_well_before = false},
      {.name = "streams need more than all cables carry, and share them",
       .show = in_size({2560, 1440}),
       .verdict = Kind::link,
       .sentence = "left and right share simulated-2's enp1s0 and simulated-2's enp2s0",
       .alerts = {"warning the show"},
       .remedy = "share simulated-2's enp1s0",
       .is_well_before = false},
  });
}

TEST(Drills, NameTheSlotThatTakesTooLong) {
  practise_all({
      {.name = "a slot takes 60 ms, and its plugin bears helpers",
       .act = load("left", "look", 15),
       .verdict = Kind::slot,
       .sentence = "slot \"left.look\"",
       .alerts = {"mix shows 13.0 of 30 fps; node \"a\" runs on simulated-1"},
       .remedy = "instances share its frames",
       .mend = load("left", "look", 1)},
      {.name = "a source takes 60 ms",
       .act = load("left", "source", 15),
       .verdict = Kind::slot,
       .sentence = "slot \"left.source\"",
       .alerts = {"warning the show"},
       .remedy = "lower the show's size or rate",
       .mend = load("left", "source", 1)},
      {.name = "a slot takes 60 ms, and its plugin keeps former frames",
       .act = load("right", "look", 15),
       .verdict = Kind::slot,
       .sentence = "slot \"right.look\"",
       .alerts = {"warning the show"},
       .remedy = "bypass it",
       .mend = load("right", "look", 1)},
      {.name = "a machine has more to do than it can",
       .show = with_a_crowd(),
       .act = crowd_in,
       .verdict = Kind::slot,
       .sentence = "machine \"simulated-1\" has no time left",
       .alerts = {"warning the show"},
       .remedy = "let node"},
      {.name = "a plugin crashes",
       .act = trouble("left", "look", "crashed three times in 10 s"),
       .alerts = {"fault slot left.look: crashed three times"},
       .mend = trouble("left", "look", "")},
      {.name = "the disk of a recording is full",
       .show =
           [] {
             auto show = trio();
             show.submixes[1].slots.push_back(sample::slot("record", "record"));
             return show;
           }(),
       .act = trouble("mix", "record", "the disk is full"),
       .alerts = {"fault slot mix.record: the disk is full"},
       .mend = trouble("mix", "record", "")},
  });
}

TEST(Drills, NameWhatIsLateThoughNothingIsBusy) {
  practise_all({
      {.name = "a stream is long on its way",
       .act = [](Stage& stage) { stage.world().set_delay("left", 400ms); },
       .verdict = Kind::delay,
       .sentence = "its links have time to spare",
       .alerts = {"warning the show"},
       .remedy = "let more frames be on their way",
       .mend = [](Stage& stage) { stage.world().set_delay("left", 0ms); }},
      {.name = "a node loses its real-time right",
       .act =
           [](Stage& stage) {
             stage.world().lose_realtime("a", "thread look computed for 500 ms");
           },
       .alerts = {"real time of node a: simulated-1: thread look computed for 500 ms"},
       .mend = [](Stage& stage) { stage.world().lose_realtime("a", ""); }},
  });
}

TEST(Drills, TellNoRatesOfAPause) {
  const auto pause = [](Stage& stage) { stage.pause(true); };
  const auto resume = [](Stage& stage) { stage.pause(false); };
  practise_all({
      {.name = "pause",
       .act = pause,
       .verdict = Kind::paused,
       .remedy = "let it run on",
       .mend = resume},
      {.name = "pause and go on",
       .act =
           [](Stage& stage) {
             stage.pause(true);
             stage.run(5s);
             stage.pause(false);
           }},
  });
}

TEST(Drills, TellNothingWhileAShowStarts) {
  Stage stage(trio(), kGigabit);
  stage.run(6s);
  EXPECT_TRUE(stage.seen().empty()) << *stage.seen().begin();
  stage.forget();
  stage.pause(true);
  stage.run(4s);
  stage.pause(false);
  stage.run(4s);
  EXPECT_TRUE(stage.seen().empty()) << *stage.seen().begin();
}

}  // namespace
}  // namespace submix::simulation
