// SPDX-License-Identifier: GPL-3.0-or-later
// Follow-ons of cues, carried out by the controllers that see them.
#include "controller/session/session_core.hpp"

#include "common/show/parse.hpp"
#include "controller/model/edit/performing.hpp"
#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::session {
namespace {

using namespace std::chrono_literals;
namespace sample = model::sample;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto kSince1970 = 1'000'000s;  // of the show's time before the local clock's zero

/// One controller.
struct Controller {
  explicit Controller(bool is_read_only = false)
      : core({.author = "test", .is_read_only = is_read_only}) {
    core.handle(ConnectionUpdate{model::ConnectionState::connected, "nats"}, LocalTime(1h));
    core.handle(ClockUpdate{kSince1970}, LocalTime(1h));
  }
  void see(const show::Show& show, std::uint64_t revision, LocalTime now) {
    core.handle(ShowUpdate{{show::to_toml(show), "somebody"}, revision}, now);
  }
  std::vector<WriteShow> writes(LocalTime now) {
    std::vector<WriteShow> found;
    for (auto& request : core.take_requests(now)) {
      if (auto* write = std::get_if<WriteShow>(&request)) found.push_back(std::move(*write));
      if (auto* write = std::get_if<WriteTransport>(&request)) transport = write->transport;
    }
    return found;
  }
  [[nodiscard]] std::vector<std::string> notices(LocalTime now) {
    std::vector<std::string> texts;
    for (const auto& event : core.view(now).events)
      texts.push_back(event.event.text);
    return texts;
  }

