// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/handle.hpp"
#include "common/base/result.hpp"
#include "controller/pairing/nearby_pcs.hpp"

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-common/error.h>
#include <avahi-common/strlst.h>
#include <avahi-common/thread-watch.h>

#include <cstddef>
#include <memory>
#include <string_view>

/// What finding PCs and showing one share of libavahi.
namespace submix::pairing {

inline constexpr std::size_t kServiceNameBytesMax = 63;  // of a service's name, by RFC 6763

// What belongs to a client must be freed before it, and the client before its poll.
using AvahiPoll = std::unique_ptr<AvahiThreadedPoll, FreeBy<avahi_threaded_poll_free>>;
using AvahiConnection = std::unique_ptr<AvahiClient, FreeBy<avahi_client_free>>;

/// A connection to the Avahi daemon, with libavahi's thread, which runs its callbacks.
///
/// Threads  start(), stop() and the destructor: Confined (the owner). poll(): any thread.
class AvahiClientThread {
 public:
  AvahiClientThread() = default;
  AvahiClientThread(const AvahiClientThread&) = delete;
  AvahiClientThread& operator=(const AvahiClientThread&) = delete;
  ~AvahiClientThread() { stop(); }

  /// `on_state` gets `owner`, and may run before this returns.
  ///
  /// Errors   Without a daemon, unless `flags` wait for it. `without_thread` says what is missing
  ///          if the thread does not start.
  [[nodiscard]] Result<void> start(AvahiClientFlags flags, AvahiClientCallback on_state,
                                   void* owner, std::string_view without_thread);
  /// No callback runs when this returns, and none will.
  void stop();
  [[nodiscard]] AvahiThreadedPoll* poll() const { return poll_.get(); }

 private:
  AvahiPoll poll_;
  AvahiConnection client_;
  bool is_running_ = false;
};

[[nodiscard]] inline const char* service_of(NearbyKind kind) {
  return kind == NearbyKind::desk ? "_submix-desk._tcp" : "_submix-pc._tcp";
}

[[nodiscard]] inline tl::unexpected<Error> no_daemon(int error) {
  return fail("the Avahi daemon, which finds other PCs, does not answer: {}",
              avahi_strerror(error));
}

}  // namespace submix::pairing
