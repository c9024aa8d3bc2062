// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace submix {

/// Tells a service manager, such as systemd, about this process: the protocol of sd_notify(3).
///
/// Threads  Immutable.
/// Errors   None: without a service manager, or without its socket, a message is lost.
class NotifySocket {
 public:
  /// The socket that $NOTIFY_SOCKET names. Without this variable no message is sent.
  [[nodiscard]] static NotifySocket of_environment();
  /// `address`: the path of a Unix datagram socket, or '@' and an abstract name.
  explicit NotifySocket(std::string address) : address_(std::move(address)) {}

  /// `state`: "READY=1", "WATCHDOG=1" or "STOPPING=1". Does not wait for the receiver.
  void send(std::string_view state) const;

 private:
  std::string address_;  // empty: nobody listens
};

}  // namespace submix
