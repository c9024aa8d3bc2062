// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/key_message.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace submix::cluster {
namespace {

class KeyMessages : public ::testing::Test {
 protected:
  const Identity desk_ = Identity::random();
  const Identity rack1_ = Identity::random();
  const Identity rack2_ = Identity::random();
  const Identity stranger_ = Identity::random();
  const NumberedKey key_{ShowKey::random(), 7};
  const std::vector<PublicKey> both_{rack1_.public_key(), rack2_.public_key()};
  const std::string offer_ = write_offer(desk_, both_, key_);
};

TEST_F(KeyMessages, AnOfferIsReadByEachPcThatItIsFor) {
  EXPECT_EQ(read_offer(offer_, rack1_, desk_.public_key()), key_);
  EXPECT_EQ(read_offer(offer_, rack2_, desk_.public_key()), key_);
  EXPECT_EQ(offer_.find(key_.key.text()), std::string::npos);
}

TEST_F(KeyMessages, AnOfferTellsNobodyElse) {
  const auto without_rack2 = write_offer(desk_, {rack1_.public_key()}, key_);
  EXPECT_FALSE(read_offer(without_rack2, rack2_, desk_.public_key()));
  // Not even under another name.
  auto renamed = without_rack2;
  const auto own = to_text(rack1_.public_key());
  renamed.replace(renamed.find(own), own.size(), to_text(rack2_.public_key()));
  EXPECT_FALSE(read_offer(renamed, rack2_, desk_.public_key()));
}

TEST_F(KeyMessages, AnOfferOfSomebodyElseIsNoOffer) {
  EXPECT_FALSE(read_offer(write_offer(stranger_, both_, key_), rack1_, desk_.public_key()));
  EXPECT_FALSE(read_offer(write_offer(rack2_, both_, key_), rack1_, desk_.public_key()));
}

TEST_F(KeyMessages, AChangedOfferIsNoOffer) {
  const auto sealed = write_offer(desk_, {rack1_.public_key()}, key_);
  const auto begin = sealed.find("sealed\":\"") + 9;
  for (auto place = begin; place < sealed.size() - 4; place += 5) {
    auto changed = sealed;
    changed[place] = changed[place] == '0' ? '1' : '0';
    EXPECT_FALSE(read_offer(changed, rack1_, desk_.public_key())) << place;
  }
  for (std::size_t count = 0; count < sealed.size(); count += 3)
    EXPECT_FALSE(read_offer(sealed.substr(0, count), rack1_, desk_.public_key())) << count;
}

// crypto_box has one key for both directions: what a PC has said must not come back as the desk's.
TEST_F(KeyMessages, AMessageServesNoOtherPurpose) {
  const auto answer = write_answer(desk_, rack1_.public_key(), key_, "challenge");
  const auto as_offer = R"({"entries":[{"pc":")" + to_text(rack1_.public_key()) +
                        R"(","sealed":")" + answer + R"("}]})";
  EXPECT_FALSE(read_offer(as_offer, rack1_, desk_.public_key()));
  const auto as_reply =
      R"({"pc":")" + to_text(rack1_.public_key()) + R"(","sealed":")" + answer + R"("})";
  EXPECT_FALSE(read_reply(as_reply, desk_));
}

TEST_F(KeyMessages, AnAnswerIsForOneChallengeOnly) {
  const auto challenge = random_challenge();
  const auto answer = write_answer(desk_, rack1_.public_key(), key_, challenge);
  EXPECT_EQ(read_answer(answer, rack1_, desk_.public_key(), challenge), key_);
  EXPECT_FALSE(read_answer(answer, rack1_, desk_.public_key(), random_challenge()));
  EXPECT_FALSE(read_answer(answer, rack2_, desk_.public_key(), challenge));
  EXPECT_FALSE(read_answer(answer, rack1_, stranger_.public_key(), challenge));
}

TEST_F(KeyMessages, AReplyNamesThePcThatSentIt) {
  const KeyReply reply{rack1_.public_key(), "submix-node left", 7};
  const auto written = write_reply(rack1_, desk_.public_key(), reply);
  EXPECT_EQ(read_reply(written, desk_), reply);
  EXPECT_FALSE(read_reply(written, stranger_));
  auto renamed = written;
  const auto own = to_text(rack1_.public_key());
  renamed.replace(renamed.find(own), own.size(), to_text(rack2_.public_key()));
  EXPECT_FALSE(read_reply(renamed, desk_));
}

TEST_F(KeyMessages, AnOfferForAsManyPcsAsADeskKnowsFitsOneMessage) {
  const std::vector<PublicKey> many(kPeersMax, rack1_.public_key());
  const auto offer = write_offer(desk_, many, key_);
  EXPECT_LT(offer.size(), std::size_t{512} * 1024);
  EXPECT_EQ(read_offer(offer, rack1_, desk_.public_key()), key_);
}

TEST(Identities, AreReadAsTextOnly) {
  const auto key = Identity::random().public_key();
  EXPECT_EQ(parse_public_key(to_text(key)), key);
  for (const auto* text : {"", "00", "submix"})
    EXPECT_FALSE(parse_public_key(text)) << text;
  EXPECT_FALSE(parse_public_key(to_text(key) + "00"));
  std::set<std::string> challenges;
  for (int i = 0; i < 100; ++i)
    challenges.insert(random_challenge());
  EXPECT_EQ(challenges.size(), 100U);
}

}  // namespace
}  // namespace submix::cluster
