// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "common/link/cards/pairing.hpp"
#include "common/link/stream_sender.hpp"
#include "common/stream/striper.hpp"
#include "common/wire/message.hpp"
#include "common/wire/seal.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace submix::link {

class LentFrames;
struct LinkStats;

/// One connection of a stream, as the core at its end sees it. A link reports its events to its
/// core. The real links use sockets; tests have simulated ones.
///
/// Threads  Confined (net).
class Link {
 public:
  virtual ~Link() = default;
  /// Tries to write, because new output may be due.
  virtual void wake() = 0;
  /// Sends a goodbye as far as the socket takes it at once, and closes.
  virtual void leave(wire::GoodbyeReason reason, const std::string& text) = 0;
  /// Closes; unsent bytes are dropped.
  virtual void abandon() = 0;
  /// Called once in kTick.
  virtual void tick() = 0;
};

/// How fast a link is, according to the plan.
struct LinkPace {
  std::uint64_t bytes_per_second = 0;   ///< measured; 0: not yet
  std::uint64_t queue_limit_bytes = 0;  ///< the most that the plan commits to the link
  stream::RateMeter::Full full = {};    ///< carried while the link was at its limit
};

/// Why a link was lost.
struct LinkLoss {
  std::string reason;                          ///< for people
  std::optional<wire::RefusalCode> refusal{};  ///< empty: the receiver has not refused it
  bool is_damaged = false;                     ///< the receiver has found a wrong checksum or tag
};

/// The owner of a sender's links, as the links see it. SenderCore implements it.
///
/// Threads  Confined (net).
class LinkOwner {
 public:
  virtual ~LinkOwner() = default;
  [[nodiscard]] virtual const SenderOptions& options() const = 0;

  /// Prepares a TCP socket before it connects: its card and its congestion control. A refusal by
  /// the system becomes an event.
  virtual void prepare_socket(int socket, const LinkPath& path) = 0;
  [[nodiscard]] virtual wire::Hello hello(std::size_t link) = 0;
  [[nodiscard]] virtual Result<void> welcomed(std::size_t link, const wire::Welcome& welcome) = 0;
  /// The handshake is complete: the link pulls from now on.
  virtual void opened(std::size_t link) = 0;
  /// The link has closed by itself. Not called after leave() or abandon().
  virtual void lost(std::size_t link, const LinkLoss& loss) = 0;

  /// The next stripe for a TCP link; empty: nothing to send now.
  [[nodiscard]] virtual std::optional<stream::Stripe> pull(std::size_t link,
                                                           const stream::LinkBacklog& backlog) = 0;
  /// The next whole frame for a local link; empty: nothing to send now.
  [[nodiscard]] virtual std::optional<stream::Stripe> pull_whole(std::size_t link) = 0;
  [[nodiscard]] virtual Result<void> acknowledged(const wire::Ack& ack) = 0;
  /// A ping sent at `sent` was answered when the receiver's clock showed `theirs`.
  virtual void answered(LocalTime sent, std::chrono::nanoseconds theirs) = 0;
  [[nodiscard]] virtual LinkPace pace(std::size_t link) const = 0;

  /// Keeps the lent frames of a local link alive until the receiver has returned them all.
  virtual void keep_lent(std::shared_ptr<LentFrames> frames) = 0;
  /// A local link had to copy a frame into shared memory.
  virtual void count_copied_frame() = 0;
};

/// A link at the sender: connects, greets, then pulls from its LinkOwner while it lives.
class OutgoingLink : public Link {
 public:
  virtual void connect() = 0;
  [[nodiscard]] virtual bool is_open() const = 0;
  /// The show's key by which it has greeted.
  [[nodiscard]] virtual const wire::Key& show_key() const = 0;
  /// Ticks without a message from the receiver and without progress of the sent bytes.
  [[nodiscard]] virtual int silent_ticks() const = 0;
  virtual void give_up_silent() = 0;
  /// Bytes under way, and the part of them that has not left this machine.
  [[nodiscard]] virtual stream::LinkBacklog backlog() = 0;
};

/// A new outgoing link's owner, its index on the wire, its path and its counters.
struct OutgoingLinkSetup {
  std::shared_ptr<LinkOwner> owner;
  std::size_t index;
  LinkPath path;
  std::shared_ptr<LinkStats> stats;
  std::string receiver;  ///< its node
};

/// Makes a new link for each attempt to connect.
using MakeOutgoingLink = std::function<std::shared_ptr<OutgoingLink>(OutgoingLinkSetup setup)>;

/// A link at the receiver, after a successful handshake: stripes come in, acknowledgements go out.
class IncomingLink : public Link {
 public:
  virtual void begin() = 0;
  /// The show's key by which its sender has proven itself.
  [[nodiscard]] virtual const wire::Key& show_key() const = 0;
  [[nodiscard]] virtual const std::string& peer() const = 0;  ///< "198.18.0.14:40000 (node rack2)"
  [[nodiscard]] virtual const LinkPath& path() const = 0;     ///< from this machine to the sender
};

using MakeIncomingLink =
    std::function<std::shared_ptr<IncomingLink>(std::shared_ptr<LinkStats> stats)>;

}  // namespace submix::link
