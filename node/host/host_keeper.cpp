// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/host_keeper.hpp"

#include "common/base/program_folder.hpp"
#include "common/base/thread.hpp"
#include "node/host/host_start.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace submix::host {
namespace {

// While a spare starts: checks whether it is ready and the next spare may begin.
constexpr int kSpareGlanceMs = 10;

void add(const Descriptor& watch, int descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = descriptor;
  ::epoll_ctl(watch.get(), EPOLL_CTL_ADD, descriptor, &event);
}

}  // namespace

std::filesystem::path host_program() {
  return private_program("submix-plugin-host");
}

Result<std::unique_ptr<HostKeeper>> HostKeeper::open(std::filesystem::path program) {
  if (::access(program.c_str(), X_OK) != 0) {
    return fail("{}: cannot be run: {}; install it beside submix-node", program.string(),
                std::strerror(errno));
  }
  Descriptor watch(::epoll_create1(EPOLL_CLOEXEC));
  Descriptor news(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!watch || !news) return fail("no descriptors for plugin hosts: {}", std::strerror(errno));
  add(watch, news.get());
  return std::unique_ptr<HostKeeper>(
      new HostKeeper(std::move(program), std::move(watch), std::move(news)));
}

HostKeeper::HostKeeper(std::filesystem::path program, Descriptor watch, Descriptor news)
    : program_(std::move(program)),
      watch_(std::move(watch)),
      news_(std::move(news)),
      thread_(start_thread("hosts", [this](const std::stop_token& stop) { run(stop); })) {}

HostKeeper::~HostKeeper() {
  thread_.request_stop();
  wake();
  thread_.join();
}

Result<std::shared_ptr<HostProcess>> HostKeeper::start(HostOrder order) {
  auto host = HostProcess::prepare(std::move(order));
  if (!host) return host;
  hosts_alive_.fetch_add(1, std::memory_order_relaxed);
  {
    const MutexLock lock(mutex_);
    waiting_.push_back(*host);
  }
  wake();
  return host;
}

void HostKeeper::keep_spare(const HostOrder& order, const show::Parameters& parameters) {
  spares_.keep(order, parameters);
  wake();
}

void HostKeeper::renew_spare(const HostOrder& order) {
  spares_.renew(order);
  wake();
}

BegunHost HostKeeper::take_spare(const HostOrder& order) {
  auto taken = spares_.take(order);
  wake();
  return taken;
}

std::vector<std::string> HostKeeper::tend_rights(std::chrono::steady_clock::time_point now) {
  std::vector<std::string> slots;
  const MutexLock lock(mutex_);
  for (const auto& [process, host] : alive_) {
    if (host->tend_right(now)) slots.push_back(host->order().slot);
  }
  return slots;
}

std::chrono::nanoseconds HostKeeper::cpu_time() const {
  const MutexLock lock(mutex_);
  rusage reaped{};
  ::getrusage(RUSAGE_CHILDREN, &reaped);
  std::chrono::nanoseconds sum =
      std::chrono::seconds(reaped.ru_utime.tv_sec + reaped.ru_stime.tv_sec);
  sum += std::chrono::microseconds(reaped.ru_utime.tv_usec + reaped.ru_stime.tv_usec);
  for (const auto& [process, host] : alive_)
    sum += host->cpu_time().value_or(std::chrono::nanoseconds(0));
  // The kernel counts a reaped process in microseconds, rounded down: a little less than while it
  // lived.
  return cpu_told_ = std::max(cpu_told_, sum);
}

void HostKeeper::finish(HostProcess& host, const std::string& end) {
  hosts_alive_.fetch_sub(1, std::memory_order_relaxed);
  host.finish(end);
}

void HostKeeper::wake() const {
  ::eventfd_write(news_.get(), 1);
}

void HostKeeper::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    watch_once();
    start_waiting();
    start_spare();
  }
  end_all();
}

void HostKeeper::watch_once() {
  std::array<epoll_event, 16> events{};
  const int count = ::epoll_wait(watch_.get(), events.data(), static_cast<int>(events.size()),
                                 spares_.is_busy() ? kSpareGlanceMs : -1);
  for (int i = 0; i < count; ++i) {
    const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
    eventfd_t ignored = 0;
    if (descriptor == news_.get()) {
      ::eventfd_read(descriptor, &ignored);
    } else {
      reap(descriptor);
    }
  }
}

void HostKeeper::start_waiting() {
  Hosts waiting;
  {
    const MutexLock lock(mutex_);
    waiting.swap(waiting_);
  }
  for (const auto& host : waiting)
    spawn(host);
}

// A spare starts after the hosts that a slot waits for.
void HostKeeper::start_spare() {
  const auto spare = spares_.next(std::chrono::steady_clock::now());
  if (!spare) return;
  hosts_alive_.fetch_add(1, std::memory_order_relaxed);
  spawn(spare);
}

std::string HostKeeper::path_of(HostProgram program) const {
  const auto beside = [&](const char* name) { return (program_.parent_path() / name).string(); };
  switch (program) {
    case HostProgram::plugin_host:
      break;
    case HostProgram::shader_host:
      return beside("submix-shader-host");
    case HostProgram::network_host:
      return beside("submix-network-host");
    case HostProgram::decoder:
      return beside("submix-decoder");
  }
  return program_.string();
}

void HostKeeper::spawn(const std::shared_ptr<HostProcess>& host) {
  const auto& order = host->order();
  std::vector<std::string> command{path_of(order.program),
                                   order.slot,
                                   order.file.string(),
                                   std::to_string(order.size.width),
                                   std::to_string(order.size.height),
                                   std::to_string(::getpid())};
  if (order.is_spare) command.emplace_back(kSpareMark);
  auto started = start_host(std::move(command), host->host_channel(), host->control_memory());
  if (!started) return finish(*host, started.error().message);
  const int watched = started->process.get();
  {
    const MutexLock lock(mutex_);
    alive_.emplace(watched, host);
  }
  host->begin(started->pid, std::move(started->process));
  add(watch_, watched);
}

void HostKeeper::reap(int process) {
  siginfo_t status{};
  std::shared_ptr<HostProcess> host;
  {
    const MutexLock lock(mutex_);  // cpu_time() finds it either here or among the reaped processes
    if (::waitid(P_PIDFD, static_cast<id_t>(process), &status, WEXITED) != 0) return;
    const auto found = alive_.find(process);
    if (found == alive_.end()) return;
    host = std::move(found->second);
    alive_.erase(found);
  }
  ::epoll_ctl(watch_.get(), EPOLL_CTL_DEL, process, nullptr);
  finish(*host, end_of(status));
}

void HostKeeper::end_all() {
  std::vector<int> processes;
  {
    const MutexLock lock(mutex_);
    for (const auto& host : waiting_)
      finish(*host, "was not started: the node stops");
    waiting_.clear();
    for (const auto& [process, host] : alive_) {
      host->kill();
      processes.push_back(process);
    }
  }
  for (const int process : processes)
    reap(process);
}

}  // namespace submix::host
