// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/realtime_broker.hpp"
#include "common/base/result.hpp"

#include <sys/types.h>

#include <chrono>
#include <memory>

struct DBusConnection;
struct DBusMessage;

namespace submix::agent {

/// RealtimeKit, a desktop's service that gives real-time scheduling to processes without the right
/// to it. It is reached over the system's message bus (DBUS_SYSTEM_BUS_ADDRESS, or the default
/// address).
///
/// Threads  Compatible.
/// Errors   No bus, no such service, refused, or no answer within kPatience: the text says which.
/// Source   org.freedesktop.RealtimeKit1.xml of rtkit 0.13.
class Rtkit {
 public:
  // For each answer; the bus may have to start the service first.
  static constexpr std::chrono::milliseconds kPatience{1000};

  [[nodiscard]] static Result<Rtkit> connect();

  [[nodiscard]] const RealtimeTerms& terms() const { return terms_; }
  /// Makes a thread of this process run by SCHED_RR. Reconnects if the bus was lost.
  [[nodiscard]] Result<void> raise(pid_t thread, int priority);

 private:
  struct Close {
    void operator()(DBusConnection* connection) const;
  };
  struct Drop {
    void operator()(DBusMessage* message) const;
  };
  using Connection = std::unique_ptr<DBusConnection, Close>;
  using Message = std::unique_ptr<DBusMessage, Drop>;

  Rtkit() = default;
  [[nodiscard]] Result<void> open();
  [[nodiscard]] Result<void> say_hello();
  [[nodiscard]] Result<long long> property(const char* name);
  [[nodiscard]] Result<Message> call(const Message& question);

  Connection connection_;
  RealtimeTerms terms_;
};

}  // namespace submix::agent
