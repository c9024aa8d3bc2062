// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/timeline.hpp"
#include "controller/session/actions.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::session {

/// Takes a trace of all nodes, one after the other, so that pictures and plugin lists are not
/// delayed. It merges the traces, keeps the last result, and saves it.
///
/// Threads  Compatible.
/// Errors   A node that does not answer is left out and named. Answers after a cancel are dropped.
class TraceJob {
 public:
  void start(std::vector<std::string> nodes, int seconds);
  /// Cancels the job. The view shows the previous trace again, if there is one.
  void cancel();
  void on(TraceTold& reply);
  void on(TracesMerged& reply);
  void on(const TextWritten& reply);
  /// The next request. Empty: nothing to do now.
  [[nodiscard]] std::optional<Request> next_request();
  /// Fails if there is no trace yet.
  [[nodiscard]] Result<WriteText> save(const std::string& path);
  /// Never null. The object is immutable.
  [[nodiscard]] std::shared_ptr<const model::TraceView> view() const { return view_; }

 private:
  void show(model::TraceView view);
  void fail_with(std::string problem);

  std::uint64_t number_ = 0;  // of the job; answers to other jobs are too late
  std::vector<std::string> waiting_;
  std::vector<std::string> texts_;
  bool is_asking_ = false;  // a request is under way
  int seconds_ = 0;
  std::size_t nodes_ = 0;
  std::vector<std::string> problems_;
  std::shared_ptr<const MergedTrace> last_;
  std::shared_ptr<const model::TraceView> view_ = std::make_shared<const model::TraceView>();
};

}  // namespace submix::session
