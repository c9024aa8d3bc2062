// SPDX-License-Identifier: GPL-3.0-or-later
// Real programs as services: what a service manager hears of them, and that it hears nothing of a
// program that is stuck.
#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/cluster.hpp"
#include "controller/local/nats_server.hpp"
#include "tests/support/notify_listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace submix {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 30s;  // for what comes: a busy machine is slow
constexpr auto kSilence = 6s;    // for what must not come; two seconds lie between two messages

constexpr const char* kShow = "[show]\nname = \"solo\"\n[[node]]\nname = \"left\"\n";

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

/// A file whose reader waits until somebody writes, as on a network drive that does not answer.
class StuckFile {
 public:
  explicit StuckFile(std::filesystem::path path) : path_(std::move(path)) {
    std::filesystem::create_directories(path_.parent_path());
    ::mkfifo(path_.c_str(), 0600);
  }
  /// Waits for the reader.
  void release() const { const Descriptor writer(::open(path_.c_str(), O_WRONLY | O_CLOEXEC)); }

 private:
  const std::filesystem::path path_;
};

TEST_F(ServicesTest, ANodeIsReadyAndAliveButNotWhileItsAgentIsStuck) {
  const StuckFile good_show(folder_ / "state" / "submix/good-shows/left.toml");
  const auto server = local::NatsServer::start({folder_ / "nats"});
  ASSERT_TRUE(server) << server.error().message;
  auto node = start({SUBMIX_NODE, "--name", "left", "--nats", server->url(), "--realtime", "off",
                     "--media", folder_.path(), "--recordings", folder_.path()});
  ASSERT_TRUE(node) << node.error().message;
  expect_life();

  const auto bus = cluster::Bus::connect({.url = server->url(), .name = "test"});
  ASSERT_TRUE(bus) << bus.error().message;
  ASSERT_TRUE(cluster::Cluster(**bus).put_show({kShow, "test"}, {}));
  expect_silence();

  good_show.release();
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
