// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/shared_memory.hpp"
#include "node/host/control_block.hpp"

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace submix::host {

/// The programs of host processes, which lie in one folder.
enum class HostProgram {
  plugin_host,  ///< submix-plugin-host: runs a plugin's library
  decoder       ///< submix-decoder: decodes a file
};

/// What a host shall run.
struct HostOrder {
  std::string slot;            ///< "left.glow"
  std::filesystem::path file;  ///< the plugin's library; of a decoder the file's name, for people
  Size size;
  HostProgram program = HostProgram::plugin_host;
  bool is_spare = false;  ///< waits for the slot's host to end; process lists say so
};

/// One plugin host as its node sees it: what both share, and whether it lives.
///
/// Owner    The slot's plugin and the HostKeeper, which starts and reaps it.
/// Threads  kill(), is_gone(), wait_until_gone(), end(), cpu_time(): any. What concerns jobs: Confined (the
///          slot's owner thread).
///          begin(), finish(): Confined (keeper).
class HostProcess {
 public:
  /// Not started yet. Errors: no memory or descriptors left.
  [[nodiscard]] static Result<std::shared_ptr<HostProcess>> prepare(HostOrder order);

  /// The first job: to load the plugin and make it with these, which are all its parameters. It takes one
  /// message. Errors: they are too long for one.
  [[nodiscard]] Result<std::uint32_t> ask_to_begin(const show::Parameters& parameters);
  /// The job after those asked for before, with the parameters that are to be set first, at most
  /// kNumbersMax; its number.
  std::uint32_t ask(Job job, std::span<const NumberSetting> numbers = {});
  [[nodiscard]] bool has_answered(std::uint32_t number) const;
  /// Where the answer belongs stands, or stood when the last job was asked for, what is none: the host writes
  /// over what it shares with the node.
  [[nodiscard]] bool has_scribbled() const;
  /// Of a decoder, after it has answered: what it says, which may be anything.
  [[nodiscard]] DecodedPicture decoded() const { return control_.decoded; }
  /// Waits until the last job is done, the host is gone or has scribbled, or `deadline` has come.
  void wait_for_answer(std::chrono::steady_clock::time_point deadline) const;
  [[nodiscard]] int channel() const { return channel_.get(); }

  /// From now on it draws as urgently as the node's own slots do, where that is permitted.
  void raise() SUBMIX_EXCLUDES(mutex_);
  /// Whether it has lost that right, because it computed for too long without a pause. By and by it is raised
  /// again, as the node's own threads are: after kLoweredPause, or longer, once it sleeps. Confined
  /// (telemetry).
  [[nodiscard]] bool tend_right(std::chrono::steady_clock::time_point now) SUBMIX_EXCLUDES(mutex_);
  /// At once, whatever it does. It is gone a little later.
  void kill();
  /// Nothing of it is left: nobody writes into its pictures any more.
  [[nodiscard]] bool is_gone() const { return is_gone_.load(std::memory_order_acquire) != 0; }
  /// Waits for that, at most until `deadline`; whatever the host does.
  void wait_until_gone(std::chrono::steady_clock::time_point deadline) const;
  /// How it ended, for people: "crashed (SIGSEGV)", "ended by itself (status 0)", or its own words.
  [[nodiscard]] std::string end() const SUBMIX_EXCLUDES(mutex_);
  /// It could not begin and said why: to try again would give the same.
  [[nodiscard]] bool has_refused() const SUBMIX_EXCLUDES(mutex_);
  /// What its threads have computed so far; empty when it is gone.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> cpu_time() const;
  /// It is on a core, or waits for one; or it has ended, of which end() tells in a moment.
  [[nodiscard]] bool is_computing() const;

  [[nodiscard]] const HostOrder& order() const { return order_; }
  [[nodiscard]] pid_t pid() const { return pid_.load(std::memory_order_relaxed); }

  /// The program now runs as `pid`; the host's ends are closed here.
  void begin(pid_t pid, Descriptor process) SUBMIX_EXCLUDES(mutex_);
  /// It is reaped, or never began.
  void finish(const std::string& end) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] int host_channel() const { return host_channel_.get(); }
  [[nodiscard]] int control_memory() const { return control_memory_->descriptor(); }

 private:
  HostProcess(HostOrder order, std::shared_ptr<media::SharedMemory> control, Descriptor channel,
              Descriptor host_channel);
  [[nodiscard]] std::string problem() const;

  const HostOrder order_;
  const std::shared_ptr<media::SharedMemory> control_memory_;
  ControlBlock& control_;
  const Descriptor channel_;
  Descriptor host_channel_;  // until it has begun
  std::uint32_t asked_ = 0;
  std::uint32_t answered_before_ = 0;
  bool was_scribbled_ = false;  // before the last job was asked for

  std::atomic<pid_t> pid_ = 0;              // relaxed: stands alone
  std::atomic<std::uint32_t> is_gone_ = 0;  // a word to wait on that the host cannot write
  mutable Mutex mutex_;
  Descriptor process_
      SUBMIX_GUARDED_BY(mutex_);  // a pidfd: it names this process, even when the pid is another's
  bool is_killed_ SUBMIX_GUARDED_BY(mutex_) = false;
  bool is_raised_ SUBMIX_GUARDED_BY(mutex_) = false;      // it is to be
  bool was_permitted_ SUBMIX_GUARDED_BY(mutex_) = false;  // and was
  std::optional<std::chrono::steady_clock::time_point> lowered_ SUBMIX_GUARDED_BY(mutex_);
  std::optional<std::chrono::steady_clock::time_point> raised_again_ SUBMIX_GUARDED_BY(mutex_);
  int times_lowered_ SUBMIX_GUARDED_BY(mutex_) = 0;  // again, soon after the last time
  bool has_refused_ SUBMIX_GUARDED_BY(mutex_) = false;
  std::string end_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::host
