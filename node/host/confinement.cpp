// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/confinement.hpp"

#include "common/base/descriptor.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>

// 1. Order: no new privileges, limits, Landlock (opens folders), no capabilities, seccomp last.
// 2. A system call that is not listed gives EPERM. clone3 gives ENOSYS: libc then calls clone,
//    whose flags a filter can see.
// 3. The filter cannot see paths, and Landlock cannot see old descriptors: each covers the other's
//    gap.
// 4. No call may make the kernel send a signal to another process. This excludes kill() and similar
//    calls, an owner of a descriptor (fcntl, ioctl), a timer, a queue, a lease and a parent's death
//    signal.

namespace submix::host {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

constexpr rlim_t kDescriptorsMax = 64;
// Counted for the user: more than a desktop has by itself.
constexpr rlim_t kThreadsOfUserMax = 4096;

// The kernel ends a host before its node when memory runs out. The kernel's largest score is 1000.
constexpr int kOomScoreAbove = 300;
constexpr int kOomScoreMax = 1000;

// Libraries, their configuration and data such as fonts and classifiers. No user's own files.
// Without the list of fonts, a process reads each font before it draws a letter: seconds.
constexpr std::array kSystemFolders{
    "/usr",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/fonts",
    "/etc/localtime",
    "/var/cache/fontconfig",
};

// What a resolver of names and TLS read. The folders hold the files that systems put in place of
// resolv.conf.
constexpr std::array kNetworkFiles{
    "/etc/hosts",         "/etc/host.conf", "/etc/nsswitch.conf",   "/etc/resolv.conf",
    "/etc/gai.conf",      "/etc/services",  "/etc/ssl/certs",       "/etc/ssl/openssl.cnf",
    "/etc/gnutls/config", "/etc/pki/tls",   "/run/systemd/resolve", "/run/NetworkManager"};

Result<void> limit(__rlimit_resource resource, rlim_t most) {
  rlimit limits{};
  ::getrlimit(resource, &limits);
  limits.rlim_cur = limits.rlim_max = std::min(most, limits.rlim_max);
  if (::setrlimit(resource, &limits) == 0) return {};
  return fail("limit {} cannot be set to {}: {}", static_cast<int>(resource), most,
              std::strerror(errno));
}

Result<void> limit_resources(std::size_t memory_bytes_max) {
  auto done = limit(RLIMIT_CORE, 0)
                  .and_then([] { return limit(RLIMIT_FSIZE, 0); })
                  .and_then([] { return limit(RLIMIT_NOFILE, kDescriptorsMax); })
                  .and_then([] { return limit(RLIMIT_NPROC, kThreadsOfUserMax); });
  // A sanitizer reserves terabytes of addresses.
  if (done && !kIsSanitized) done = limit(RLIMIT_AS, memory_bytes_max);
  return done;
}

// Without /proc, the kernel chooses by size alone.
void offer_to_oom_killer() {
  constexpr auto* kFile = "/proc/self/oom_score_adj";
  int score = 0;
  if (!(std::ifstream(kFile) >> score)) return;
  std::ofstream(kFile) << std::min(score + kOomScoreAbove, kOomScoreMax);
}

// For a node that runs as root. An ordinary user's process has no capabilities and may not change
// the bounding set.
Result<void> drop_capabilities() {
  for (int each = 0; each <= CAP_LAST_CAP; ++each)
    ::prctl(PR_CAPBSET_DROP, each, 0, 0, 0);
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  if (::syscall(SYS_capset, &header, none.data()) == 0) return {};
  return fail("capabilities cannot be dropped: {}", std::strerror(errno));
}

constexpr std::uint64_t kReadFile = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t kReadFolder = kReadFile | LANDLOCK_ACCESS_FS_READ_DIR;

// The file accesses known to each version of the kernel's interface. Some distributions' headers
// lack the newer names.
std::uint64_t file_accesses(long version) {
  std::uint64_t accesses = (std::uint64_t{1} << 13U) - 1;  // version 1: all up to MAKE_SYM
  if (version >= 2) accesses |= std::uint64_t{1} << 13U;   // REFER
  if (version >= 3) accesses |= std::uint64_t{1} << 14U;   // TRUNCATE
  if (version >= 5) accesses |= std::uint64_t{1} << 15U;   // IOCTL_DEV
  return accesses;
}

/// The kernel's landlock_ruleset_attr, up to version 6.
struct Ruleset {
  std::uint64_t files = 0;
  std::uint64_t network = 0;  // since 4: binding and connecting by TCP
  std::uint64_t scopes = 0;   // since 6: abstract sockets, and signals to others
};

void allow_reading(int ruleset, int opened) {
  struct stat status{};
  if (::fstat(opened, &status) != 0) return;  // a missing file needs no permission
  landlock_path_beneath_attr rule{};
  rule.parent_fd = opened;
  rule.allowed_access = S_ISDIR(status.st_mode) ? kReadFolder : kReadFile;
  ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

void allow_reading(int ruleset, const std::filesystem::path& path) {
  const Descriptor opened(::open(path.c_str(), O_PATH | O_CLOEXEC));
  allow_reading(ruleset, opened.get());
}

Result<void> restrict_files(const Allowance& allowance) {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return {};  // this kernel has no Landlock; seccomp still forbids writing
  Ruleset rules{.files = file_accesses(version)};
  std::size_t bytes = sizeof(rules.files);
  if (version >= 4) {
    rules.network = allowance.uses_network ? 0 : 0b11;
    bytes += sizeof(rules.network);
  }
  if (version >= 6) {
    rules.scopes = 0b11;
    bytes += sizeof(rules.scopes);
  }
  const Descriptor ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, bytes, 0)));
  if (!ruleset) return fail("Landlock gives no rules: {}", std::strerror(errno));
  for (const auto* folder : kSystemFolders)
    allow_reading(ruleset.get(), folder);
  for (const auto& path : allowance.readable)
    allow_reading(ruleset.get(), path);
  if (allowance.readable_folder >= 0) allow_reading(ruleset.get(), allowance.readable_folder);
  if (allowance.uses_network) {
    for (const auto* file : kNetworkFiles)
      allow_reading(ruleset.get(), file);
  }
  if (kIsSanitized)
    allow_reading(ruleset.get(), "/proc");  // its runtime reads the process's own map
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
    return fail("Landlock refuses: {}", std::strerror(errno));
  return {};
}

