// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"
#include "controller/session/actions.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace submix::session {

/// The lists of the nodes' media folders, and pictures of the files that people look at. A picture
/// is taken once; it stays until its file changes or kKeptMax others have come. What has failed is
/// tried again: the PC may have been busy.
///
/// Threads  Compatible.
class MediaShelf {
 public:
  static constexpr std::size_t kInFlightMax = 2;
  static constexpr std::size_t kKeptMax = 300;
  static constexpr std::chrono::seconds kRetry{10};
  static constexpr int kTries = 3;  ///< of each list that a person asks for, and of each picture

  /// Asks a node for its list, and again for the pictures that it could not make.
  void ask(const std::string& node);
  /// The pictures that are visible now, the most wanted first. Failed ones come last.
  void watch(std::vector<model::MediaPictureKey> keys) { watched_ = std::move(keys); }
  /// The requests due now; only healthy nodes are asked.
  [[nodiscard]] std::vector<Request> take_requests(const model::ClusterView& known);
  void take(MediaListed& reply, LocalTime now);
  void take(MediaPictureTaken& reply, LocalTime now);

  /// Null: no node was asked.
  [[nodiscard]] const std::shared_ptr<const model::MediaLists>& lists() const { return lists_; }
  /// Null: none came.
  [[nodiscard]] const std::shared_ptr<const model::MediaPictures>& pictures() const {
    return pictures_;
  }

 private:
  struct WantedList {
    LocalTime due{};
    int failures = 0;
    bool is_under_way = false;
    bool is_asked_again = false;  // while it is under way: it may be out of date
  };
  struct Failure {
    LocalTime due{};
    int failures = 0;
  };

  void end_list(const std::string& node, bool has_failed, LocalTime now);
  void take_requests_for(bool are_failed, const model::ClusterView& known,
                         std::vector<Request>& requests);
  void forget_changed(const std::string& node, const cluster::MediaList& now);
  void make_room(model::MediaPictures& pictures);

  std::map<std::string, WantedList> lists_wanted_;  // by node
  std::vector<model::MediaPictureKey> watched_;
  std::set<model::MediaPictureKey> under_way_;
  std::map<model::MediaPictureKey, Failure> failed_;
  std::shared_ptr<const model::MediaLists> lists_;
  std::shared_ptr<const model::MediaPictures> pictures_;
};

}  // namespace submix::session
