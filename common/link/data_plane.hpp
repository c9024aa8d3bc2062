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
  /// Of this machine: listened on, and sent from. Empty: all that offered_addresses() gives, as cards come
  /// and go.
  std::vector<std::string> addresses;
  std::uint16_t port = 0;                ///< the same on all addresses; 0: any that is free
  std::optional<wire::Key> key;          ///< needed for any address but loopback
  EventSink* events = nullptr;           ///< outlives the data plane and all of its streams
  telemetry::Trace* trace = nullptr;     ///< what its links do is written there; as `events`
  std::function<void()> on_endpoints{};  ///< endpoints() gives others than before; called on `net`
};

/// A node's end of all its streams: the `net` thread, a listener for each data address, the links. It follows
/// this machine's cards: links of one that is lost are closed at once, and come back with it.
///
/// Owner    Its senders and receivers may outlive it; they then carry nothing any more.
/// Threads  Synchronized. Owns the thread `net`, which alone touches the sockets.
/// Errors   start(): an address that is not this machine's, a port in use, an address that others can
///          reach while there is no key; each with its remedy.
class DataPlane {
 public:
  [[nodiscard]] static Result<std::unique_ptr<DataPlane>> start(DataPlaneOptions options);
  ~DataPlane();
  DataPlane(const DataPlane&) = delete;
  DataPlane& operator=(const DataPlane&) = delete;

  /// Where it listens, in the order of `addresses`, with what is known of the cards now.
  [[nodiscard]] std::vector<DataEndpoint> endpoints() const;

  /// Where it listens for nodes of its own machine; never changes.
  [[nodiscard]] LocalEndpoint local_endpoint() const;

  /// Starts without a destination; see StreamSender::set_destination().
  [[nodiscard]] Result<std::shared_ptr<StreamSender>> open_sender(SenderOptions options);
  /// Fails while another receiver of the same stream, size and rate lives. Senders come to the one of theirs.
  [[nodiscard]] Result<std::shared_ptr<StreamReceiver>> open_receiver(ReceiverOptions options);

 private:
  class Private;
  explicit DataPlane(std::unique_ptr<Private> state);

  std::unique_ptr<Private> private_;
};

}  // namespace submix::link
