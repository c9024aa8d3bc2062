// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/key_question.hpp"

#include <gtest/gtest.h>

#include <span>

namespace submix::cluster {
namespace {

TEST(KeyQuestions, AreReadAsTheyWereWritten) {
  const KeyQuestion question{Identity::random().public_key(), random_challenge()};
  auto bytes = encode(question);
  EXPECT_EQ(parse_key_question(bytes), question);
  for (std::size_t count = 0; count < bytes.size(); ++count)
    EXPECT_FALSE(parse_key_question(std::span(bytes).first(count))) << count;
  bytes.back() = 'x';
  EXPECT_FALSE(parse_key_question(bytes));
}

}  // namespace
}  // namespace submix::cluster
