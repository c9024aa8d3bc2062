// SPDX-License-Identifier: GPL-3.0-or-later
// Two PCs with identities bind the show's key to both: others have that key, too.
#include "tests/link/stream_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace submix::link {
namespace {

wire::Key filled(std::uint8_t letter) {
  wire::Key key{};
  key.fill(letter);
  return key;
}
const auto kShowKey = filled(1);
const auto kSecret = filled(2);  // of the PCs of "left" and "mix"
const auto kNextShowKey = filled(3);

class PartnerTest : public testing::StreamFixture {
 protected:
  PartnerTest() {
    left = start_on_pc_with_identity("left");
    mix = start_on_pc_with_identity("mix");
    left->set_partner("mix", kSecret);
  }
  std::unique_ptr<DataPlane> start_on_pc_with_identity(const std::string& node) {
    DataPlaneOptions options{node, {"127.0.0.1", "127.0.0.2"}, 0, kShowKey, &events};
    options.takes_partners_only = true;
    auto plane = DataPlane::start(std::move(options));
    EXPECT_TRUE(plane) << (plane ? "" : plane.error().message);
    return plane ? std::move(*plane) : nullptr;
  }
  void expect_frames(const std::shared_ptr<StreamSender>& sender) {
    const auto producer = produce(sender, 0, 20);
    for (std::uint64_t index = 0; index < 20; ++index)
      ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver_, index));
  }
  [[nodiscard]] bool is_any_link_open() const {
    const auto links = receiver_->telemetry().links;
    return std::ranges::any_of(
        links, [](const auto& link) { return link.state == telemetry::LinkState::open; });
  }
  /// Another PC that has the show's key takes the place of "left".
  void expect_refusal_of_impostor(const std::optional<wire::Key>& its_secret) {
    mix->set_partner("left", kSecret);
    receiver_ = open_receiver();
    left = start("left", events, kShowKey);
    left->set_partner("mix", its_secret);
    const auto sender = open_sender();
    EXPECT_TRUE(testing::eventually([&] {
      return events.has("refused: node mix has another key");
    })) << events.all();
    EXPECT_FALSE(is_any_link_open());
  }

  std::shared_ptr<StreamReceiver> receiver_;
};

TEST_F(PartnerTest, HaveLinksThatAreBoundToBoth) {
  mix->set_partner("left", kSecret);
  receiver_ = open_receiver();
  ASSERT_NO_FATAL_FAILURE(expect_frames(open_sender()));
  EXPECT_FALSE(events.has("another key")) << events.all();
}

TEST_F(PartnerTest, GoOnWithTheShowsNextKey) {
  mix->set_partner("left", kSecret);
  for (auto* plane : {left.get(), mix.get()})
    plane->set_keys(kNextShowKey, {});
  receiver_ = open_receiver();
  ASSERT_NO_FATAL_FAILURE(expect_frames(open_sender()));
}

TEST_F(PartnerTest, AreNotImitatedByAPcThatHasTheShowsKeyOnly) {
  expect_refusal_of_impostor(std::nullopt);
}

TEST_F(PartnerTest, AreNotImitatedByAPcWithAnotherIdentity) {
  expect_refusal_of_impostor(filled(9));
}

TEST_F(PartnerTest, WaitUntilTheOtherIsKnown) {
  receiver_ = open_receiver();
  const auto sender = open_sender();
  ASSERT_TRUE(testing::eventually([&] {
    const auto links = sender->telemetry().links;
    return !links.empty() &&
           links[0].error.find("node mix does not know node left (yet)") != std::string::npos;
  }));
  EXPECT_FALSE(is_any_link_open());
  mix->set_partner("left", kSecret);
  ASSERT_NO_FATAL_FAILURE(expect_frames(sender));
}

// It has joined by a key file, as nodes of earlier versions always do.
TEST_F(PartnerTest, TakeANodeWithoutAnIdentityByTheShowsKey) {
  mix->set_partner("left", std::nullopt);
  left->set_partner("mix", std::nullopt);
  receiver_ = open_receiver();
  ASSERT_NO_FATAL_FAILURE(expect_frames(open_sender()));
}

}  // namespace
}  // namespace submix::link
