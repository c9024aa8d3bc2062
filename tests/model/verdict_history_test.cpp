// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/verdict_history.hpp"

#include <gtest/gtest.h>

namespace submix::model {
namespace {

using namespace std::chrono_literals;
using Kind = Bottleneck::Kind;

Bottleneck verdict(Kind kind, std::string stream = {}) {
  Bottleneck found;
  found.kind = kind;
  found.stream = std::move(stream);
  if (kind == Kind::link) found.link = 2;
  found.sentence = "because";
  return found;
}

class VerdictHistoryTest : public ::testing::Test {
 protected:
  /// The same verdict ten times a second.
  void hold(const Bottleneck& verdict, std::chrono::milliseconds duration) {
    for (auto passed = 0ms; passed < duration; passed += 100ms, now_ += 100ms)
      history_.add(verdict, now_);
  }
  [[nodiscard]] const VerdictSpan& span(std::size_t index) const {
    return history_.spans()->at(index);
  }
  [[nodiscard]] std::size_t count() const { return history_.spans()->size(); }

  LocalTime now_ = LocalTime(1h);
  VerdictHistory history_;
};

TEST_F(VerdictHistoryTest, BeginsEmpty) {
  EXPECT_EQ(count(), 0U);
}

TEST_F(VerdictHistoryTest, IsOneSpanWhileOneThingHoldsTheShowBack) {
  hold(verdict(Kind::link, "left"), 30s);
  ASSERT_EQ(count(), 1U);
  EXPECT_EQ(span(0).culprit, "link 2 of left");
  EXPECT_EQ(span(0).from, LocalTime(1h));
}

TEST_F(VerdictHistoryTest, EndsASpanWhereTheNextOneBegan) {
  hold(verdict(Kind::nothing), 10s);
  hold(verdict(Kind::link, "left"), 5s);
  ASSERT_EQ(count(), 2U);
  EXPECT_EQ(span(0).until, LocalTime(1h) + 10s);
  EXPECT_EQ(span(1).from, LocalTime(1h) + 10s)
      << "from its first sight on, not from when it had settled";
}

TEST_F(VerdictHistoryTest, TellsOneCulpritFromAnotherOfItsKind) {
  hold(verdict(Kind::link, "left"), 5s);
  hold(verdict(Kind::link, "right"), 5s);
  EXPECT_EQ(count(), 2U);
}

TEST_F(VerdictHistoryTest, LeavesOutWhatIsGoneBeforeItHasSettled) {
  hold(verdict(Kind::nothing), 5s);
  hold(verdict(Kind::link, "left"), 300ms);
  hold(verdict(Kind::nothing), 5s);
  EXPECT_EQ(count(), 1U);
}

TEST_F(VerdictHistoryTest, KeepsTheLastSentenceOfASpan) {
  auto first = verdict(Kind::link, "left");
  auto second = first;
  first.sentence = "70 MB/s";
  second.sentence = "35 MB/s";
  hold(first, 2s);
  hold(second, 2s);
  hold(verdict(Kind::nothing), 2s);
  EXPECT_EQ(span(0).sentence, "35 MB/s");
}

TEST_F(VerdictHistoryTest, ForgetsWhatEndedTenMinutesAgo) {
  hold(verdict(Kind::link, "left"), 5s);
  hold(verdict(Kind::nothing), 11min);
  hold(verdict(Kind::paused), 5s);
  ASSERT_EQ(count(), 2U);
  EXPECT_EQ(span(0).kind, Kind::nothing);
}

TEST_F(VerdictHistoryTest, IsBoundedHoweverOftenTheVerdictChanges) {
  for (int i = 0; i < 600; ++i)
    hold(verdict(i % 2 == 0 ? Kind::nothing : Kind::paused), 500ms);
  EXPECT_EQ(count(), VerdictHistory::kSpansMax);
  EXPECT_EQ(span(VerdictHistory::kSpansMax - 1).kind, Kind::paused) << "the newest one stays";
}

TEST_F(VerdictHistoryTest, LeavesAListThatSomebodyHoldsAsItIs) {
  hold(verdict(Kind::nothing), 2s);
  const auto held = history_.spans();
  hold(verdict(Kind::paused), 2s);
  EXPECT_EQ(held->size(), 1U);
}

}  // namespace
}  // namespace submix::model
