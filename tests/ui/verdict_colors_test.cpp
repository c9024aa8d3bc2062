// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/verdict_colors.hpp"

#include "controller/model/verdict/bottleneck.hpp"
#include "controller/ui/draw/color_scheme.hpp"

#include <gtest/gtest.h>

namespace submix::ui {
namespace {

using Kind = model::Bottleneck::Kind;

model::ClusterView view_with(Kind kind) {
  model::Bottleneck verdict;
  verdict.kind = kind;
  verdict.steps.resize(2);
  verdict.steps[0].submix = "mix";
  verdict.steps[0].slot = "blend";
  verdict.steps[1].stream = "left";
  model::ClusterView view;
  view.bottleneck = std::make_shared<const model::Bottleneck>(verdict);
  return view;
}

TEST(BlockedColor, IsCalmWhileTheShowKeepsItsRate) {
  const auto view = view_with(Kind::nothing);
  EXPECT_EQ(blocked_color(view), color::kHeld);
  EXPECT_EQ(blocked_slot_color(view, "mix", "blend"), color::kHeld);
  EXPECT_EQ(blocked_stream_color(view, "left"), color::kHeld);
}

TEST(BlockedColor, IsCalmWhileNobodyKnowsOrSomebodyHasPaused) {
  for (const auto kind : {Kind::unknown, Kind::paused})
    EXPECT_EQ(blocked_slot_color(view_with(kind), "mix", "blend"), color::kHeld);
  EXPECT_EQ(blocked_color(model::ClusterView()), color::kHeld);
}

TEST(BlockedColor, WarnsOnTheWayThatLimitsTheShow) {
  for (const auto kind : {Kind::slot, Kind::link, Kind::delay, Kind::machine, Kind::standstill}) {
    const auto view = view_with(kind);
    EXPECT_EQ(blocked_color(view), color::kWarning);
    EXPECT_EQ(blocked_slot_color(view, "mix", "blend"), color::kWarning);
    EXPECT_EQ(blocked_stream_color(view, "left"), color::kWarning);
  }
}

TEST(BlockedColor, IsCalmBesideTheWayThatLimitsTheShow) {
  const auto view = view_with(Kind::link);
  EXPECT_EQ(blocked_slot_color(view, "mix", "clip"), color::kHeld);
  EXPECT_EQ(blocked_slot_color(view, "right", "blend"), color::kHeld);
  EXPECT_EQ(blocked_stream_color(view, "right"), color::kHeld);
}

}  // namespace
}  // namespace submix::ui
