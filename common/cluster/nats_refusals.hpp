// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the bus.

#include "common/base/mutex.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>

#include <nats/nats.h>

namespace submix::cluster {

/// What servers have said that their clients may not do. A server drops such a message and answers
/// nothing, so the caller only sees that an answer is missing. One object for the process, because
/// libnats may tell of a connection that has just ended.
///
/// Threads  Synchronized.
class NatsRefusals {
 public:
  [[nodiscard]] static NatsRefusals& of_process();

  /// `words` of the server: `Permissions Violation for Publish to "submix.event.left"`.
  void add(const natsConnection* connection, std::string words) SUBMIX_EXCLUDES(mutex_);
  /// Whether the connection may not publish there.
  [[nodiscard]] bool has(const natsConnection* connection, std::string_view subject)
      SUBMIX_EXCLUDES(mutex_);
  /// A connection begins or ends.
  void forget(const natsConnection* connection) SUBMIX_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::map<const natsConnection*, std::set<std::string>> words_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::cluster
