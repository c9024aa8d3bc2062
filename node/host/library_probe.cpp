// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/library_probe.hpp"

#include "node/host/channel.hpp"
#include "node/host/host_start.hpp"
#include "node/host/library_report.hpp"
#include "node/host/wait_readable.hpp"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace submix::host {
namespace {

using Clock = std::chrono::steady_clock;

/// The probe process. It ends with this object.
class ProbeProcess {
 public:
  static Result<std::unique_ptr<ProbeProcess>> start(const std::vector<std::string>& command) {
    auto channel = make_channel();
    SUBMIX_TRY(channel);
    auto started = start_host(command, channel->second.get(), std::nullopt);
    SUBMIX_TRY(started);
    return std::unique_ptr<ProbeProcess>(
        new ProbeProcess(std::move(channel->first), std::move(started->process)));
  }
  ProbeProcess(const ProbeProcess&) = delete;
  ProbeProcess& operator=(const ProbeProcess&) = delete;
  ~ProbeProcess() {
    if (process_) (void)end();
  }

  /// False: the process takes no question. A process that answers in turn always takes one.
  bool ask(const std::filesystem::path& file) {
    const auto& name = file.native();
    return ::send(channel_.get(), name.data(), name.size(), MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
  }

  /// The next message. Empty: none came before `deadline`, or none will come.
  std::optional<std::vector<std::byte>> answer(Clock::time_point deadline,
                                               const std::stop_token& stop) {
    if (!wait_until_readable(channel_.get(), deadline, stop)) return std::nullopt;
    std::vector<std::byte> message(kMessageBytesMax);
    const auto received = ::recv(channel_.get(), message.data(), message.size(), 0);
    if (received <= 0) return std::nullopt;
    message.resize(static_cast<std::size_t>(received));
    return message;
  }

  /// How the process ended. A process that still ran counts as ended by itself.
  siginfo_t end() {
    ::syscall(SYS_pidfd_send_signal, process_.get(), SIGKILL, nullptr, 0);
    siginfo_t status{};
    ::waitid(P_PIDFD, static_cast<id_t>(process_.get()), &status, WEXITED);
    process_ = Descriptor();
    return status;
  }

 private:
  ProbeProcess(Descriptor channel, Descriptor process)
      : channel_(std::move(channel)), process_(std::move(process)) {}

  const Descriptor channel_;
  Descriptor process_;
};

std::vector<std::string> command_of(const std::filesystem::path& program,
                                    const std::vector<std::filesystem::path>& files) {
  std::set<std::string> folders;
  for (const auto& file : files)
    folders.insert(file.parent_path().string());
  std::vector<std::string> command;
  command.reserve(3 + folders.size());
  command.push_back(program.string());
  command.emplace_back("--describe");
  command.push_back(std::to_string(::getpid()));
  command.insert(command.end(), folders.begin(), folders.end());
  return command;
}

class LibraryProber {
 public:
  LibraryProber(std::vector<std::string> command, std::chrono::milliseconds timeout,
                const std::stop_token& stop)
      : command_(std::move(command)), timeout_(timeout), stop_(stop) {}

  /// A library may end a process that probed other libraries before. Another process then probes it
  /// again, since an earlier library may have corrupted the memory.
  plugin::ProbeResult probe(const std::filesystem::path& file) {
    if (stop_.stop_requested()) return stopped(file);
    const bool is_first = !process_;
    auto result = probe_once(file);
    return result.found || result.may_pass || is_first ? result : probe_once(file);
  }

 private:
  plugin::ProbeResult probe_once(const std::filesystem::path& file) {
    if (!process_) {
      auto started = ProbeProcess::start(command_);
      if (!started) return {tl::unexpected(std::move(started.error())), true};
      process_ = std::move(*started);
    }
    const auto deadline = Clock::now() + timeout_;
    const auto answer = process_->ask(file) ? process_->answer(deadline, stop_) : std::nullopt;
    if (answer) return {decode_report(*answer), true};
    if (stop_.stop_requested()) return stopped(file);
    const bool is_late = Clock::now() >= deadline;
    const auto status = process_->end();
    process_.reset();
    if (is_late)
      return {fail("{}: is refused: it did not describe itself within {} ms", file.string(),
                   timeout_.count()),
              true};
    // Out of memory.
    const bool was_killed = status.si_code != CLD_EXITED && status.si_status == SIGKILL;
    return {fail("{}: is refused: the process that probed it {}", file.string(), end_of(status)),
            was_killed};
  }

  static plugin::ProbeResult stopped(const std::filesystem::path& file) {
    return {fail("{}: it was not probed: the node stops", file.string()), true};
  }

  std::vector<std::string> command_;
  const std::chrono::milliseconds timeout_;
  const std::stop_token stop_;
  std::unique_ptr<ProbeProcess> process_;
};

}  // namespace

plugin::LibraryProbe library_prober(const std::filesystem::path& program,
                                    const std::vector<std::filesystem::path>& files,
                                    std::chrono::milliseconds timeout,
                                    const std::stop_token& stop) {
  auto prober = std::make_shared<LibraryProber>(command_of(program, files), timeout, stop);
  return [prober = std::move(prober)](const std::filesystem::path& file) {
    return prober->probe(file);
  };
}

}  // namespace submix::host
