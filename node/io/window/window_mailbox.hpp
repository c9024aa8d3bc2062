// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/base/mutex.hpp"
#include "common/media/frame.hpp"
#include "common/telemetry/jitter.hpp"
#include "node/io/window/window_spot.hpp"
#include "node/plugin/plugin.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

namespace submix::io {

/// The wanted state of a window.
struct WindowSettings {
  std::string title;
  std::string screen = {};  ///< name of the display; empty: by its number
  int display = 0;          ///< its number
  WindowSpot spot = {};     ///< while it does not cover the display
  bool is_fullscreen = false;
  std::uint64_t fullscreen_changes = 0;  ///< to and fro is a change, too
  bool is_visible = true;
  bool has_vsync = false;  ///< each frame waits for the display
  FrameRate rate{30, 1};   ///< the show's rate

  friend bool operator==(const WindowSettings&, const WindowSettings&) = default;
};

/// Where a window is.
struct WindowPlace {
  std::uint64_t display = 0;  ///< its number + 1; 0: the window is not visible
  bool is_fullscreen = false;
  std::string trouble = {};  ///< why the window is not on its display; empty: it is
};

/// The next frame for a window.
struct WindowFrame {
  media::Frame frame;
  std::uint64_t position = 0;   ///< of the frame in its patch
  bool is_after_pause = false;  ///< the frame is due when it comes
};

/// Wakes the window thread when a mailbox has something new. One for all mailboxes of a thread.
/// Synchronized.
class Doorbell {
 public:
  void ring() SUBMIX_EXCLUDES(mutex_);
  /// Waits for a ring since the last call, at most `timeout`.
  void wait_for(std::chrono::milliseconds timeout) SUBMIX_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  Condition rung_;
  bool has_rung_ SUBMIX_GUARDED_BY(mutex_) = false;
};

/// A mailbox for one frame, from a stage to the window thread.
///
/// Threads  Synchronized.
/// Errors   If a display takes no frame for `timeout`, frames are not shown until it takes one
///          again, so a stuck display cannot stop the show. Both changes are reported. A mailbox
///          without a display keeps the newest frame and never waits.
class WindowMailbox {
 public:
  static constexpr std::chrono::milliseconds kTimeout{
      // A screen saver or a mode change takes one second.
      2000};

  /// `events` may be null. It is not used after close().
  WindowMailbox(Doorbell& doorbell, EventSink* events, std::string about,
                std::chrono::milliseconds timeout = kTimeout);

  // Called by the stage.
  enum class Handover { done, not_shown, stopped };
  /// Waits for room: back-pressure.
  [[nodiscard]] Handover hand_over(WindowFrame next, const std::stop_token& stop)
      SUBMIX_EXCLUDES(mutex_);
  void set(WindowSettings settings) SUBMIX_EXCLUDES(mutex_);
  /// True if each frame waits for the display.
  [[nodiscard]] bool keeps_time() const SUBMIX_EXCLUDES(mutex_);
  /// The lateness of frames that waited for the display.
  [[nodiscard]] plugin::Lateness lateness() const SUBMIX_EXCLUDES(mutex_);
  /// The window may end. Nothing more is reported.
  void close() SUBMIX_EXCLUDES(mutex_);

  [[nodiscard]] WindowPlace place() const SUBMIX_EXCLUDES(mutex_);

  /// The slot's name, such as "left.window". Any thread.
  [[nodiscard]] const std::string& about() const { return about_; }

  // Called by the window thread.
  [[nodiscard]] std::optional<WindowFrame> take() SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool has_frame() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] WindowSettings settings() const SUBMIX_EXCLUDES(mutex_);
  void keep_time(bool keeps_time) SUBMIX_EXCLUDES(mutex_);
  void stand_at(WindowPlace place) SUBMIX_EXCLUDES(mutex_);
  /// The window was lost with its display server. `trouble` says so until regain_display().
  void lose_display(std::string trouble) SUBMIX_EXCLUDES(mutex_);
  /// A window takes the frames again.
  void regain_display() SUBMIX_EXCLUDES(mutex_);
  /// Notes that the display showed a frame `late` after its due time. More than half a refresh
  /// counts as a missed frame.
  void shown(std::uint64_t position, std::chrono::nanoseconds late,
             std::chrono::nanoseconds refresh) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool is_closed() const SUBMIX_EXCLUDES(mutex_);
  void report(Severity severity, std::string text) SUBMIX_EXCLUDES(mutex_);

 private:
  void report_locked(Severity severity, std::string text) SUBMIX_REQUIRES(mutex_);

  Doorbell& doorbell_;
  const std::string about_;
  const std::chrono::milliseconds timeout_;
  mutable Mutex mutex_;
  Condition taken_;
  EventSink* events_ SUBMIX_GUARDED_BY(mutex_);
  std::optional<WindowFrame> waiting_ SUBMIX_GUARDED_BY(mutex_);
  WindowSettings settings_ SUBMIX_GUARDED_BY(mutex_);
  WindowPlace place_ SUBMIX_GUARDED_BY(mutex_);
  bool is_closed_ SUBMIX_GUARDED_BY(mutex_) = false;
  bool is_stuck_ SUBMIX_GUARDED_BY(mutex_) = false;
  bool has_display_ SUBMIX_GUARDED_BY(mutex_) = true;
  bool keeps_time_ SUBMIX_GUARDED_BY(mutex_) = false;
  telemetry::Jitter jitter_;  // written under the lock
  std::uint64_t missed_frames_ SUBMIX_GUARDED_BY(mutex_) = 0;
  std::uint64_t missed_frame_ SUBMIX_GUARDED_BY(mutex_) = 0;
};

}  // namespace submix::io
