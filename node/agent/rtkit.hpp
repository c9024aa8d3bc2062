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

/// RealtimeKit, the service of a desktop that gives real-time scheduling to who has no right of its own; over
/// the system's message bus (DBUS_SYSTEM_BUS_ADDRESS, or where that is by default).
///
/// Threads  Compatible.
/// Errors   No bus, no such service, refused, no answer within kPatience: says which.
/// Source   org.freedesktop.RealtimeKit1.xml of rtkit 0.13.
class Rtkit {
 public:
  static constexpr std::chrono::milliseconds kPatience{
      1000};  // for each answer; a bus may have to start it first

  [[nodiscard]] static Result<Rtkit> connect();

  [[nodiscard]] const RealtimeTerms& terms() const { return terms_; }
  /// Has a thread of this process run by SCHED_RR. Connects anew where the bus has gone meanwhile.
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
