// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
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

/// A value with the revision to state when writing the value back.
template <typename T>
struct Revisioned {
  T value;
  std::uint64_t revision = 0;  ///< 0: there is no value yet, and `value` is the initial one
};

/// A name that no other program uses.
[[nodiscard]] std::string new_token();

/// A copy of a file to a node.
struct MediaCopyOrder {
  std::string token;     ///< a new_token() that names this copy
  std::string file;      ///< its name there: as in MediaFile::name
  std::string from;      ///< the node that has it, or the name for give_media()
  bool is_stop = false;  ///< ends the copy
};

/// A node's reply to a Command.
using Reply = std::variant<Snapshot, std::vector<PluginSummary>, TracePart,
                           std::vector<SubmixFault>, MediaList, MediaPicture, MediaPart, MediaCopy>;

/// The server's clock, read between two local moments.
struct ClockReading {
  LocalTime sent{};
  LocalTime received{};
  std::chrono::nanoseconds time{0};  ///< since 1970
};

enum class Presence {
  here,
  absent,  ///< no node of this name is connected
  /// Connected, but without an answer: the node hangs, or its computer has just disappeared.
  silent,
  unknown,  ///< not asked, because there is no connection
};

/// The control plane in terms of this project: messages.hpp over a Bus. Unreadable messages are
/// logged and dropped. CONTROL.md explains the buckets, keys and subjects.
///
/// Owner    The bus must outlive this object and its subscriptions.
/// Threads  Synchronized. Callbacks of watch_…() run on the watch's thread, all others on a libnats
///          thread (see Bus).
class Cluster {
 public:
  explicit Cluster(Bus& bus) : bus_(bus) {}

  // Desired state. Any other value is returned as a show whose text cannot be parsed.
  [[nodiscard]] Result<Revisioned<DesiredShow>> show();
  [[nodiscard]] tl::expected<std::uint64_t, WriteError> put_show(
      const DesiredShow& show, std::optional<std::uint64_t> expected_revision);
  [[nodiscard]] std::unique_ptr<Subscription> watch_show(
      std::function<void(const Revisioned<DesiredShow>&)> callback);
  /// The last show to run on all its nodes without a fault. Revision 0: there is none yet.
  [[nodiscard]] Result<Revisioned<DesiredShow>> good_show();
  [[nodiscard]] std::unique_ptr<Subscription> watch_good_show(
      std::function<void(const DesiredShow&)> callback);
  /// Stores the good show. A failure is ignored: the next good show will be stored.
  void keep_good_show(const DesiredShow& show);
  [[nodiscard]] Result<Revisioned<DesiredTransport>> transport();
  [[nodiscard]] tl::expected<std::uint64_t, WriteError> put_transport(
      const DesiredTransport& transport, std::optional<std::uint64_t> expected_revision);
  [[nodiscard]] std::unique_ptr<Subscription> watch_transport(
      std::function<void(const DesiredTransport&)> callback);
  [[nodiscard]] Result<void> put_desk(const Desk& desk);
  /// Why this program may not work with the desk, because their versions are too far apart, with
  /// the remedy. Empty: it may, or nobody has said which version the desk has. `who` names this
  /// program: "node left".
  [[nodiscard]] std::string gap_to_desk(const std::string& who);
  [[nodiscard]] std::unique_ptr<Subscription> watch_gap_to_desk(
      std::string who, std::function<void(const std::string&)> callback);
  [[nodiscard]] Result<AlertsSeen> alerts_seen();
  /// Adds seen alerts and removes ended alerts, even while others write the list.
  /// Beyond AlertsSeen::kThingsMax the oldest are removed.
  [[nodiscard]] Result<void> change_alerts_seen(const std::vector<std::string>& seen,
                                                const std::vector<std::string>& over);
  [[nodiscard]] std::unique_ptr<Subscription> watch_alerts_seen(
      std::function<void(const AlertsSeen&)> callback);

  // Reported state.
  /// Returns the new revision.
  [[nodiscard]] Result<std::uint64_t> put_report(const NodeReport& report);
  /// Returns false if the node is unknown. A running node will report again.
  [[nodiscard]] Result<bool> forget_report(std::string_view node);
  /// Writes down that `node` lives. Reports are written on change only, so they do not tell.
  [[nodiscard]] Result<void> put_sign_of_life(std::string_view node);
  /// Time since the last sign of life of `node`; empty: never. Both ends of this time are read
  /// from the server's clock. Asks the server three times.
  [[nodiscard]] Result<std::optional<std::chrono::milliseconds>> silence_of(std::string_view node);
  /// Reads the server's clock: the server notes when it stores a value. Asks it twice.
  [[nodiscard]] Result<ClockReading> read_clock(const Clock& clock);
  [[nodiscard]] std::unique_ptr<Subscription> watch_reports(
      std::function<void(const NodeReport&)> callback);
  [[nodiscard]] std::unique_ptr<Subscription> watch_revisioned_reports(
      std::function<void(const Revisioned<NodeReport>&)> callback);

