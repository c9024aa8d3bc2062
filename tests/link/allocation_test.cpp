// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/allocation_count.hpp"
#include "tests/link/steady_stream.hpp"

#include <gtest/gtest.h>

namespace submix::link {
namespace {

class StreamAllocation : public testing::SteadyStream {};

TEST_P(StreamAllocation, IsNoneForAFrameOnceTheStreamRuns) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer allocates in its own way";
  EXPECT_EQ(growth(allocation_count), 0U);
}

INSTANTIATE_TEST_SUITE_P(Of, StreamAllocation, ::testing::ValuesIn(testing::kSteadyKinds),
                         testing::name_of);

}  // namespace
}  // namespace submix::link
