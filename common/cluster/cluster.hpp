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
using Reply =
    std::variant<Snapshot, std::vector<PluginSummary>, TracePart, std::vector<SubmixFault>>;

enum class Presence {
  here,
  absent,   ///< no node of this name is connected
  silent,   ///< one is connected, but does not answer: it hangs, or its computer has just gone
  unknown,  ///< nobody could be asked: there is no connection
};

/// The control plane in the project's own words: messages.hpp over a Bus. Messages that cannot be read are
/// logged and dropped.
///
/// Owner    The bus outlives it and its subscriptions.
/// Threads  Synchronized; callbacks as Bus says: watch_…() on a thread of the watch, the others on one of
/// libnats.
class Cluster {
 public:
  explicit Cluster(Bus& bus) : bus_(bus) {}

  // Desired state. What is no show at all is given as a show whose text cannot be read.
  [[nodiscard]] Result<Revisioned<DesiredShow>> show();
  [[nodiscard]] tl::expected<std::uint64_t, WriteError> put_show(
      const DesiredShow& show, std::optional<std::uint64_t> expected_revision);
  [[nodiscard]] std::unique_ptr<Subscription> watch_show(
      std::function<void(const Revisioned<DesiredShow>&)> callback);
  /// The last show that ran on all its nodes without a fault; revision 0: none has yet.
  [[nodiscard]] Result<Revisioned<DesiredShow>> good_show();
  [[nodiscard]] std::unique_ptr<Subscription> watch_good_show(
      std::function<void(const DesiredShow&)> callback);
  /// Where that fails, the next good show is kept.
  void keep_good_show(const DesiredShow& show);
  [[nodiscard]] Result<Revisioned<DesiredTransport>> transport();
  [[nodiscard]] tl::expected<std::uint64_t, WriteError> put_transport(
      const DesiredTransport& transport, std::optional<std::uint64_t> expected_revision);
  [[nodiscard]] std::unique_ptr<Subscription> watch_transport(
      std::function<void(const DesiredTransport&)> callback);
  [[nodiscard]] Result<AlertsSeen> alerts_seen();
  /// Adds alerts that were seen and takes out those that are over, whoever else writes meanwhile. Of more
  /// than AlertsSeen::kThingsMax the oldest go.
  [[nodiscard]] Result<void> change_alerts_seen(const std::vector<std::string>& seen,
                                                const std::vector<std::string>& over);
  [[nodiscard]] std::unique_ptr<Subscription> watch_alerts_seen(
      std::function<void(const AlertsSeen&)> callback);

  // Reported state.
  /// The new revision.
  [[nodiscard]] Result<std::uint64_t> put_report(const NodeReport& report);
  /// False: nobody has heard of the node. A node that lives reports again.
  [[nodiscard]] Result<bool> forget_report(std::string_view node);
  /// Writes down that `node` lives. Reports are written on change only, so they do not tell.
  [[nodiscard]] Result<void> put_sign_of_life(std::string_view node);
  /// Time since the last sign of life of `node`; empty: there never was one. Both ends of this time are read
  /// from the server's clock. Asks the server three times.
  [[nodiscard]] Result<std::optional<std::chrono::milliseconds>> silence_of(std::string_view node);
  [[nodiscard]] std::unique_ptr<Subscription> watch_reports(
      std::function<void(const NodeReport&)> callback);
  [[nodiscard]] std::unique_ptr<Subscription> watch_revisioned_reports(
      std::function<void(const Revisioned<NodeReport>&)> callback);

  // Telemetry and events; dropped while there is no connection.
  void publish(const telemetry::NodeReading& reading);
  void publish(const Event& event);
  [[nodiscard]] std::unique_ptr<Subscription> subscribe_readings(
      std::function<void(const telemetry::NodeReading&)> callback);
  [[nodiscard]] std::unique_ptr<Subscription> subscribe_events(
      std::function<void(const Event&)> callback);

  // Commands.

  /// `answer` is called by one thread for each kind of command.
  [[nodiscard]] std::unique_ptr<Subscription> serve_commands(
      std::string_view node, std::function<Result<Reply>(const Command&)> answer);
  /// Whether a node of this name is there: at once where there is none, after `patience` where it is silent.
  [[nodiscard]] Presence presence(std::string_view node, std::chrono::milliseconds patience);
  /// Whether a node of this name answers within `patience`; at once where there is none.
  [[nodiscard]] bool is_there(std::string_view node, std::chrono::milliseconds patience);
  [[nodiscard]] Result<Snapshot> request_snapshot(
      std::string_view node, const Command& command,
      std::chrono::milliseconds patience = std::chrono::seconds(5));
  [[nodiscard]] Result<std::vector<PluginSummary>> request_plugins(
      std::string_view node, std::chrono::milliseconds patience = std::chrono::seconds(5));

  /// What the node could not run of a show with this text; none: it can run all of its share. `is_whole`: it
  /// looks also at what runs already and stays as it is.
  [[nodiscard]] Result<std::vector<SubmixFault>> request_check(std::string_view node,
                                                               const std::string& show,
                                                               std::chrono::milliseconds patience,
                                                               bool is_whole = false);

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
