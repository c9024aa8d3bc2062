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

/// Takes a trace of all nodes, one after the other, so that pictures and plugin lists are not held up; puts
/// them together; keeps the last one, and has it written.
///
/// Threads  Compatible.
/// Errors   A node that does not tell is left out and named. Answers that come after a cancel are dropped.
class TraceJob {
 public:
  void start(std::vector<std::string> nodes, int seconds);
  /// Back to the trace before, where there is one.
  void cancel();
  void on(TraceTold& reply);
  void on(TracesMerged& reply);
  void on(const TextWritten& reply);
  /// Empty: nothing to do now.
  [[nodiscard]] std::optional<Request> next_request();
  /// Fails where there is no trace yet.
  [[nodiscard]] Result<WriteText> save(const std::string& path);
  /// Never null; what is there is never changed.
  [[nodiscard]] std::shared_ptr<const model::TraceView> view() const { return view_; }

 private:
  void show(model::TraceView view);
  void fail_with(std::string problem);

  std::uint64_t number_ = 0;  // of the job; answers to others are late
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