// clang-format off
constexpr std::array kAllowedCalls{
    // memory
    SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mprotect), SCMP_SYS(mremap), SCMP_SYS(madvise),
    // open files, and finding files
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(close),
    SCMP_SYS(lseek), SCMP_SYS(fstat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(statx),
    SCMP_SYS(statfs), SCMP_SYS(fstatfs), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2),
    SCMP_SYS(getdents64), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getcwd),
    // time, sleep, threads
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times),
    SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(futex), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler), SCMP_SYS(getcpu),
    SCMP_SYS(membarrier), SCMP_SYS(rseq), SCMP_SYS(set_robust_list), SCMP_SYS(set_tid_address), SCMP_SYS(poll),
    SCMP_SYS(restart_syscall),
    // the process itself
    SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(gettid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid),
    SCMP_SYS(getegid), SCMP_SYS(getrusage), SCMP_SYS(getrlimit), SCMP_SYS(uname), SCMP_SYS(sysinfo),
    SCMP_SYS(getrandom), SCMP_SYS(arch_prctl), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(exit), SCMP_SYS(exit_group),
    // messages from the node
    SCMP_SYS(recvmsg),
};

// For a process with sockets of its own. These calls reach the node,
// and other processes only by IP.
constexpr std::array kNetworkCalls{
    SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(shutdown),
    SCMP_SYS(sendto), SCMP_SYS(sendmsg), SCMP_SYS(sendmmsg), SCMP_SYS(recvfrom), SCMP_SYS(recvmmsg),
    SCMP_SYS(getsockname), SCMP_SYS(getpeername), SCMP_SYS(getsockopt), SCMP_SYS(setsockopt),
    SCMP_SYS(select), SCMP_SYS(pselect6), SCMP_SYS(ppoll), SCMP_SYS(epoll_create), SCMP_SYS(epoll_create1),
    SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait), SCMP_SYS(eventfd2),
};
// clang-format on

/// The rules of a filter. Keeps the first failure.
class Rules {
 public:
  explicit Rules(scmp_filter_ctx filter) : filter_(filter) {}

  template <typename... Conditions>
  void allow(int call, Conditions... conditions) {
    add(SCMP_ACT_ALLOW, call, conditions...);
  }
  template <typename... Conditions>
  void add(std::uint32_t action, int call, Conditions... conditions) {
    const int error = ::seccomp_rule_add(
        filter_, action, call, static_cast<unsigned>(sizeof...(conditions)), conditions...);
    if (error != 0 && first_error_ == 0) first_error_ = error;
  }
  [[nodiscard]] int first_error() const { return first_error_; }

