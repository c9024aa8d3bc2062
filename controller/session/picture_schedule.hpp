// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/session/actions.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::session {

/// Pixels; previews must not take the show's bandwidth.
inline constexpr int kPictureWidthMax = 320;
inline constexpr int kLargePictureWidthMax = 960;  ///< of the picture that fills the page
/// Between two requests for the same picture. The large picture is as smooth as the show.
inline constexpr std::chrono::milliseconds kPicturePeriod{100};
inline constexpr std::chrono::milliseconds kLargePicturePeriod{33};
inline constexpr std::chrono::milliseconds kPictureRetry{2000};  ///< after a failure

/// Decides which pictures are due. At most one request for each picture is under way, and
/// kInFlightMax in all: a slow cluster gets fewer requests, not a queue of them.
///
/// Threads  Compatible.
class PictureSchedule {
 public:
  static constexpr std::size_t kWatchedMax = 64;
  static constexpr std::size_t kInFlightMax = 4;

  void watch(const std::vector<PictureKey>& keys, std::optional<PictureKey> large = {});
  /// The view tells which node runs each submix from now on.
  void follow(const model::ClusterView& view);
  /// The pictures due now, marked as under way. Only pictures of submixes on a healthy node.
  [[nodiscard]] std::vector<TakePicture> take_due(LocalTime now);
  void finished(const PictureKey& key, bool was_taken, LocalTime now);
  [[nodiscard]] bool is_watched(const PictureKey& key) const;
  /// When the next picture is due. Empty: no request may be sent before a reply has come.
  [[nodiscard]] std::optional<LocalTime> next_due() const;

 private:
  struct WatchedPicture {
    bool is_watched = true;
    bool is_under_way = false;
    LocalTime due{};
    LocalTime asked{};
  };
  [[nodiscard]] std::size_t in_flight() const;

  std::map<std::string, std::string, std::less<>> nodes_;  // healthy ones, by submix
  std::shared_ptr<const show::Show> show_;
  std::optional<PictureKey> large_;
  std::map<PictureKey, WatchedPicture> pictures_;  // a picture under way stays until it is finished
};

}  // namespace submix::session
