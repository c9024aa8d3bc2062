// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/capture_device.hpp"
#include "common/base/result.hpp"

#include <pulse/pulseaudio.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::io {

/// A connection to this user's sound server: PulseAudio, or PipeWire in its place. Starts none.
///
/// Threads  Compatible.
/// Cost     Each call waits up to the patience for an answer, and 20 ms after a stop.
/// Errors   The server is not there, refuses this user, hangs, or has ended.
/// Source   FFmpeg's own input "pulse" starts a server, and waits without a limit where a source is
///          suspended or a server hangs.
class PulseServer {
 public:
  static constexpr std::chrono::seconds kPatience{3};  ///< for each answer

  /// Whether the environment names a server, or the user's socket exists. Asks no server.
  [[nodiscard]] static bool is_here();
  [[nodiscard]] static Result<PulseServer> connect(std::stop_token stop,
                                                   std::chrono::milliseconds patience = kPatience);
  PulseServer(PulseServer&&) = default;
  PulseServer& operator=(PulseServer&&) = delete;

  /// The inputs and the monitors of the outputs, as far as show::check_sound_name() permits their
  /// names.
  [[nodiscard]] Result<std::vector<CaptureDevice>> sources();

  /// Handles messages of the server, for up to 20 ms.
  [[nodiscard]] Result<void> turn();
  /// Calls turn() until `is_done` returns true.
  [[nodiscard]] Result<void> wait_until(const std::function<bool()>& is_done);

  /// Outlives the objects made with it.
  [[nodiscard]] pa_context* context() const { return context_.get(); }
  /// Why the last request failed: a number of libpulse, and its text.
  [[nodiscard]] int error() const { return pa_context_errno(context_.get()); }
  [[nodiscard]] std::string reason() const { return pa_strerror(error()); }

 private:
  struct Deleter {
    void operator()(pa_mainloop* loop) const { pa_mainloop_free(loop); }
    void operator()(pa_context* context) const {
      pa_context_disconnect(context);
      pa_context_unref(context);
    }
  };

  PulseServer(std::stop_token stop, std::chrono::milliseconds patience);

  std::stop_token stop_;
  std::chrono::milliseconds patience_;
  std::unique_ptr<pa_mainloop, Deleter> loop_;
  std::unique_ptr<pa_context, Deleter> context_;  // after loop_, which it uses
};

}  // namespace submix::io
