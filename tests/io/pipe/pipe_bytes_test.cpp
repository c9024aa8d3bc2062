// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/pipe/pipe_bytes.hpp"

#include "tests/io/pipe/pipe_ends.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/socket.h>

#include <csignal>
#include <numeric>

namespace submix::io {
namespace {

using std::chrono::milliseconds;
using testing::Bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::PipeEnds;

Bytes counted_bytes(std::size_t count) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes;
}

TEST(PipeBytes, PeekedBytesAreReadOnceMore) {
  const PipeEnds pipe;
  pipe.write(counted_bytes(8));
  PipeBytes bytes(pipe.reading.get());
  EXPECT_THAT(bytes.peek(3, {}).value(), ElementsAre(0, 1, 2));
  Bytes read(5);
  EXPECT_EQ(bytes.read(read, {}).value(), 5U);
  EXPECT_THAT(read, ElementsAre(0, 1, 2, 3, 4));
}

TEST(PipeBytes, TheEndComesAfterFewerBytes) {
  PipeEnds pipe;
  pipe.write(counted_bytes(3));
  pipe.writing = Descriptor();
  PipeBytes bytes(pipe.reading.get());
  Bytes read(5);
  EXPECT_EQ(bytes.read(read, {}).value(), 3U);
  EXPECT_EQ(bytes.read(read, {}).value(), 0U);
  EXPECT_EQ(bytes.read_some(read, {}).value(), 0U);
}

TEST(PipeBytes, AStopEndsTheWaitForASilentWriter) {
  const PipeEnds pipe;
  PipeBytes bytes(pipe.reading.get());
  std::stop_source stop;
  stop.request_stop();
  Bytes read(5);
  EXPECT_EQ(bytes.read(read, stop.get_token()).value(), 0U);
}

class PipeSinkTest : public ::testing::Test {
 protected:
  PipeSinkTest() { std::signal(SIGPIPE, SIG_IGN); }  // as every program of Submix does
};

TEST_F(PipeSinkTest, AReaderThatStopsLeavesTheRestAndGetsItLater) {
  const PipeEnds pipe;
  PipeSink sink(pipe.writing.get());
  const auto bytes = counted_bytes(3 << 20);
  std::span<const std::uint8_t> left(bytes);
  EXPECT_EQ(sink.write(left, milliseconds(1)).value(), PipeSink::Outcome::not_yet);
  ASSERT_LT(left.size(), bytes.size());

  Bytes read;
  while (read.size() < bytes.size()) {
    testing::append(read, pipe.text_so_far());
    static_cast<void>(sink.write(left, milliseconds(1)).value());
  }
  EXPECT_EQ(read, bytes);
}

// The shell's other programs may hold the same end.
TEST_F(PipeSinkTest, ThePipeStaysBlockingForOthers) {
  const PipeEnds pipe;
  PipeSink sink(pipe.writing.get());
  const auto bytes = counted_bytes(16);
  std::span<const std::uint8_t> left(bytes);
  EXPECT_EQ(sink.write(left, milliseconds(1)).value(), PipeSink::Outcome::written);
  EXPECT_EQ(::fcntl(pipe.writing.get(), F_GETFL) & O_NONBLOCK, 0);
}

TEST_F(PipeSinkTest, AReaderThatIsGoneClosesAPipeAndASocket) {
  PipeEnds pipe;
  pipe.reading = Descriptor();
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  const Descriptor socket(ends[0]);
  ::close(ends[1]);
  for (const int descriptor : {pipe.writing.get(), socket.get()}) {
    PipeSink sink(descriptor);
    const auto bytes = counted_bytes(16);
    std::span<const std::uint8_t> left(bytes);
    EXPECT_EQ(sink.write(left, milliseconds(1)).value(), PipeSink::Outcome::closed);
  }
}

TEST_F(PipeSinkTest, AFullDiskIsNamed) {
  const Descriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  PipeSink sink(full.get());
  const auto bytes = counted_bytes(16);
  std::span<const std::uint8_t> left(bytes);
  const auto written = sink.write(left, milliseconds(1));
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("No space left on device"));
}

}  // namespace
}  // namespace submix::io
