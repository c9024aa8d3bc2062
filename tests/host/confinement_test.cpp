// SPDX-License-Identifier: GPL-3.0-or-later
// What a confined process can still do to others: a real child, confined as a plugin's host is.
#include "node/host/confinement.hpp"

#include "common/base/descriptor.hpp"
#include "tests/support/silent_listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace submix::host {
namespace {

constexpr std::size_t kMemoryBytes = std::size_t{4} << 30U;
constexpr int kNotConfined = 255;

/// Runs `deed` in a confined child and returns its answer, 0 to 254.
int confined(const std::function<int()>& deed, const Allowance& allowance) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(confine(allowance) ? deed() : kNotConfined);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  return WEXITSTATUS(status);
}

int confined(const std::function<int()>& deed, bool uses_network = false) {
  return confined(
      deed,
      Allowance{.readable = {}, .memory_bytes_max = kMemoryBytes, .uses_network = uses_network});
}

bool has_landlock() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

/// The number of the error, or 0.
int error_of(long result) {
  return result < 0 ? errno : 0;
}

int folder() {
  return ::open("/usr", O_RDONLY | O_DIRECTORY);
}

/// A way to make the kernel signal another process.
struct ForbiddenDeed {
  const char* name;
  std::function<int()> run;
};

class Confined : public ::testing::TestWithParam<ForbiddenDeed> {};

TEST_P(Confined, CannotMakeTheKernelSignalOthers) {
  EXPECT_EQ(confined(GetParam().run), EPERM);
}

const std::array kDeeds{
    ForbiddenDeed{"SetOwner", [] { return error_of(::fcntl(folder(), F_SETOWN, ::getppid())); }},
    ForbiddenDeed{"SetOwnerOfThread",
                  [] {
                    const f_owner_ex owner{F_OWNER_PID, ::getppid()};
                    return error_of(::fcntl(folder(), F_SETOWN_EX, &owner));
                  }},
    ForbiddenDeed{"SetSignal", [] { return error_of(::fcntl(folder(), F_SETSIG, SIGKILL)); }},
    ForbiddenDeed{"Notify",
                  [] { return error_of(::fcntl(folder(), F_NOTIFY, DN_ACCESS | DN_MULTISHOT)); }},
    ForbiddenDeed{"Lease", [] { return error_of(::fcntl(folder(), F_SETLEASE, F_RDLCK)); }},
    ForbiddenDeed{"Asynchronous", [] { return error_of(::fcntl(folder(), F_SETFL, O_ASYNC)); }},
    ForbiddenDeed{"AsynchronousAmongOthers",
                  [] { return error_of(::fcntl(folder(), F_SETFL, O_NONBLOCK | O_ASYNC)); }},
    ForbiddenDeed{"SetOwnerWithHighBits",
                  [] {
                    return error_of(
                        ::syscall(SYS_fcntl, folder(), (1ULL << 32U) | F_SETOWN, ::getppid()));
                  }},
    ForbiddenDeed{"IoctlAsynchronous",
                  [] {
                    int on = 1;
                    return error_of(::ioctl(folder(), FIOASYNC, &on));
                  }},
    ForbiddenDeed{"IoctlOwner",
                  [] {
                    int owner = ::getppid();
                    return error_of(::ioctl(STDIN_FILENO, FIOSETOWN, &owner));
                  }},
    ForbiddenDeed{"IoctlGroup",
                  [] {
                    int owner = ::getppid();
                    return error_of(::ioctl(STDIN_FILENO, SIOCSPGRP, &owner));
                  }},
    ForbiddenDeed{"DeathSignal", [] { return error_of(::prctl(PR_SET_PDEATHSIG, SIGKILL)); }},
    ForbiddenDeed{"Timer",
                  [] {
                    sigevent event{};
                    event.sigev_notify = SIGEV_SIGNAL;
                    event.sigev_signo = SIGUSR1;
                    int timer = 0;  // the kernel's own kind
                    return error_of(::syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer));
                  }},
    ForbiddenDeed{"Alarm", [] { return error_of(::syscall(SYS_alarm, 1)); }},
    ForbiddenDeed{"Queue", [] { return error_of(::syscall(SYS_mq_notify, 0, nullptr)); }},
    ForbiddenDeed{"Kill", [] { return error_of(::kill(::getppid(), 0)); }},
    ForbiddenDeed{"KillGroup", [] { return error_of(::kill(0, 0)); }},
    ForbiddenDeed{"KillAll", [] { return error_of(::kill(-1, 0)); }},
    ForbiddenDeed{"KillThread",
                  [] { return error_of(::syscall(SYS_tgkill, ::getppid(), ::getppid(), 0)); }},
    ForbiddenDeed{"KillAnyThread", [] { return error_of(::syscall(SYS_tkill, ::getppid(), 0)); }},
    ForbiddenDeed{"QueueSignal",
                  [] {
                    siginfo_t signal{};
                    signal.si_code = SI_QUEUE;
                    return error_of(::syscall(SYS_rt_sigqueueinfo, ::getppid(), SIGUSR1, &signal));
                  }},
    ForbiddenDeed{"ProcessDescriptor",
                  [] { return error_of(::syscall(SYS_pidfd_open, ::getppid(), 0)); }},
    ForbiddenDeed{
        "Trace", [] { return error_of(::syscall(SYS_ptrace, 16, ::getppid(), nullptr, nullptr)); }},
};

