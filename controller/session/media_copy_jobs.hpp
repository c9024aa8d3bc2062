// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"
#include "controller/session/actions.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::session {

/// The copies of files to nodes that a person has asked for, one after the other.
///
/// Threads  Compatible. A request's progress is written on another thread.
class MediaCopyJobs {
 public:
  void add(const CopyMedia& action);
  /// Ends all copies. Copied parts stay on the nodes.
  void stop();
  /// Ends the copies for a show that is to be opened, if there are some.
  void stop_for_opening();
  /// The request of the next copy, if none is under way.
  [[nodiscard]] std::optional<CopyMediaFile> next_request();
  /// Ends the copy that is under way and returns its action. Empty: no copy was under way.
  [[nodiscard]] std::optional<CopyMedia> end();
  [[nodiscard]] std::vector<model::MediaCopyView> views() const;

 private:
  template <typename Is>
  void stop_if(Is is_meant);

  struct Job {
    CopyMedia action;
    std::shared_ptr<CopyProgress> progress;
    bool is_under_way = false;
  };
  std::vector<Job> jobs_;  // the first one is under way
};

}  // namespace submix::session
