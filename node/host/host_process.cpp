// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/host_process.hpp"

#include "common/base/plain_text.hpp"
#include "common/base/realtime.hpp"
#include "common/show/plugin_family.hpp"
#include "node/host/channel.hpp"
#include "node/host/futex.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>
#include <fstream>
#include <new>
#include <utility>

namespace submix::host {
namespace {

constexpr int kBackgroundNice = 10;

void signal(int process, int number) {
  ::syscall(SYS_pidfd_send_signal, process, number, nullptr, 0);
}

}  // namespace

HostProgram program_of(std::string_view plugin) {
  if (plugin == "network") return HostProgram::network_host;
  return plugin.starts_with(show::kIsfPrefix) ? HostProgram::shader_host : HostProgram::plugin_host;
}

Result<std::shared_ptr<HostProcess>> HostProcess::prepare(HostOrder order) {
  auto control = media::SharedMemory::create(kControlBytes);
  SUBMIX_TRY(control);
  auto channel = make_channel();
  SUBMIX_TRY(channel);
  return std::shared_ptr<HostProcess>(new HostProcess(std::move(order), std::move(*control),
                                                      std::move(channel->first),
                                                      std::move(channel->second)));
}

HostProcess::HostProcess(HostOrder order, std::shared_ptr<media::SharedMemory> control,
                         Descriptor channel, Descriptor host_channel)
    : order_(std::move(order)),
      control_memory_(std::move(control)),
      control_(*new(control_memory_->data()) ControlBlock()),
      channel_(std::move(channel)),
      host_channel_(std::move(host_channel)) {}

Result<std::uint32_t> HostProcess::ask_to_begin(const show::Parameters& parameters) {
  if (auto sent = send(channel(), SetParameters{parameters}); !sent)
    return tl::unexpected(std::move(sent.error()));
  Job first;
  first.messages = 1;
  return ask(first);
}

std::uint32_t HostProcess::ask(Job job, std::span<const NumberSetting> numbers) {
  job.number_count = static_cast<std::uint32_t>(numbers.size());
  std::copy(numbers.begin(), numbers.end(), control_.numbers.begin());
  control_.job = job;
  answered_before_ = asked_;
  was_scribbled_ = was_scribbled_ || control_.answered.load(std::memory_order_relaxed) != asked_;
  if (++asked_ == kGone) asked_ = 1;
  control_.asked.store(asked_, std::memory_order_release);  // publishes the job
  wake(control_.asked);
  return asked_;
}

bool HostProcess::has_answered(std::uint32_t number) const {
  // The picture was published before.
  return !was_scribbled_ && control_.answered.load(std::memory_order_acquire) == number;
}

bool HostProcess::has_scribbled() const {
  const auto answered = control_.answered.load(std::memory_order_acquire);
  if (is_gone()) return false;  // finish() wrote there
  return was_scribbled_ || (answered != asked_ && answered != answered_before_);
}

void HostProcess::wait_for_answer(std::chrono::steady_clock::time_point deadline) const {
  for (;;) {
    const auto answered = control_.answered.load(std::memory_order_acquire);
    if (was_scribbled_ || answered != answered_before_ || is_gone() ||
        std::chrono::steady_clock::now() >= deadline)
      return;
    wait_while(control_.answered, answered, deadline);
  }
}

void HostProcess::wait_until_gone(std::chrono::steady_clock::time_point deadline) const {
  while (!is_gone() && std::chrono::steady_clock::now() < deadline)
    wait_while(is_gone_, 0, deadline);
}

void HostProcess::raise() {
  const MutexLock lock(mutex_);
  is_raised_ = true;  // it may have answered before its pid was known
  if (pid() > 0) was_permitted_ = raise_child(pid());
}

bool HostProcess::tend_right(std::chrono::steady_clock::time_point now) {
  const MutexLock lock(mutex_);
  if (!was_permitted_ || pid() <= 0) return false;
  if (!lowered_) {
    if (is_child_raised(pid())) return false;
    const bool is_again = raised_again_ && now - *raised_again_ < kLoweredSoon;
    times_lowered_ = is_again ? std::min(times_lowered_ + 1, kLoweredDoublings) : 0;
    lowered_ = now;
    return true;
  }
  const auto pause = kLoweredPause * (1 << times_lowered_);
  if (now - *lowered_ < pause || is_computing())
    return true;  // its next run begins when it wakes up
  raise_child(pid());
  lowered_.reset();
  raised_again_ = now;
  return false;
}

void HostProcess::kill() {
  const MutexLock lock(mutex_);
  is_killed_ = true;  // in case it has not begun yet
  if (process_) signal(process_.get(), SIGKILL);
}

std::string HostProcess::end() const {
  const MutexLock lock(mutex_);
  return end_;
}

bool HostProcess::has_refused() const {
  const MutexLock lock(mutex_);
  return has_refused_;
}

std::optional<std::chrono::nanoseconds> HostProcess::cpu_time() const {
  clockid_t clock{};
  timespec time{};
  if (pid() <= 0 || ::clock_getcpuclockid(pid(), &clock) != 0 || ::clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

bool HostProcess::is_computing() const {
  std::ifstream file(fmt::format("/proc/{}/stat", pid()));
  std::string text;
  std::getline(file, text);
  const auto name_end = text.rfind(')');  // the name may contain any character
  if (name_end == std::string::npos || name_end + 2 >= text.size()) return false;
  constexpr std::string_view kRunningOrEnded = "RZX";
  return kRunningOrEnded.find(text[name_end + 2]) != std::string_view::npos;
}

void HostProcess::begin(pid_t pid, Descriptor process) {
  const MutexLock lock(mutex_);
  pid_.store(pid, std::memory_order_relaxed);
  process_ = std::move(process);
  host_channel_ = Descriptor();
  if (order_.is_background) ::setpriority(PRIO_PROCESS, static_cast<id_t>(pid), kBackgroundNice);
  if (is_killed_) signal(process_.get(), SIGKILL);
  if (is_raised_) was_permitted_ = raise_child(pid);
}

void HostProcess::finish(const std::string& end) {
  {
    const MutexLock lock(mutex_);
    const auto own_words = problem();
    has_refused_ = !own_words.empty();
    end_ = has_refused_ ? own_words : end;
    pid_.store(0, std::memory_order_relaxed);
  }
  is_gone_.store(1, std::memory_order_release);  // its last writes came before
  wake(is_gone_);
  control_.answered.store(kGone, std::memory_order_release);
  wake(control_.answered);
}

// Makes one line of plain text of any bytes.
std::string HostProcess::problem() const {
  const auto& bytes = control_.problem;
  const std::string text(bytes.begin(), std::find(bytes.begin(), bytes.end(), '\0'));
  return plain_text(text, bytes.size());
}

}  // namespace submix::host
