// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/stage_words.hpp"

#include <gtest/gtest.h>

namespace submix::ui {
namespace {

TEST(StageWords, SpeakOfPcsLayersEffectsAndCables) {
  EXPECT_EQ(
      stage_words("not done, node \"right\": submix \"layer-4\", slot \"source\": no file; or "
                  "node \"left\""),
      "not done, PC \"right\": layer \"layer-4\", effect \"source\": no file; or PC "
      "\"left\"");
  EXPECT_EQ(stage_words("1 of 2 submixes run the new show: the node's links carry no more."),
            "1 of 2 layers run the new show: the PC's cables carry no more.");
  EXPECT_EQ(stage_words("not done: NATS is out of reach"), "not done: the server is out of reach");
  EXPECT_EQ(stage_words("the disk is full"), "the disk is full");
}

TEST(StageWords, LeaveNamesAsTheyAre) {
  EXPECT_EQ(stage_words("PC \"node\", layer \"my slot\": the slot"),
            "PC \"node\", layer \"my slot\": the effect");
  EXPECT_EQ(stage_words("/clips/link.mov and left.link, submix-node, node_2; a \"cut na"),
            "/clips/link.mov and left.link, submix-node, node_2; a \"cut na");
}

}  // namespace
}  // namespace submix::ui
