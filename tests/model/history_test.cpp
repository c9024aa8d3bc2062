// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/history.hpp"

#include <gtest/gtest.h>

namespace submix::model {
namespace {

TEST(History, GivesWhatItHasWhileItFills) {
  History history;
  history.push(1);
  history.push(2);
  EXPECT_EQ(history.samples(), (std::vector<float>{1, 2}));
}

TEST(History, ForgetsTheOldestWhenFull) {
  History history;
  for (std::size_t i = 0; i < kHistorySamples + 5; ++i)
    history.push(static_cast<float>(i));
  const auto samples = history.samples();
  ASSERT_EQ(samples.size(), kHistorySamples);
  EXPECT_EQ(samples.front(), 5.0F);
  EXPECT_EQ(samples.back(), static_cast<float>(kHistorySamples + 4));
}

}  // namespace
}  // namespace submix::model
