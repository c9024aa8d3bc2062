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

/// One connection of a stream, as the core at its end knows it. What happens to it, it tells its core.
/// SenderLink and ReceiverLink are those over sockets; tests have simulated ones.
///
/// Threads  Confined (net).
class Link {
 public:
  virtual ~Link() = default;
  /// There may be something to write.
  virtual void wake() = 0;
  /// Says goodbye, as far as that goes at once, and closes.
  virtual void leave(wire::GoodbyeReason reason, const std::string& text) = 0;
  /// Closes, and what has not left never leaves.
  virtual void abandon() = 0;
  /// Once in kTick.
  virtual void tick() = 0;
};

/// A connection at the sender: connects, greets, then pulls stripes for as long as it lives. It calls its
/// core's functions "for the links", and its lines'.
class OutgoingLink : public Link {
 public:
  virtual void connect() = 0;
  [[nodiscard]] virtual bool is_open() const = 0;
  /// Ticks without a word from the receiver and without progress of what was sent.
  [[nodiscard]] virtual int silent_ticks() const = 0;
  virtual void give_up_silent() = 0;
  /// How much it has on its way, and how much of it has not left.
  [[nodiscard]] virtual stream::LinkBacklog backlog() = 0;
};

/// Makes a new one for each attempt.
using MakeOutgoingLink = std::function<std::shared_ptr<OutgoingLink>(
    std::shared_ptr<SenderCore> core, std::size_t index, const LinkPath& path,
    std::shared_ptr<LinkStats> stats)>;

/// A connection at the receiver, whose other end has proven itself: stripes in, acknowledgements out.
class IncomingLink : public Link {
 public:
  virtual void begin() = 0;
  [[nodiscard]] virtual const std::string& peer() const = 0;  ///< "198.18.0.14:40000 (node rack2)"
  [[nodiscard]] virtual const LinkPath& path() const = 0;     ///< from here to the sender
};

using MakeIncomingLink =
    std::function<std::shared_ptr<IncomingLink>(std::shared_ptr<LinkStats> stats)>;

}  // namespace submix::link
