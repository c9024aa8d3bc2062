// SPDX-License-Identifier: GPL-3.0-or-later
// How the node treats an untrusted host.
#include "node/host/host_process.hpp"

#include "common/media/frame_pool.hpp"
#include "common/media/mapped_memory.hpp"
#include "node/host/control_block.hpp"
#include "node/host/killed_host.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <unistd.h>

#include <chrono>

namespace submix::host {
namespace {

/// A host that was asked to begin, and the memory that it would write to.
class AskedHost : public ::testing::Test {
 protected:
  ControlBlock& control() { return *reinterpret_cast<ControlBlock*>(memory_.data()); }

  std::shared_ptr<HostProcess> process_ =
      HostProcess::prepare({.slot = "left.fx", .file = "fx.so", .size = {16, 16}}).value();
  std::uint32_t job_ = process_->ask_to_begin({}).value();

 private:
  media::MappedMemory memory_ =
      media::MappedMemory::writable(process_->control_memory(), kControlBytes).value();
};

constexpr std::chrono::hours kForEver(1);

TEST_F(AskedHost, IsNotTakenForAScribblerBeforeAndAfterItsAnswer) {
  EXPECT_FALSE(process_->has_scribbled());
  control().answered.store(job_);
  EXPECT_FALSE(process_->has_scribbled());
  EXPECT_TRUE(process_->has_answered(job_));
}

TEST_F(AskedHost, IsNotWaitedForOnceItScribblesWhereItsAnswerBelongs) {
  control().answered.store(4711);
  process_->wait_for_answer(std::chrono::steady_clock::now() + kForEver);
  EXPECT_TRUE(process_->has_scribbled());
}

TEST_F(AskedHost, IsNotBelievedIfItAnswersAheadOfTheJob) {
  control().answered.store(job_ + 1);
  const auto next = process_->ask({});
  EXPECT_FALSE(process_->has_answered(next));
  EXPECT_TRUE(process_->has_scribbled());
}

TEST_F(AskedHost, ThatIsGoneIsNoScribbler) {
  process_->finish("crashed (SIGSEGV)");
  process_->wait_for_answer(std::chrono::steady_clock::now() + kForEver);
  EXPECT_FALSE(process_->has_scribbled());
  EXPECT_EQ(process_->end(), "crashed (SIGSEGV)");
}

TEST_F(AskedHost, ThatIsKilledKeepsItsSeatUntilItIsGone) {
  media::FramePool pool({16, 16}, 1);
  KilledHost killed;
  EXPECT_TRUE(killed.is_gone());
  killed.keep(process_, *pool.try_acquire());
  EXPECT_FALSE(killed.is_gone());
  EXPECT_FALSE(pool.try_acquire());
  process_->finish("crashed (SIGKILL)");
  EXPECT_TRUE(killed.is_gone());
  EXPECT_TRUE(pool.try_acquire());
}

// Otherwise a crash not yet reported would count as a hang.
TEST_F(AskedHost, ThatHasEndedAndIsNotYetReapedIsNotIdle) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  process_->begin(child, Descriptor());
  EXPECT_TRUE(process_->is_computing());
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(process_->is_computing());
}

}  // namespace
}  // namespace submix::host
