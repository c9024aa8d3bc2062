// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"
#include "controller/input/osc_message.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace submix::input {

/// A UDP socket bound to one address. liblo's own server would listen on all addresses.
///
/// Threads  One thread may receive while others send.
class UdpSocket {
 public:
  /// `at.host` is a numeric address or a name of this machine; port 0: any free port.
  [[nodiscard]] static Result<UdpSocket> bind(const OscPeer& at);

  [[nodiscard]] const OscPeer& address() const { return address_; }

  struct Datagram {
    std::string bytes;
    OscPeer from;
  };
  /// The next datagram; empty after `patience`.
  [[nodiscard]] std::optional<Datagram> receive_for(std::chrono::milliseconds patience) const;
  /// False: sending is impossible now; the caller may try again.
  bool send(const OscPeer& to, std::string_view bytes) const;

 private:
  UdpSocket(Descriptor descriptor, OscPeer address)
      : descriptor_(std::move(descriptor)), address_(std::move(address)) {}

  Descriptor descriptor_;
  OscPeer address_;
};

}  // namespace submix::input
