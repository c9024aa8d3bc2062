// SPDX-License-Identifier: GPL-3.0-or-later
// Real programs as services: what a service manager hears of them, and that it hears nothing of a
// program that is stuck.
#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "common/cluster/show_key.hpp"
#include "controller/local/nats_server.hpp"
#include "tests/support/notify_listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace submix {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 30s;  // for what comes: a busy machine is slow
constexpr auto kSilence = 6s;    // for what must not come; two seconds lie between two messages

class ServicesTest : public ::testing::Test {
 protected:
  ServicesTest() : listener_(folder_ / "notify") {
    ::setenv("NOTIFY_SOCKET", listener_.address().c_str(), 1);
    ::setenv("XDG_STATE_HOME", (folder_ / "state").c_str(), 1);
  }
  ~ServicesTest() override {
    ::unsetenv("NOTIFY_SOCKET");
    ::unsetenv("XDG_STATE_HOME");
  }

  Result<ChildProcess> start(const std::vector<std::string>& command) {
    return ChildProcess::start(command, folder_ / "log");
  }
  [[nodiscard]] std::string log() const { return read_text_file(folder_ / "log").value_or(""); }

  void expect_life() {
    EXPECT_EQ(listener_.next(kPatience), "READY=1") << log();
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(listener_.next(kPatience), "WATCHDOG=1") << log();
  }
  /// A message or two may be under way.
  void expect_silence() {
    for (int i = 0; i < 2; ++i) {
      if (listener_.next(kSilence).empty()) return;
    }
    EXPECT_EQ(listener_.next(kSilence), "") << log();
  }

  const testing::TemporaryFolder folder_;
  const testing::NotifyListener listener_;
};

/// A thread of another process. It stands still until release(), as if a network drive did not
/// answer.
class StuckThread {
 public:
  StuckThread(pid_t process, std::string_view name) : thread_(find(process, name)) {
    const bool is_ours = thread_ > 0 && ::ptrace(PTRACE_SEIZE, thread_, nullptr, nullptr) == 0;
    is_stuck_ = is_ours && ::ptrace(PTRACE_INTERRUPT, thread_, nullptr, nullptr) == 0 &&
                ::waitpid(thread_, nullptr, __WALL) == thread_;
  }
  [[nodiscard]] bool is_stuck() const { return is_stuck_; }
  void release() const { ::ptrace(PTRACE_DETACH, thread_, nullptr, nullptr); }

 private:
  static pid_t find(pid_t process, std::string_view name) {
    const auto threads = std::filesystem::path("/proc") / std::to_string(process) / "task";
    for (const auto& entry : std::filesystem::directory_iterator(threads)) {
      if (read_text_file(entry.path() / "comm").value_or("") == std::string(name) + "\n")
        return std::atoi(entry.path().filename().c_str());
    }
    return 0;
  }

  const pid_t thread_;
  bool is_stuck_ = false;
};

TEST_F(ServicesTest, ANodeIsReadyAndAliveButNotWhileItsAgentIsStuck) {
  const auto server = local::NatsServer::start({folder_ / "nats"});
  ASSERT_TRUE(server) << server.error().message;
  auto node = start({SUBMIX_NODE, "--name", "left", "--nats", server->url(), "--realtime", "off",
                     "--media", folder_.path(), "--recordings", folder_.path()});
  ASSERT_TRUE(node) << node.error().message;
  expect_life();

  const StuckThread agent(node->pid(), "agent");
  ASSERT_TRUE(agent.is_stuck()) << std::strerror(errno);
  expect_silence();

  agent.release();
  EXPECT_EQ(listener_.next(kPatience), "WATCHDOG=1") << log();
  node->terminate(10s);
  std::string last;
  for (auto next = listener_.next(0s); !next.empty(); next = listener_.next(0s))
    last = next;
  EXPECT_EQ(last, "STOPPING=1") << log();
}

// nats-server's process id is in the name of the file that tells its port.
pid_t server_in(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (entry.path().extension() == ".ports") return std::atoi(name.c_str() + name.find('_') + 1);
  }
  return 0;
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST_F(ServicesTest, NatsIsReadyAndAliveButNotWhileTheServerIsStuck) {
  const auto key = folder_ / "show.key";
  ASSERT_TRUE(cluster::ShowKey::random().write_new(key));
  auto nats = start({SUBMIX_PROGRAM, "--key", key, "nats", "--listen", "127.0.0.1", "--port", "0",
                     "--folder", folder_ / "nats"});
  ASSERT_TRUE(nats) << nats.error().message;
  expect_life();

  const auto server = server_in(folder_ / "nats");
  ASSERT_GT(server, 1);
  ::kill(server, SIGSTOP);
  expect_silence();

  ::kill(server, SIGCONT);
  EXPECT_EQ(listener_.next(kPatience), "WATCHDOG=1") << log();
  nats->terminate(10s);

  const auto server_log = read_text_file(folder_ / "nats" / "nats-server.log").value_or("");
  EXPECT_LE(count(server_log, "authentication error"), 1) << server_log;  // of the start
}

}  // namespace
}  // namespace submix
