// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/base/network.hpp"
#include "common/base/result.hpp"
#include "common/link/stream_receiver.hpp"
#include "common/link/stream_sender.hpp"
#include "common/telemetry/trace.hpp"
#include "common/wire/seal.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::link {

struct DataPlaneOptions {
  std::string node;
  /// Addresses of this machine to listen on and to send from. Empty: all addresses of
  /// offered_addresses(), as cards come and go.
  std::vector<std::string> addresses;
  std::uint16_t port = 0;                ///< the same on all addresses; 0: any free port
  std::optional<wire::Key> key;          ///< required for any address but loopback
  EventSink* events = nullptr;           ///< outlives the data plane and all of its streams
  telemetry::Trace* trace = nullptr;     ///< records the events of links; outlives the data plane
  std::function<void()> on_endpoints{};  ///< endpoints() has changed; called on `net`
  bool takes_partners_only = false;      ///< only nodes named by set_partner() may send
};

/// A node's end of all its streams: the `net` thread, the listening sockets and the links. It
/// follows this machine's cards. Links of a lost card are closed at once and come back with the
/// card.
///
/// Owner    Its senders and receivers may outlive it; they carry nothing then.
/// Threads  Synchronized. Owns the thread `net`, the only thread that touches the sockets.
/// Errors   start(): an address that this machine does not have, a port in use, or a reachable
///          address without a key. Each text names the remedy.
class DataPlane {
 public:
  [[nodiscard]] static Result<std::unique_ptr<DataPlane>> start(DataPlaneOptions options);
  ~DataPlane();
  DataPlane(const DataPlane&) = delete;
  DataPlane& operator=(const DataPlane&) = delete;

  /// The listening endpoints in the order of `addresses`, with the present state of their cards.
  [[nodiscard]] std::vector<DataEndpoint> endpoints() const;

  /// The listening socket for nodes of the same machine; never changes.
  [[nodiscard]] LocalEndpoint local_endpoint() const;

  /// New links use `used`, and the present ones connect anew, one after the other, without losing a
  /// frame. Receivers take `offered`, too, and the former key for kFormerKeyGrace.
  void set_keys(const wire::Key& used, const std::optional<wire::Key>& offered);

  /// Binds new links with `node` to what its PC and this one share; see StreamKeys::set_partner().
  void set_partner(const std::string& node, const std::optional<wire::Key>& secret);

  /// Makes `net` call `act` soon. When the data plane ends, `act` may never be called.
  void post(std::function<void()> act);

  /// The sender starts without a destination; see StreamSender::set_destination().
  [[nodiscard]] Result<std::shared_ptr<StreamSender>> open_sender(SenderOptions options);
  /// Fails while another receiver of the same stream, size and rate exists. Receivers of other
  /// sizes or rates may exist beside it; each sender reaches the receiver of its own size and rate.
  [[nodiscard]] Result<std::shared_ptr<StreamReceiver>> open_receiver(ReceiverOptions options);

 private:
  class Private;
  explicit DataPlane(std::unique_ptr<Private> state);

  std::unique_ptr<Private> private_;
};

}  // namespace submix::link