  SessionCore core;
  std::optional<cluster::DesiredTransport> transport;
};

// The first cue has gone; the second one follows at `due`, and pauses the show.
show::Show following_at(LocalTime due) {
  auto show = sample::show();
  show.cues = {{"rise", "", 0, {}, {}},
               {"fall", "", 0, true, {show::CueBypass{sample::kGlow, true}}}};
  show.next_cue = "fall";
  show.following =
      std::chrono::floor<std::chrono::milliseconds>(due.time_since_epoch() + kSince1970);
  return show;
}

constexpr LocalTime kDue{2h};

cluster::DesiredTransport paused(bool is_paused) {
  cluster::DesiredTransport transport;
  transport.is_paused = is_paused;
  return transport;
}

TEST(FollowOn, GoesWhenItsTimeHasCome) {
  Controller window;
  window.see(following_at(kDue), 5, kDue - 1s);
  EXPECT_THAT(window.writes(kDue - 1ms), IsEmpty());
  EXPECT_THAT(window.writes(kDue + 300ms), IsEmpty()) << "the last writer comes first";
  const auto writes = window.writes(kDue + 400ms);
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_EQ(writes[0].expected_revision, 5U);
  EXPECT_TRUE(writes[0].after->find_slot(sample::kGlow)->is_bypassed);
  EXPECT_EQ(writes[0].after->next_cue, "rise");
  EXPECT_EQ(writes[0].after->following, std::nullopt);
  ASSERT_TRUE(window.transport);
  EXPECT_TRUE(window.transport->is_paused) << "as the cue says";
  EXPECT_TRUE(window.core.view(kDue + 1s).edit.undo_title.empty()) << "no step of a hand";
  EXPECT_THAT(window.writes(kDue + 500ms), IsEmpty());
}

TEST(FollowOn, IsCarriedOutByTheLastWriterAtOnce) {
  Controller window;
  auto show = following_at(kDue);
  const auto due = show.following;
  show.following.reset();
  window.see(show, 5, kDue - 2s);
  window.core.handle(EditShow{model::SetFollowing{due}}, kDue - 1s);
  ASSERT_EQ(window.writes(kDue - 1s).size(), 1U);
  window.core.handle(ShowWritten{{WriteOutcome::Kind::accepted, 6, {}}}, kDue - 1s);
  EXPECT_EQ(window.writes(kDue).size(), 1U);
}

TEST(FollowOn, IsCarriedOutOnceByTwoWindows) {
  Controller one;
  Controller other;
  for (auto* window : {&one, &other})
    window->see(following_at(kDue), 5, kDue - 1s);
  const auto first = one.writes(kDue + 400ms);
  ASSERT_EQ(first.size(), 1U);
  ASSERT_EQ(other.writes(kDue + 410ms).size(), 1U) << "the fence refuses one of them";
  other.core.handle(ShowWritten{{WriteOutcome::Kind::refused, 0, {}}}, kDue + 420ms);
  other.see(*first[0].after, 6, kDue + 430ms);
  EXPECT_THAT(other.writes(kDue + 440ms), IsEmpty());
  EXPECT_THAT(other.notices(kDue + 440ms), IsEmpty());
}

TEST(FollowOn, EndsWithACueByHandAndWithAStop) {
  for (const bool is_stop : {true, false}) {
    Controller window;
    const auto show = following_at(kDue);
    window.see(show, 5, kDue - 1s);
    const auto edit = is_stop ? model::Edit(model::SetFollowing{}) : model::go(show, {})->edit;
    window.core.handle(EditShow{edit}, kDue - 1s);
    const auto writes = window.writes(kDue - 1s);
    ASSERT_EQ(writes.size(), 1U);
    EXPECT_EQ(writes[0].after->following, std::nullopt);
    window.core.handle(ShowWritten{{WriteOutcome::Kind::accepted, 6, {}}}, kDue - 1s);
    EXPECT_THAT(window.writes(kDue + 1s), IsEmpty());
  }
}

TEST(FollowOn, OutlastsABlackOutAndAFreeze) {
  Controller window;
  window.see(following_at(kDue), 5, kDue - 1s);
  window.core.handle(SetBlack{true}, kDue - 1s);
  window.core.handle(SetFrozen{true}, kDue - 1s);
  EXPECT_EQ(window.writes(kDue + 400ms).size(), 1U);
}

// It ran on, and the next cue went in the pause.
TEST(FollowOn, WaitsWithThePausedShow) {
  Controller window;
  window.see(following_at(kDue), 5, kDue - 10s);
  window.core.handle(TransportUpdate{paused(true)}, kDue - 4s);
  EXPECT_THAT(window.writes(kDue - 4s), IsEmpty());
  EXPECT_THAT(window.writes(kDue + 60s), IsEmpty());
  window.core.handle(TransportUpdate{paused(false)}, kDue + 60s);
  EXPECT_THAT(window.writes(kDue + 60s), IsEmpty()) << "the last writer comes first";
  const auto writes = window.writes(kDue + 60s + 400ms);
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_EQ(writes[0].after->next_cue, "fall");
  const auto due = following_at(kDue).following;
  ASSERT_TRUE(due);
  EXPECT_EQ(writes[0].after->following, *due + 64s) << "it had four seconds left";
  window.core.handle(ShowWritten{{WriteOutcome::Kind::accepted, 6, {}}}, kDue + 61s);
  EXPECT_THAT(window.writes(kDue + 63s), IsEmpty());
  EXPECT_EQ(window.writes(kDue + 64s).size(), 1U);
}

// Its pause would never end.
TEST(FollowOn, GoesInAPauseThatItsOwnCueMade) {
  Controller window;
  auto show = following_at(kDue);
  show.cues[0].is_paused = true;
  window.see(show, 5, kDue - 10s);
  window.core.handle(TransportUpdate{paused(true)}, kDue - 10s);
  EXPECT_EQ(window.writes(kDue + 400ms).size(), 1U);
}

// Another window has moved the time already.
TEST(FollowOn, WaitsOnceThoughTwoWindowsSeeThePause) {
  Controller window;
  window.see(following_at(kDue), 5, kDue - 10s);
  window.core.handle(TransportUpdate{paused(true)}, kDue - 4s);
  EXPECT_THAT(window.writes(kDue), IsEmpty());
  window.core.handle(TransportUpdate{paused(false)}, kDue + 1s);
  EXPECT_THAT(window.writes(kDue + 1s), IsEmpty());
  window.see(following_at(kDue + 5s), 6, kDue + 1s + 100ms);
  EXPECT_THAT(window.writes(kDue + 2s), IsEmpty());
  EXPECT_EQ(window.writes(kDue + 5s + 400ms).size(), 1U);
}

// No window was open when its time came. A late jump would surprise.
TEST(FollowOn, IsStoppedWhenItIsOverdue) {
  Controller window;
  window.see(following_at(kDue), 5, kDue + 1min);
  const auto writes = window.writes(kDue + 1min);
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_EQ(writes[0].after->following, std::nullopt);
  EXPECT_EQ(writes[0].after->next_cue, "fall") << "it waits for a person";
  EXPECT_THAT(window.notices(kDue + 1min), ElementsAre(HasSubstr("overdue")));
}

// By hand, such a cue does not go in the perform mode either.
TEST(FollowOn, ChangesNoStructureWhileAPersonPerforms) {
  Controller window;
  auto show = following_at(kDue);
  show.cues[1].changes = {show::CueAssign{"left", ""}};
  window.see(show, 5, kDue - 1s);
  window.core.handle(KeepStructure{true}, kDue - 1s);
  const auto writes = window.writes(kDue + 400ms);
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_EQ(writes[0].after->following, std::nullopt);
  EXPECT_EQ(writes[0].after->find_submix("left")->node, show.find_submix("left")->node);
  EXPECT_THAT(window.notices(kDue + 400ms), ElementsAre(HasSubstr("a person performs")));
}

TEST(FollowOn, IsNothingForAReadOnlyController) {
  Controller window(true);
  window.see(following_at(kDue), 5, kDue - 1s);
  EXPECT_THAT(window.writes(kDue + 1s), IsEmpty());
  EXPECT_THAT(window.writes(kDue + 1min), IsEmpty());
}

}  // namespace
}  // namespace submix::session
