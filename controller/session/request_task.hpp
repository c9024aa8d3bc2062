// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/session/actions.hpp"
#include "controller/session/cluster_access.hpp"

#include <functional>

namespace submix::session {

/// The queue in which a request waits. Each queue has its own threads.
enum class RequestQueue {
  writes,     ///< writes to the cluster: at most one show and one transport at a time
  questions,  ///< pictures and traces
  slow,       ///< requests of several seconds: plugin lists, merging of traces
  media,      ///< pictures of files, which a node has to decode first
  copies,     ///< copies of files to nodes, which take minutes
  files,      ///< files on this machine
};

/// One request of the session: its queue, its execution, and the reply to a refusal.
///
/// Threads  run() on a thread of its queue; refused() on `net`. Only one of them is called.
struct RequestTask {
  RequestQueue queue = RequestQueue::slow;
  /// Carries the request out; blocks for as long as the cluster or the disk takes.
  std::function<Reply(ClusterAccess&)> run;
  /// The reply to a refused request; `error` is the reason.
  std::function<Reply(const Error& error)> refused;
};

[[nodiscard]] RequestTask task_of(Request request);

}  // namespace submix::session
