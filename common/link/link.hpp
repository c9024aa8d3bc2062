// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/pairing.hpp"
#include "common/stream/striper.hpp"
#include "common/wire/message.hpp"

#include <functional>
#include <memory>
#include <string>

namespace submix::link {

class SenderCore;
struct LinkStats;

/// One connection of a stream, as the core at its end sees it. A link reports its events to its
/// core. The real links use sockets; tests have simulated ones.
///
/// Threads  Confined (net).
class Link {
 public:
  virtual ~Link() = default;
  /// Tries to write: there may be something to send.
  virtual void wake() = 0;
  /// Sends a goodbye as far as the socket takes it at once, and closes.
  virtual void leave(wire::GoodbyeReason reason, const std::string& text) = 0;
  /// Closes; unsent bytes are dropped.
  virtual void abandon() = 0;
  /// Called once in kTick.
  virtual void tick() = 0;
};

/// A link at the sender: connects, greets, then pulls stripes while it lives. It calls the
/// functions "for the links" of SenderCore and LinkSupervisor.
class OutgoingLink : public Link {
 public:
  virtual void connect() = 0;
  [[nodiscard]] virtual bool is_open() const = 0;
  /// Ticks without a message from the receiver and without progress of the sent bytes.
  [[nodiscard]] virtual int silent_ticks() const = 0;
  virtual void give_up_silent() = 0;
  /// Bytes under way, and the part of them that has not left this machine.
  [[nodiscard]] virtual stream::LinkBacklog backlog() = 0;
};

/// Makes a new link for each attempt to connect.
using MakeOutgoingLink = std::function<std::shared_ptr<OutgoingLink>(
    std::shared_ptr<SenderCore> core, std::size_t index, const LinkPath& path,
    std::shared_ptr<LinkStats> stats)>;

/// A link at the receiver, after a successful handshake: stripes come in, acknowledgements go out.
class IncomingLink : public Link {
 public:
  virtual void begin() = 0;
  [[nodiscard]] virtual const std::string& peer() const = 0;  ///< "198.18.0.14:40000 (node rack2)"
  [[nodiscard]] virtual const LinkPath& path() const = 0;     ///< from this machine to the sender
};

using MakeIncomingLink =
    std::function<std::shared_ptr<IncomingLink>(std::shared_ptr<LinkStats> stats)>;

}  // namespace submix::link
