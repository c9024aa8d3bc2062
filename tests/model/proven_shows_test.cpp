// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/plan/proven_shows.hpp"

#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ProvenShowsTest : public ::testing::Test {
 protected:
  ProvenShowsTest() {
    for (const auto* name : {"rack1", "rack2"}) {
      NodeView node;
      node.name = name;
      node.show_revision = 3;
      view_.nodes.push_back(node);
    }
    for (const auto& [name, node] : {std::pair{"left", "rack1"}, {"mix", "rack2"}}) {
      SubmixView submix;
      submix.name = name;
      submix.node = node;
      submix.state = SubmixState::running;
      view_.submixes.push_back(submix);
    }
    view_.show = first_;
    view_.show_revision = 3;
    view_.master_fps = 29;
  }
  void run_for(std::chrono::milliseconds time, bool is_written = true) {
    for (const auto end = now_ + time; now_ < end; now_ += 200ms)
      ran_.update(view_, is_written, now_);
  }
  static std::shared_ptr<const show::Show> show_of(Size size) {
    auto show = sample::show();
    show.size = size;
    return std::make_shared<const show::Show>(std::move(show));
  }

  ClusterView view_;
  ProvenShows ran_;
  LocalTime now_{};
  std::shared_ptr<const show::Show> first_ = show_of({1280, 720});
  std::shared_ptr<const show::Show> second_ = show_of({640, 360});
};

TEST_F(ProvenShowsTest, HasAShowOnceItHasKeptItsRate) {
  run_for(2800ms);
  EXPECT_THAT(*ran_.shows(), IsEmpty());
  run_for(400ms);
  EXPECT_THAT(*ran_.shows(), ElementsAre(first_));
}

TEST_F(ProvenShowsTest, HasNoneThatIsSlowPausedUnwrittenOrNotFollowed) {
  run_for(10s, false);
  view_.master_fps = 25;
  run_for(10s);
  view_.master_fps = 30;
  view_.transport.is_paused = true;
  run_for(10s);
  view_.transport.is_paused = false;
  view_.nodes[0].show_revision = 2;
  run_for(10s);
  view_.nodes[0].show_revision = 3;
  view_.submixes[1].state = SubmixState::failed;
  run_for(10s);
  EXPECT_THAT(*ran_.shows(), IsEmpty());
}

TEST_F(ProvenShowsTest, AnotherShowHasItsOwnTimeToProve) {
  run_for(2s);
  view_.show = second_;
  run_for(2s);
  EXPECT_THAT(*ran_.shows(), IsEmpty());
  run_for(2s);
  view_.show = first_;
  run_for(4s);
  EXPECT_THAT(*ran_.shows(), ElementsAre(second_, first_));
}

TEST_F(ProvenShowsTest, KeepsOneOfThoseThatAskTheSame) {
  run_for(4s);
  auto turned = *first_;
  turned.find_slot({"left", "glow"})->parameters["Blur"] = 0.25;
  view_.show = std::make_shared<const show::Show>(turned);
  run_for(4s);
  EXPECT_THAT(*ran_.shows(), ElementsAre(view_.show));
}

TEST_F(ProvenShowsTest, KeepsTheNewestOnly) {
  for (int i = 0; i < 40; ++i) {
    view_.show = show_of({640 + 2 * i, 360});
    run_for(4s);
  }
  EXPECT_EQ(ran_.shows()->size(), ProvenShows::kShowsMax);
  EXPECT_EQ(ran_.shows()->back(), view_.show);
}

}  // namespace
}  // namespace submix::model