INSTANTIATE_TEST_SUITE_P(EachDeed, Confined, ::testing::ValuesIn(kDeeds),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(Confinement, LeavesAPluginTheHarmlessUsesOfFcntl) {
  EXPECT_EQ(confined([] {
              const int file = folder();
              const int copy = ::fcntl(file, F_DUPFD_CLOEXEC, 10);
              const bool is_fine = copy >= 10 && ::fcntl(file, F_DUPFD, 10) > copy &&
                                   ::fcntl(copy, F_GETFD) == FD_CLOEXEC &&
                                   ::fcntl(copy, F_SETFD, 0) == 0 && ::fcntl(copy, F_GETFL) >= 0 &&
                                   ::fcntl(copy, F_SETFL, O_NONBLOCK) == 0;
              return is_fine ? 0 : 1;
            }),
            0);
}

TEST(Confinement, LetsAProcessReadInAFolderThatIsOpen) {
  const testing::TemporaryFolder media;
  std::filesystem::create_directory(media / "series");
  std::ofstream(media / "series/1.png") << "picture";
  std::ofstream(media / "secret") << "secret";
  const Descriptor series(::open((media / "series").c_str(), O_RDONLY | O_DIRECTORY));
  const auto error_of_opening = [&](const char* name, int readable_folder) {
    const auto open = [&] { return error_of(::openat(series.get(), name, O_RDONLY)); };
    return confined(
        open,
        {.readable = {}, .readable_folder = readable_folder, .memory_bytes_max = kMemoryBytes});
  };
  EXPECT_EQ(error_of_opening("1.png", series.get()), 0);
  if (!has_landlock()) GTEST_SKIP() << "this kernel has no Landlock";
  EXPECT_EQ(error_of_opening("1.png", -1), EACCES);
  EXPECT_EQ(error_of_opening("../secret", series.get()), EACCES);
}

/// The error of making a socket, with the right to the network or without it.
int error_of_socket(int family, int type, bool uses_network) {
  return confined([&] { return error_of(::socket(family, type, 0)); }, uses_network);
}

TEST(Confinement, GivesTcpAndUdpToAProcessOfTheNetworkOnly) {
  for (const int family : {AF_INET, AF_INET6}) {
    for (const int type : {int{SOCK_STREAM}, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK}) {
      EXPECT_NE(error_of_socket(family, type, true), EPERM);
      EXPECT_EQ(error_of_socket(family, type, false), EPERM);
    }
  }
}

TEST(Confinement, GivesAProcessOfTheNetworkNoOtherSocket) {
  for (const auto type : {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET})
    EXPECT_EQ(error_of_socket(AF_UNIX, type, true), EPERM) << "a desktop's programs listen there";
  EXPECT_EQ(error_of_socket(AF_INET, SOCK_RAW, true), EPERM);
  EXPECT_EQ(error_of_socket(AF_INET, SOCK_SEQPACKET, true), EPERM);
  EXPECT_EQ(error_of_socket(AF_NETLINK, SOCK_RAW, true), EPERM);
  EXPECT_EQ(error_of_socket(AF_PACKET, SOCK_DGRAM, true), EPERM);
}

TEST(Confinement, LetsAProcessOfTheNetworkConnectAndRestrictsItsFiles) {
  const testing::SilentListener listener;
  const auto connect = [&] {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(listener.port());
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    return error_of(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)));
  };
  EXPECT_EQ(confined(connect, true), 0);
  EXPECT_EQ(confined([] { return error_of(::open("/tmp/x", O_WRONLY | O_CREAT, 0600)); }, true),
            EPERM);
  EXPECT_EQ(confined([] { return error_of(::fcntl(folder(), F_SETOWN, ::getppid())); }, true),
            EPERM);
}

/// A confined child that waits for a command to go on.
class Waiting {
 public:
  Waiting() {
    EXPECT_EQ(::pipe(ready_.data()), 0);
    EXPECT_EQ(::pipe(go_.data()), 0);
    child_ = ::fork();
    if (child_ != 0) return;
    char byte = confine({.readable = {}, .memory_bytes_max = kMemoryBytes}) ? 'y' : 'n';
    static_cast<void>(::write(ready_[1], &byte, 1));
    ::close(go_[1]);
    static_cast<void>(::read(go_[0], &byte, 1));
    ::_exit(0);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() {
    for (const int end : {ready_[0], ready_[1], go_[0], go_[1]})
      ::close(end);
    ::waitpid(child_, nullptr, 0);
  }
  [[nodiscard]] bool is_confined() const {
    char byte = 'n';
    return ::read(ready_[0], &byte, 1) == 1 && byte == 'y';
  }
  /// The first word after `key` in a file of /proc/PID; without a key, the file's first word.
  [[nodiscard]] std::string read(const std::string& name, const std::string& key = "") const {
    std::ifstream file("/proc/" + std::to_string(child_) + "/" + name);
    std::string word;
    while (file >> word && !key.empty() && word != key) {
    }
    if (!key.empty()) file >> word;
    return word;
  }

 private:
  std::array<int, 2> ready_{};
  std::array<int, 2> go_{};
  pid_t child_ = 0;
};

TEST(Confinement, LeavesNoCapabilityInAnySet) {
  const Waiting host;
  ASSERT_TRUE(host.is_confined());
  const std::string none(16, '0');
  for (const auto* set : {"CapInh:", "CapPrm:", "CapEff:", "CapAmb:"})
    EXPECT_EQ(host.read("status", set), none) << set;
  if (::geteuid() != 0) return;  // only root may change the bounding set
  EXPECT_EQ(host.read("status", "CapBnd:"), none);
}

TEST(Confinement, OffersTheHostToTheOomKillerBeforeTheNode) {
  int own = 0;
  std::ifstream("/proc/self/oom_score_adj") >> own;
  const Waiting host;
  ASSERT_TRUE(host.is_confined());
  EXPECT_EQ(std::stoi(host.read("oom_score_adj")), std::min(own + 300, 1000));
}

}  // namespace
}  // namespace submix::host
