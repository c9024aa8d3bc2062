// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal: the only header here that includes libnats.

#include "common/base/handle.hpp"
#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/nats_login.hpp"
#include "common/cluster/store_state.hpp"

#include <nats/nats.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace submix::cluster {

using OptionsHandle = std::unique_ptr<natsOptions, FreeBy<natsOptions_Destroy>>;
using ConnectionHandle = std::unique_ptr<natsConnection, FreeBy<natsConnection_Destroy>>;
using JetStreamHandle = std::unique_ptr<jsCtx, FreeBy<jsCtx_Destroy>>;
using BucketHandle = std::unique_ptr<kvStore, FreeBy<kvStore_Destroy>>;
using EntryHandle = std::unique_ptr<kvEntry, FreeBy<kvEntry_Destroy>>;
using WatcherHandle = std::unique_ptr<kvWatcher, FreeBy<kvWatcher_Destroy>>;
using MessageHandle = std::unique_ptr<natsMsg, FreeBy<natsMsg_Destroy>>;
using SubscriptionHandle = std::unique_ptr<natsSubscription, FreeBy<natsSubscription_Destroy>>;

/// Why one address could not be connected.
struct ConnectError {
  std::string message;        ///< names the address
  bool is_key_wrong = false;  ///< a server answers at the address; the message names the remedy
};

/// What libnats has opened for a NatsConnection.
struct OpenedConnection {
  ConnectionHandle connection;
  Rights rights = Rights::everything;  ///< of the login that the server has taken
  JetStreamHandle jetstream;
  JetStreamHandle impatient_jetstream;  ///< waits a quarter of the patience for an answer
};

/// One connection to NATS, from a successful connect to the first failure. A lost connection is
/// never restored; the bus makes a new one. (libnats can reconnect by itself. But it gives up
/// for good after two refusals of the key, and its watches do not survive a server that lost its
/// consumers.)
///
/// Threads  Synchronized.
class NatsConnection {
 public:
  /// Connects to `url`, one of the addresses in `settings`. Each call to the store notes its answer
  /// or silence in `store`. Tries `logins` in their order, then the one that all with the show's
  /// key share.
  [[nodiscard]] static tl::expected<std::shared_ptr<NatsConnection>, ConnectError> open(
      const BusSettings& settings, const std::string& url, std::shared_ptr<StoreState> store,
      std::vector<NatsLogin> logins = {});
  /// Connects to `settings.url`, one address, and hangs up at once.
  [[nodiscard]] static natsStatus try_once(const BusSettings& settings);
  NatsConnection(const NatsConnection&) = delete;
  NatsConnection& operator=(const NatsConnection&) = delete;
  ~NatsConnection();

  [[nodiscard]] bool is_alive() const { return !natsConnection_IsClosed(connection_.get()); }
  [[nodiscard]] std::size_t payload_bytes_max() const;
  [[nodiscard]] Rights rights() const { return rights_; }
  /// Whether this PC may publish there, as far as it knows.
  [[nodiscard]] Result<void> check_rights(std::string_view subject) const;

  [[nodiscard]] Result<std::optional<BucketEntry>> get(std::string_view bucket,
                                                       std::string_view key);
  /// Removes the key and its value from the bucket.
  [[nodiscard]] Result<void> remove(std::string_view bucket_name, std::string_view key);
  [[nodiscard]] tl::expected<std::uint64_t, WriteError> put(
      std::string_view bucket, std::string_view key, std::string_view value,
      std::optional<std::uint64_t> expected_revision);
  [[nodiscard]] Result<WatcherHandle> watch(std::string_view bucket, const std::string& key);
  [[nodiscard]] Result<void> publish(std::string_view subject, std::string_view bytes);
  [[nodiscard]] tl::expected<std::string, RequestError> request(std::string_view subject,
                                                                std::string_view bytes,
                                                                std::chrono::milliseconds patience);
  [[nodiscard]] natsConnection* handle() { return connection_.get(); }

  /// Ends a subscription now, and keeps its memory until the connection ends: the reading thread of
  /// libnats 3.4 uses a looked-up subscription without holding a reference.
  void retire(SubscriptionHandle subscription) SUBMIX_EXCLUDES(mutex_);
  void retire(WatcherHandle watcher) SUBMIX_EXCLUDES(mutex_);

 private:
  NatsConnection(OpenedConnection opened, std::string url, std::chrono::milliseconds patience,
                 std::shared_ptr<StoreState> store)
      : connection_(std::move(opened.connection)),
        jetstream_(std::move(opened.jetstream)),
        impatient_jetstream_(std::move(opened.impatient_jetstream)),
        url_(std::move(url)),
        rights_(opened.rights),
        patience_(patience),
        store_(std::move(store)) {}

  // The bucket, created if missing. The pointer is valid as long as this object.
  [[nodiscard]] Result<kvStore*> bucket(std::string_view name) SUBMIX_EXCLUDES(mutex_);
  // Whether a call that began at `began` and ended with `status` had no answer. Tells `store_` the
  // result.
  [[nodiscard]] bool was_silent(std::string_view bucket, natsStatus status,
                                std::chrono::steady_clock::time_point began);
  // Waits until the server serves the bucket.
  [[nodiscard]] natsStatus wait_for_bucket(const std::string& name);

  ConnectionHandle connection_;
  JetStreamHandle jetstream_;
  JetStreamHandle impatient_jetstream_;
  const std::string url_;
  const Rights rights_;
  const std::chrono::milliseconds patience_;
  const std::shared_ptr<StoreState> store_;
  Mutex mutex_;
  std::map<std::string, BucketHandle, std::less<>> buckets_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<SubscriptionHandle> ended_subscriptions_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<WatcherHandle> ended_watchers_ SUBMIX_GUARDED_BY(mutex_);
};

/// The entry in our form. Empty: the entry marks a deleted key.
[[nodiscard]] std::optional<BucketEntry> to_bucket_entry(kvEntry* entry);

}  // namespace submix::cluster
