// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/picture_age.hpp"

#include <gtest/gtest.h>

namespace submix::ui {
namespace {

using namespace std::chrono_literals;

class PictureAgeTest : public ::testing::Test {
 protected:
  PictureAgeTest() {
    view_.submixes.emplace_back();
    view_.submixes[0].name = "left";
    view_.submixes[0].state = model::SubmixState::running;
  }
  [[nodiscard]] std::string words(std::chrono::nanoseconds age) const {
    return picture_age_text(age, {"left", "glow"}, view_);
  }

  model::ClusterView view_;
};

TEST_F(PictureAgeTest, IsNotSaidOfAPictureThatIsLive) {
  EXPECT_EQ(words(0s), "");
  EXPECT_EQ(words(2s), "");
}

TEST_F(PictureAgeTest, IsSaidOfOneThatNoNewerOneFollows) {
  EXPECT_EQ(words(12s), "12 s old");
}

TEST_F(PictureAgeTest, IsSaidWithWhatBecameOfTheSubmix) {
  view_.submixes[0].state = model::SubmixState::waiting;
  EXPECT_EQ(words(12s), "12 s old; " + std::string(to_string(model::SubmixState::waiting)));
}

TEST_F(PictureAgeTest, IsNotSaidWhileTheShowIsPaused) {
  view_.transport.is_paused = true;
  EXPECT_EQ(words(12s), "");
}

}  // namespace
}  // namespace submix::ui
