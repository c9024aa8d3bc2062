// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/address.hpp"
#include "common/cluster/rights.hpp"
#include "common/cluster/show_key.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace submix::cluster {

class FollowedKey;

struct BusSettings {
  /// One address, or several separated by ',': the cards of one server, or the servers of one NATS
  /// cluster.
  std::string url{kDefaultUrl};
  std::string name = "submix";   ///< shown in NATS's list of connections
  std::optional<ShowKey> key{};  ///< required for every address except loopback
  /// Time limit for connecting and for each answer of NATS.
  std::chrono::milliseconds patience{2000};
  /// The key of a desk, which may change: used in place of `key`. Null: `key` stays.
  std::shared_ptr<FollowedKey> followed{};
  /// Hears at each new connection what this PC may do. On the bus's own thread.
  std::function<void(Rights)> on_rights{};
};

/// One value in a key-value bucket.
struct BucketEntry {
  std::string key;
  std::string value;
  std::uint64_t revision = 0;           ///< grows with each change in the bucket; never 0
  std::chrono::nanoseconds written{0};  ///< since 1970, by the server's clock
};

/// Why a value was not written.
struct WriteError {
  std::string message;
  bool is_conflict = false;  ///< another writer was faster: read the value again, then decide
};

/// Why a request has no answer.
struct RequestError {
  enum class Kind {
    absent,  ///< no program serves the subject
    silent,  ///< a program serves it, but did not answer in time
    failed,  ///< the request was not sent; for example, there is no connection
  };
  Kind kind = Kind::failed;
  std::string message;
};

/// A watch, subscription or service, which ends with this object. The destructor waits for a
/// running callback; do not destroy a subscription from within its own callback.
class Subscription {
 public:
  Subscription() = default;
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;
  virtual ~Subscription() = default;
};

class Connector;

/// Raw bytes over NATS. The connection is restored automatically, with all its subscriptions.
///
/// Owner    Subscriptions must end before the bus ends.
/// Threads  Synchronized. Callbacks of subscribe() and serve() run on a libnats thread for each
///          subscription; callbacks of watch() on the watch's own thread; callbacks of on_state()
///          on the bus's own thread.
/// Cost     publish() queues the bytes and returns. get(), put() and request() wait for an answer,
///          up to `patience`.
/// Errors   Without a connection publish() drops its bytes, and all other calls fail at once.
class Bus {
 public:
  enum class State {
    connected,
    lost,
    store_silent,  ///< connected, but get(), put() and watch() get no answer
  };
  using StateCallback = std::function<void(State)>;

  /// Fails within about `settings.patience` if NATS cannot be reached. The error names the URL and
  /// the remedy.
  [[nodiscard]] static Result<std::unique_ptr<Bus>> connect(BusSettings settings,
                                                            StateCallback on_state = {});
  /// Fails if the settings can never work, however often the bus tries.
  [[nodiscard]] static Result<void> check(const BusSettings& settings);
  /// Returns at once and keeps trying to connect. Fails only if check() fails.
  [[nodiscard]] static Result<std::unique_ptr<Bus>> start(BusSettings settings,
                                                          StateCallback on_state = {});
  Bus(const Bus&) = delete;
  Bus& operator=(const Bus&) = delete;
  ~Bus();

  [[nodiscard]] bool is_connected() const;
  /// The newest get(), put() or watch() had no answer. The most likely reason: the disk with NATS's
  /// state is full.
  [[nodiscard]] bool is_store_silent() const;
  /// Why there is no connection. Empty: there is a connection.
  [[nodiscard]] std::string last_error() const;
  /// The largest message that the server accepts, in bytes; 0: no connection.
  [[nodiscard]] std::size_t payload_bytes_max() const;

  /// Empty: there is no such key.
  [[nodiscard]] Result<std::optional<BucketEntry>> get(std::string_view bucket,
                                                       std::string_view key);
  /// Returns the new revision. With `expected_revision` the value is written only if its revision
  /// is still this one (0: no value may exist yet).
  [[nodiscard]] tl::expected<std::uint64_t, WriteError> put(
      std::string_view bucket, std::string_view key, std::string_view value,
      std::optional<std::uint64_t> expected_revision = {});
  /// Removes a key and its value. Watches are not notified.
  [[nodiscard]] Result<void> remove(std::string_view bucket, std::string_view key);
  /// Delivers the present values, then each change. `key` may be ">": the whole bucket. After a
  /// lost connection the present values are delivered again.
  [[nodiscard]] std::unique_ptr<Subscription> watch(
      std::string bucket, std::string key, std::function<void(const BucketEntry&)> callback);

  void publish(std::string_view subject, std::string_view bytes);
  /// `subject` may end in ">".
  [[nodiscard]] std::unique_ptr<Subscription> subscribe(
      std::string subject, std::function<void(std::string_view bytes)> callback);
  /// Serves requests on `subject`: `answer` returns the reply. Requests are answered one at a time.
  [[nodiscard]] std::unique_ptr<Subscription> serve(
      std::string subject, std::function<std::string(std::string_view bytes)> answer);
  /// The reply of the program that serves `subject`, or why there is none.
  [[nodiscard]] tl::expected<std::string, RequestError> request(std::string_view subject,
                                                                std::string_view bytes,
                                                                std::chrono::milliseconds patience);

 private:
  explicit Bus(std::unique_ptr<Connector> connector);
  void reply(std::string_view subject, std::string_view bytes);
  void take_key_offers(const std::shared_ptr<FollowedKey>& key);

  std::unique_ptr<Connector> connector_;
  std::unique_ptr<Subscription> key_offers_;  // null: the key is not followed
};

}  // namespace submix::cluster
