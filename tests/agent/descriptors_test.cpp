// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

namespace submix::agent {
namespace {

rlimit limit_of(pid_t process) {
  rlimit limit{};
  if (::prlimit(process, RLIMIT_NOFILE, nullptr, &limit) != 0)
    throw std::runtime_error("no prlimit");
  return limit;
}

/// Processes started meanwhile get fewer descriptors than the hard limit.
class FewDescriptors {
 public:
  FewDescriptors() : usual_(limit_of(0)) {
    const rlimit few{.rlim_cur = usual_.rlim_max / 2, .rlim_max = usual_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
  }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &usual_); }

 private:
  const rlimit usual_;
};

TEST(NodeDescriptors, AreAsManyAsItMayHave) {
  const FewDescriptors few;
  const testing::TemporaryFolder folder;
  const auto log = folder / "log";
  auto node = ChildProcess::start({SUBMIX_NODE, "--name", "a", "--nats", "nats://127.0.0.1:1",
                                   "--realtime", "off", "--data-address", "127.0.0.1"},
                                  log);
  ASSERT_TRUE(node) << node.error().message;
  const auto is_raised = [&] {
    const auto limit = limit_of(node->pid());
    return limit.rlim_cur == limit.rlim_max;
  };
  while (!is_raised() && !node->exit_status())  // bounded by ctest
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(is_raised()) << read_text_file(log).value_or("no log");
}

}  // namespace
}  // namespace submix::agent
