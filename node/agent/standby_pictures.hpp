// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/file_state.hpp"
#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "node/io/stream/stream_policy.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::agent {

/// The pictures that inputs show while no frame arrives. A picture is loaded when a show names it,
/// when its file appears or changes, and again some time after a failure.
///
/// Threads  Synchronized; load() waits for the disk and for a decoder: one thread at a time.
/// Errors   A picture that cannot be shown is an event, once for each reason. The former picture
///          stays, or the built-in one is shown.
class StandbyPictures {
 public:
  static constexpr std::chrono::seconds kRetryPause{10};

  /// Access to a show's files, which are below the media folder.
  struct Files {
    std::function<std::optional<FileState>(const std::string& file)> state_of;
    /// as RGBA
    std::function<Result<std::vector<std::uint8_t>>(const std::string& file, Size size)> load;
  };
  /// `events` and `clock` outlive it.
  StandbyPictures(Files files, EventSink& events, const Clock& clock)
      : files_(std::move(files)), events_(events), clock_(clock) {}

  /// Sets the picture of the input of `stream`: `policy` gets it, in `size`.
  void request(const show::Stream& stream, Size size,
               const std::shared_ptr<io::StreamPolicy>& policy) SUBMIX_EXCLUDES(mutex_);
  void forget(const std::string& stream) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool is_empty() const SUBMIX_EXCLUDES(mutex_);

  /// Loads the pictures that are due. Call regularly.
  void load() SUBMIX_EXCLUDES(mutex_);

 private:
  struct PictureRequest {
    std::string slot;  // "mix.left", the subject of events
    std::string file;
    Size size;
    std::shared_ptr<io::StreamPolicy> policy;
    std::optional<FileState> tried = {};  // the file's state at the last attempt
    std::optional<LocalTime> tried_at = {};
    std::string trouble = {};  // why the picture could not be shown; empty: shown, or not tried yet
    bool is_shown = false;

    [[nodiscard]] bool is_due(const std::optional<FileState>& now_is, LocalTime now) const {
      if (!tried_at || tried != now_is) return true;
      return !trouble.empty() && now - *tried_at >= kRetryPause;
    }
  };

  void try_one(const std::string& stream, PictureRequest request) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool take(const std::string& stream, const PictureRequest& tried,
                          Result<std::vector<std::uint8_t>> picture) SUBMIX_EXCLUDES(mutex_);
  void tell(const std::string& stream, const PictureRequest& before,
            const PictureRequest& after) const;

  const Files files_;
  EventSink& events_;
  const Clock& clock_;
  mutable Mutex mutex_;
  std::map<std::string, PictureRequest> requests_ SUBMIX_GUARDED_BY(mutex_);  // by stream
};

}  // namespace submix::agent
