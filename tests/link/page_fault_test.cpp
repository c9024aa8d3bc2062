// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/link/steady_stream.hpp"
#include "tests/support/sanitized.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace submix::link {
namespace {

using testing::kIsSanitized;

/// Of the whole process: both ends of the stream are in it.
std::uint64_t page_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_minflt) + static_cast<std::uint64_t>(usage.ru_majflt);
}

class StreamPageFaults : public testing::SteadyStream {};

TEST_P(StreamPageFaults, AreNoneForAFrameOnceTheStreamRuns) {
  if (kIsSanitized) GTEST_SKIP() << "the sanitizer touches memory of its own";
  EXPECT_EQ(growth(page_faults), 0U);
}

INSTANTIATE_TEST_SUITE_P(Of, StreamPageFaults, ::testing::ValuesIn(testing::kSteadyKinds), testing::name_of);

}  // namespace
}  // namespace submix::link