 private:
  scmp_filter_ctx filter_;
  int first_error_ = 0;
};

// The library's own macros for these are not C++.
scmp_arg_cmp equals(unsigned argument, scmp_datum_t value) {
  return {argument, SCMP_CMP_EQ, value, 0};
}
scmp_arg_cmp has_bits(unsigned argument, scmp_datum_t mask, scmp_datum_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

// All other commands are refused: F_SETOWN, F_SETSIG, F_NOTIFY and leases make the kernel send
// signals.
void allow_fcntl(Rules& rules) {
  for (const int command : {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC, F_GET_SEALS})
    rules.allow(SCMP_SYS(fcntl), equals(1, static_cast<scmp_datum_t>(command)));
  rules.allow(SCMP_SYS(fcntl), equals(1, F_SETFL), has_bits(2, O_ASYNC, 0));
}

// Sockets of TCP and UDP only: none of this machine's own (a desktop's programs listen there), none
// for bare packets.
void allow_network(Rules& rules) {
  constexpr scmp_datum_t kFlagless = 0xF;  // beside it the type has flags
  for (const int call : kNetworkCalls)
    rules.allow(call);
  struct Kind {
    scmp_datum_t type;
    scmp_datum_t protocol;
  };
  for (const scmp_datum_t family : {scmp_datum_t{AF_INET}, scmp_datum_t{AF_INET6}}) {
    for (const auto& [type, protocol] : {Kind{SOCK_STREAM, 0}, Kind{SOCK_STREAM, IPPROTO_TCP},
                                         Kind{SOCK_DGRAM, 0}, Kind{SOCK_DGRAM, IPPROTO_UDP}})
      rules.allow(SCMP_SYS(socket), equals(0, family), has_bits(1, kFlagless, type),
                  equals(2, protocol));
  }
  rules.allow(SCMP_SYS(ioctl), equals(1, FIONREAD));
}

void add_rules(Rules& rules, const Allowance& allowance) {
  constexpr scmp_datum_t kWrites =
      O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
  const auto self = static_cast<scmp_datum_t>(::getpid());
  for (const int call : kAllowedCalls)
    rules.allow(call);
  allow_fcntl(rules);
  rules.allow(SCMP_SYS(openat), has_bits(2, kWrites, O_RDONLY));
  rules.allow(SCMP_SYS(open), has_bits(1, kWrites, O_RDONLY));
  rules.allow(SCMP_SYS(clone), has_bits(0, CLONE_THREAD, CLONE_THREAD));
  rules.add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
  rules.allow(SCMP_SYS(kill), equals(0, self));
  rules.allow(SCMP_SYS(tgkill), equals(0, self));
  for (const scmp_datum_t ordinary :
       {scmp_datum_t{SCHED_OTHER}, scmp_datum_t{SCHED_OTHER | SCHED_RESET_ON_FORK}})
    rules.allow(SCMP_SYS(sched_setscheduler), equals(0, self), equals(1, ordinary));
  rules.allow(SCMP_SYS(prlimit64), equals(0, 0), equals(2, 0));
  rules.allow(SCMP_SYS(prctl), equals(0, PR_SET_NAME));
  if (allowance.uses_devices) rules.allow(SCMP_SYS(ioctl));
  if (allowance.uses_network) allow_network(rules);
  if (kIsSanitized)
    rules.allow(SCMP_SYS(pipe2));  // its runtime tests with it whether memory is readable
}

Result<void> filter_calls(const Allowance& allowance) {
  const std::unique_ptr<void, decltype(&::seccomp_release)> filter(
      ::seccomp_init(SCMP_ACT_ERRNO(EPERM)), &::seccomp_release);
  if (!filter) return fail("no memory for a seccomp filter");
  ::seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  ::seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1);
  // A binary tree: `futex` is called each frame.
  ::seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);
  Rules rules(filter.get());
  add_rules(rules, allowance);
  const int error = rules.first_error() != 0 ? rules.first_error() : ::seccomp_load(filter.get());
  if (error != 0) return fail("seccomp refuses: {}", std::strerror(-error));
  return {};
}

}  // namespace

Result<void> confine(const Allowance& allowance) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return fail("new privileges cannot be renounced: {}", std::strerror(errno));
  offer_to_oom_killer();
  if (auto limited = limit_resources(allowance.memory_bytes_max); !limited) return limited;
  if (auto restricted = restrict_files(allowance); !restricted) return restricted;
  if (auto dropped = drop_capabilities(); !dropped) return dropped;
  return filter_calls(allowance);
}

}  // namespace submix::host
