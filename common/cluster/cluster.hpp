// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/messages.hpp"
#include "common/telemetry/readings.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

namespace submix::cluster {

/// A value with the revision to state when it is written back.
template <typename T>
struct Revisioned {
  T value;
  std::uint64_t revision = 0;  ///< 0: there is no value yet, `value` is the initial one
};

/// What a node says to a Command.
using Reply = std::variant<Snapshot, std::vector<PluginSummary>, TracePart>;

/// The control plane in the project's own words: messages.hpp over a Bus. Messages that cannot be read are
/// logged and dropped.
///
/// Owner    The bus outlives it and its subscriptions.
/// Threads  Synchronized; callbacks as Bus says: watch_…() on a thread of the watch, the others on one of
/// libnats.
class Cluster {
 public:
  explicit Cluster(Bus& bus) : bus_(bus) {}

  // Desired state.
  [[nodiscard]] Result<Revisioned<DesiredShow>> show();
  [[nodiscard]] tl::expected<std::uint64_t, WriteError> put_show(
      const DesiredShow& show, std::optional<std::uint64_t> expected_revision);
  [[nodiscard]] std::unique_ptr<Subscription> watch_show(
      std::function<void(const Revisioned<DesiredShow>&)> callback);
  [[nodiscard]] Result<Revisioned<DesiredTransport>> transport();
  [[nodiscard]] tl::expected<std::uint64_t, WriteError> put_transport(
      const DesiredTransport& transport, std::optional<std::uint64_t> expected_revision);
  [[nodiscard]] std::unique_ptr<Subscription> watch_transport(
      std::function<void(const DesiredTransport&)> callback);

  // Reported state.
  [[nodiscard]] Result<void> put_report(const NodeReport& report);
  [[nodiscard]] std::unique_ptr<Subscription> watch_reports(std::function<void(const NodeReport&)> callback);

  // Telemetry and events; dropped while there is no connection.
  void publish(const telemetry::NodeReading& reading);
  void publish(const Event& event);
  [[nodiscard]] std::unique_ptr<Subscription> subscribe_readings(
      std::function<void(const telemetry::NodeReading&)> callback);
  [[nodiscard]] std::unique_ptr<Subscription> subscribe_events(std::function<void(const Event&)> callback);

  // Commands.

  /// `answer` is called by one thread for each kind of command.
  [[nodiscard]] std::unique_ptr<Subscription> serve_commands(
      std::string_view node, std::function<Result<Reply>(const Command&)> answer);
  /// Whether a node of this name answers within `patience`; at once where there is none.
  [[nodiscard]] bool is_there(std::string_view node, std::chrono::milliseconds patience);
  [[nodiscard]] Result<Snapshot> request_snapshot(
      std::string_view node, const Command& command,
      std::chrono::milliseconds patience = std::chrono::seconds(5));
  [[nodiscard]] Result<std::vector<PluginSummary>> request_plugins(
      std::string_view node, std::chrono::milliseconds patience = std::chrono::seconds(5));

  /// The node's last `look_back` as a Chrome trace, all parts of it; `patience` is for each.
  [[nodiscard]] Result<std::string> request_trace(
      std::string_view node, std::chrono::seconds look_back,
      std::chrono::milliseconds patience = std::chrono::seconds(5));

 private:
  [[nodiscard]] Result<std::string> request(std::string_view node, const Command& command,
                                            std::chrono::milliseconds patience);

  Bus& bus_;
};

}  // namespace submix::cluster
