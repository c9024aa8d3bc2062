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
#include <string_view>

namespace submix::host {

/// The programs of host processes. All lie in one folder.
enum class HostProgram {
  plugin_host,   ///< submix-plugin-host: runs a plugin's library
  shader_host,   ///< submix-shader-host: draws a shader
  network_host,  ///< submix-network-host: receives a picture from the network
  decoder        ///< submix-decoder: decodes a file
};

/// The program for a plugin by its id.
[[nodiscard]] HostProgram program_of(std::string_view plugin);

/// What a host is to run.
struct HostOrder {
  std::string slot;            ///< "left.glow"
  std::filesystem::path file;  ///< the plugin's library; for a decoder the file's name, for people
  Size size;
  HostProgram program = HostProgram::plugin_host;
  bool is_background = false;  ///< at a low priority, beside shows
  bool is_spare = false;       ///< waits for the slot's host to end; process lists show "spare"
};

/// A node's view of one plugin host: the shared memory, and whether the host lives.
///
/// Owner    The slot's plugin and the HostKeeper, which starts and reaps the host.
/// Threads  kill(), is_gone(), wait_until_gone(), end(), cpu_time(): any. Jobs: Confined (the
///          slot's owner thread). begin(), finish(): Confined (keeper).
class HostProcess {
 public:
  /// Makes the shared memory and the channel; starts no process.
  ///
  /// Errors   No memory or descriptor is left.
  [[nodiscard]] static Result<std::shared_ptr<HostProcess>> prepare(HostOrder order);

  /// Asks for job 1: load the plugin and make it with `parameters`, which name every parameter.
  /// Sends one message.
  ///
  /// Errors   The parameters are too long for one message.
  [[nodiscard]] Result<std::uint32_t> ask_to_begin(const show::Parameters& parameters);
  /// Asks for the next job and returns its number. The host first sets `numbers`, at most
  /// kNumbersMax.
  std::uint32_t ask(Job job, std::span<const NumberSetting> numbers = {});
  [[nodiscard]] bool has_answered(std::uint32_t number) const;
  /// True if the answer has held an impossible number since the last job: the host writes over the
  /// shared memory.
  [[nodiscard]] bool has_scribbled() const;
  /// A decoder's answer. The decoder is not trusted: check every number.
  [[nodiscard]] DecodedPicture decoded() const { return control_.decoded; }
  /// The same of a decoder that reads sound: check every number.
  [[nodiscard]] const DecodedSound& sound() const { return control_.sound; }
  /// A plugin's report after the last job. The host is not trusted: its text may be any bytes.
  [[nodiscard]] HostedReport report() const { return control_.report; }
  /// How long the host had no core though it was ready to run, up to its last answer, in
  /// nanoseconds. Not trusted: may be any number.
  [[nodiscard]] std::uint64_t run_delay_ns() const { return control_.run_delay_ns; }
  /// Waits until the last job is done, the host is gone or has scribbled, or `deadline` has come.
  void wait_for_answer(std::chrono::steady_clock::time_point deadline) const;
  [[nodiscard]] int channel() const { return channel_.get(); }

  /// Gives the host the real-time priority of the node's own slots, where the system permits.
  void raise() SUBMIX_EXCLUDES(mutex_);
  /// True if the host has lost its priority because it computed for too long without a pause.
  /// Raises a sleeping host again after kLoweredPause or longer, as for the node's own threads.
  /// Confined (telemetry).
  [[nodiscard]] bool tend_right(std::chrono::steady_clock::time_point now) SUBMIX_EXCLUDES(mutex_);
  /// Kills the host at once, whatever it does. is_gone() becomes true a little later.
  void kill();
  /// The process has ended: nothing writes into its pictures any more.
  [[nodiscard]] bool is_gone() const { return is_gone_.load(std::memory_order_acquire) != 0; }
  /// Waits until is_gone(), at most until `deadline`.
  void wait_until_gone(std::chrono::steady_clock::time_point deadline) const;
  /// How the host ended, for people: "crashed (SIGSEGV)", "ended by itself (status 0)", or the
  /// host's own reason.
  [[nodiscard]] std::string end() const SUBMIX_EXCLUDES(mutex_);
  /// The host could not begin and said why. Another try would fail in the same way.
  [[nodiscard]] bool has_refused() const SUBMIX_EXCLUDES(mutex_);
  /// CPU time of the host's threads so far. Empty: the host is gone.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> cpu_time() const;
  /// The host is on a core or waits for one, or it has ended and end() is about to say how.
  [[nodiscard]] bool is_computing() const;

  [[nodiscard]] const HostOrder& order() const { return order_; }
  [[nodiscard]] pid_t pid() const { return pid_.load(std::memory_order_relaxed); }

  /// The program now runs as `pid`. Closes the host's ends of the channel and the memory in this
  /// process.
  void begin(pid_t pid, Descriptor process) SUBMIX_EXCLUDES(mutex_);
  /// The host is reaped, or never began.
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
  Descriptor host_channel_;  // open until the host has begun
  std::uint32_t asked_ = 0;
  std::uint32_t answered_before_ = 0;
  bool was_scribbled_ = false;  // before the last job was asked for

  std::atomic<pid_t> pid_ = 0;              // relaxed: stands alone
  std::atomic<std::uint32_t> is_gone_ = 0;  // a word to wait on that the host cannot write
  mutable Mutex mutex_;
  // A pidfd. It names this process even when another process has the pid.
  Descriptor process_ SUBMIX_GUARDED_BY(mutex_);
  bool is_killed_ SUBMIX_GUARDED_BY(mutex_) = false;
  bool is_raised_ SUBMIX_GUARDED_BY(mutex_) = false;      // raise() was called
  bool was_permitted_ SUBMIX_GUARDED_BY(mutex_) = false;  // and the system permitted it
  std::optional<std::chrono::steady_clock::time_point> lowered_ SUBMIX_GUARDED_BY(mutex_);
  std::optional<std::chrono::steady_clock::time_point> raised_again_ SUBMIX_GUARDED_BY(mutex_);
  int times_lowered_ SUBMIX_GUARDED_BY(mutex_) = 0;  // in a row, each soon after the last
  bool has_refused_ SUBMIX_GUARDED_BY(mutex_) = false;
  std::string end_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::host
