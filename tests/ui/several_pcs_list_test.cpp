// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/several_pcs_list.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace submix::ui {
namespace {

constexpr LocalTime kRightsChanged{std::chrono::hours(1)};

SeveralPcsState desk_with_changed_rights(const pairing::PeerNow& pc) {
  SeveralPcsState state;
  state.pcs.emplace();
  state.pcs->is_served = true;
  state.changed_pc = pc.peer.key;
  state.rights_changed = kRightsChanged;
  return state;
}

model::ClusterView limited_view(model::Health health) {
  model::ClusterView view;
  view.is_limited = true;
  view.nodes.emplace_back();
  view.nodes.back().name = "rack1";
  view.nodes.back().health = health;
  return view;
}

TEST(SeveralPcsList, SaysWhyAPcIsAwayWhileItsRightsChange) {
  pairing::PeerNow pc;
  pc.peer.key.fill(1);
  const auto state = desk_with_changed_rights(pc);

  EXPECT_EQ(connection_words(pc, state, kRightsChanged + std::chrono::seconds(2)),
            "its rights change");
  EXPECT_EQ(connection_words(pc, state, kRightsChanged + std::chrono::minutes(1)), "not connected");
  pc.programs = {"submix-node left"};
  EXPECT_EQ(connection_words(pc, state, kRightsChanged + std::chrono::seconds(2)), "connected");
}

TEST(SeveralPcsList, SaysThatAnotherPcIsNotConnected) {
  pairing::PeerNow pc;
  pc.peer.key.fill(1);
  const auto state = desk_with_changed_rights(pc);
  pairing::PeerNow other;
  other.peer.key.fill(2);

  EXPECT_EQ(connection_words(other, state, kRightsChanged), "not connected");
}

TEST(SeveralPcsList, OffersNoPartToAPcThatMayOnlyWatch) {
  EXPECT_TRUE(may_play("", model::ClusterView{}));
  EXPECT_TRUE(may_play("rack1", limited_view(model::Health::healthy))) << "it may play only";
  EXPECT_FALSE(may_play("rack1", limited_view(model::Health::gone)));
  EXPECT_FALSE(may_play("rack2", limited_view(model::Health::healthy)));
}

}  // namespace
}  // namespace submix::ui
