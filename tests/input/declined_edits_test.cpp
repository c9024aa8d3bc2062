// SPDX-License-Identifier: GPL-3.0-or-later
// Edits from outside that nodes decline. The input service runs its threads against a real session
// and fake nodes.
#include "tests/input/input_service_bench.hpp"

#include "tests/input/osc_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::input {
namespace {

using ::testing::HasSubstr;
using testing::OscClient;

/// A bench whose nodes decline every edit of submix "left".
class DeclinedEdits : public InputServiceBench {
 protected:
  DeclinedEdits() {
    cluster_->on_ask([](const show::Show* before, const show::Show& after) -> session::NodeCheck {
      const bool moves =
          before != nullptr && before->find_submix("left")->node != after.find_submix("left")->node;
      if (!moves) return {};
      return {.refusals = {"node \"rack2\": left.clip: there is no such file"}};
    });
    // Makes the session's threads see the settings made before.
    EXPECT_TRUE(session_->post(session::Say{Severity::note, "test", "nodes decline"}));
    EXPECT_TRUE(until([&] { return is_said("nodes decline"); }));
  }
};

TEST_F(DeclinedEdits, ByOscLeaveTheShowAsItWasAndSayWhy) {
  const auto before = *session_->view()->show;
  OscClient client(osc());
  client.send("/subscribe", "s", "/assign/left");
  EXPECT_EQ(client.wait_for("/assign/left"), "rack1");
  client.send("/assign/left", "s", "rack2");
  EXPECT_TRUE(
      until([&] { return is_said("not done, node \"rack2\": left.clip: there is no such file"); }));
  EXPECT_TRUE(until([&] { return !session_->view()->edit.is_writing; }));
  EXPECT_EQ(*session_->view()->show, before);
  client.send("/assign/left", "");
  EXPECT_EQ(client.wait_for("/assign/left"), "rack1") << "the sender can ask where it ended up";
}

TEST_F(DeclinedEdits, OfACueLeaveTheShowAsItWas) {
  auto show = model::sample::show();
  show.cues = {{"move",
                "",
                0,
                {},
                {show::CueAssign{"left", "rack2"}, show::CueBypass{{"left", "glow"}, true}}}};
  cluster_->set_revision(2);
  cluster_->say(session::ShowUpdate{{show::to_toml(show), "somebody"}, 2});
  ASSERT_TRUE(until([&] { return !session_->view()->show->cues.empty(); }));
  OscClient client(osc());
  client.send("/go/move", "");
  EXPECT_TRUE(until([&] { return is_said("not done, node \"rack2\""); }));
  EXPECT_TRUE(until([&] { return !session_->view()->edit.is_writing; }));
  EXPECT_EQ(*session_->view()->show, show) << "all of a cue, or nothing";
}

}  // namespace
}  // namespace submix::input
