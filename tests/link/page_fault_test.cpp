// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/link/steady_stream.hpp"
#include "tests/support/sanitized.hpp"

#include <gtest/gtest.h>

namespace submix::link {
namespace {

using testing::kIsSanitized;

class StreamPageFaults : public testing::SteadyStream {};

TEST_P(StreamPageFaults, AreNoneForAFrameOnceTheStreamRuns) {
  if (kIsSanitized) GTEST_SKIP() << "the sanitizer touches memory of its own";
  EXPECT_EQ(growth(testing::page_faults), 0U);
}

INSTANTIATE_TEST_SUITE_P(Of, StreamPageFaults, ::testing::ValuesIn(testing::kSteadyKinds),
                         testing::name_of);

}  // namespace
}  // namespace submix::link