  // Telemetry, events and sound. They are dropped while there is no connection.
  void publish(const telemetry::NodeReading& reading);
  void publish(const Event& event);
  void publish(const HeardSound& heard);
  [[nodiscard]] std::unique_ptr<Subscription> subscribe_readings(
      std::function<void(const telemetry::NodeReading&)> callback);
  [[nodiscard]] std::unique_ptr<Subscription> subscribe_events(
      std::function<void(const Event&)> callback);
  [[nodiscard]] std::unique_ptr<Subscription> subscribe_sound(
      std::function<void(const HeardSound&)> callback);

  // Commands.

  /// `answer` is called by one thread for each kind of command.
  [[nodiscard]] std::unique_ptr<Subscription> serve_commands(
      std::string_view node, std::function<Result<Reply>(const Command&)> answer);
  /// Whether a node of this name is present. Returns at once for an absent node, after
  /// `patience` for a silent one.
  [[nodiscard]] Presence presence(std::string_view node, std::chrono::milliseconds patience);
  /// Whether a node of this name answers within `patience`. Returns at once for an absent node.
  [[nodiscard]] bool is_there(std::string_view node, std::chrono::milliseconds patience);
  [[nodiscard]] Result<Snapshot> request_snapshot(
      std::string_view node, const Command& command,
      std::chrono::milliseconds patience = std::chrono::seconds(5));
  [[nodiscard]] Result<std::vector<PluginSummary>> request_plugins(
      std::string_view node, std::chrono::milliseconds patience = std::chrono::seconds(5));

  /// The clips and stills below the node's media folder.
  [[nodiscard]] Result<MediaList> request_media(std::string_view node);

  /// A picture of such a file, at a part `at` of its length, and what the file is. The default
  /// patience is longer than a node waits for a slow disk.
  [[nodiscard]] Result<MediaPicture> request_media_picture(
      std::string_view node, const std::string& file, double at,
      std::chrono::milliseconds patience = std::chrono::seconds(12));

  /// The newest picture of a slot as the filter `plugin` would make it, from the node that runs the
  /// submix. A JPEG, kEffectPictureWidth wide. The show is not changed.
  [[nodiscard]] Result<Snapshot> request_effect_picture(std::string_view node,
                                                        const show::Port& slot,
                                                        const std::string& plugin,
                                                        std::chrono::milliseconds patience);

  /// Gives the parts of a file, under a name that no node has, until the result is destroyed.
  [[nodiscard]] std::unique_ptr<Subscription> give_media(
      std::string_view giver, std::function<Result<MediaPart>(std::uint64_t offset)> answer);
  /// Of a node, or of the program behind give_media().
  [[nodiscard]] Result<MediaPart> request_media_part(std::string_view giver,
                                                     const std::string& file, std::uint64_t offset,
                                                     std::chrono::milliseconds patience);
  /// Begins the copy of a file to a node's media folder, and tells how far it has come. Ask again
  /// until it is over.
  [[nodiscard]] Result<MediaCopy> request_media_copy(std::string_view node,
                                                     const MediaCopyOrder& order);

  /// What the node could not run of the show with this text. Empty: the whole share can run.
  /// `is_whole`: the node also checks parts already running, unchanged.
  [[nodiscard]] Result<std::vector<SubmixFault>> request_check(std::string_view node,
                                                               const std::string& show,
                                                               std::chrono::milliseconds patience,
                                                               bool is_whole = false);

  /// The node's last `look_back` as a Chrome trace, joined from all parts. `patience` holds for
  /// each part.
  [[nodiscard]] Result<std::string> request_trace(
      std::string_view node, std::chrono::seconds look_back,
      std::chrono::milliseconds patience = std::chrono::seconds(5));

 private:
  [[nodiscard]] Result<std::string> request(std::string_view node, const Command& command,
                                            std::chrono::milliseconds patience);

  Bus& bus_;
};

}  // namespace submix::cluster
