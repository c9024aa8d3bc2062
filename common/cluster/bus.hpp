// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/address.hpp"
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

struct BusSettings {
  std::string url{
      kDefaultUrl};  ///< one, or several with ',' between: a server's cards, or servers of one cluster
  std::string name = "submix";               ///< for people who look at NATS's list of connections
  std::optional<ShowKey> key{};              ///< needed for any address but loopback
  std::chrono::milliseconds patience{2000};  ///< for connecting, and for each answer of NATS
};

/// One value in a key-value bucket.
struct Entry {
  std::string key;
  std::string value;
  std::uint64_t revision = 0;           ///< grows with each change in the bucket; never 0
  std::chrono::nanoseconds written{0};  ///< since 1970, by the server's clock
};

/// Why a value was not written.
struct WriteError {
  std::string message;
  bool is_conflict = false;  ///< somebody else wrote meanwhile: read again, then decide
};

/// Why a request has no answer.
struct RequestError {
  enum class Kind {
    absent,  ///< nobody serves the subject
    silent,  ///< somebody does, but gave no answer in time
    failed,  ///< it could not be asked: there is no connection, say
  };
  Kind kind = Kind::failed;
  std::string message;
};

/// A watch, subscription or service, for as long as it lives. Its end waits for a callback that runs, so: not
/// from within its own callback.
class Subscription {
 public:
  Subscription() = default;
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;
  virtual ~Subscription() = default;
};

class Connector;

/// Raw bytes over NATS: a connection that comes back by itself, with all that was subscribed on it.
///
/// Owner    Subscriptions must end before the bus does.
/// Threads  Synchronized. Callbacks of subscribe() and serve() come on a thread of libnats, one for each
///          subscription; those of watch() on a thread of the watch; those of on_state() on the bus's own.
/// Cost     publish() hands over and returns. get(), put() and request() wait for an answer, up to patience.
/// Errors   While there is no connection: publish() drops, the others fail at once.
class Bus {
 public:
  enum class State {
    connected,
    lost,
    store_silent,  ///< connected, but get(), put() and watch() have no answer
  };
  using StateCallback = std::function<void(State)>;

  /// Fails within about `settings.patience` when NATS cannot be reached, naming the URL and the remedy.
  [[nodiscard]] static Result<std::unique_ptr<Bus>> connect(BusSettings settings,
                                                            StateCallback on_state = {});
  /// Why the settings can never work, however long one tries.
  [[nodiscard]] static Result<void> check(const BusSettings& settings);
  /// Keeps trying for as long as it takes; fails only where check() does.
  [[nodiscard]] static Result<std::unique_ptr<Bus>> start(BusSettings settings,
                                                          StateCallback on_state = {});
  Bus(const Bus&) = delete;
  Bus& operator=(const Bus&) = delete;
  ~Bus();

  [[nodiscard]] bool is_connected() const;
  /// The newest get(), put() or watch() had no answer: most likely the disk is full where NATS keeps its
  /// state.
  [[nodiscard]] bool is_store_silent() const;
  /// Why there is no connection; empty when there is one.
  [[nodiscard]] std::string last_error() const;
  /// The largest message that the server takes; 0 while there is no connection.
  [[nodiscard]] std::size_t payload_bytes_max() const;

  /// Empty when there is no such key.
  [[nodiscard]] Result<std::optional<Entry>> get(std::string_view bucket, std::string_view key);
  /// The new revision. With `expected_revision` (0: there shall be none yet) only if nobody wrote meanwhile.
  [[nodiscard]] tl::expected<std::uint64_t, WriteError> put(
      std::string_view bucket, std::string_view key, std::string_view value,
      std::optional<std::uint64_t> expected_revision = {});
  /// Takes a key and its value away; watches are not told.
  [[nodiscard]] Result<void> remove(std::string_view bucket, std::string_view key);
  /// The values there are (`key` may be ">": all of the bucket), then each change. After a loss of the
  /// connection: the values there are, again.
  [[nodiscard]] std::unique_ptr<Subscription> watch(std::string bucket, std::string key,
                                                    std::function<void(const Entry&)> callback);

  void publish(std::string_view subject, std::string_view bytes);
  /// `subject` may end in ">".
  [[nodiscard]] std::unique_ptr<Subscription> subscribe(
      std::string subject, std::function<void(std::string_view bytes)> callback);
  /// The answer to what `answer` was asked; one at a time.
  [[nodiscard]] std::unique_ptr<Subscription> serve(
      std::string subject, std::function<std::string(std::string_view bytes)> answer);
  /// The one who serves `subject`, or why there is no answer.
  [[nodiscard]] tl::expected<std::string, RequestError> request(std::string_view subject,
                                                                std::string_view bytes,
                                                                std::chrono::milliseconds patience);

 private:
  explicit Bus(std::unique_ptr<Connector> connector);

  std::unique_ptr<Connector> connector_;
};

}  // namespace submix::cluster
