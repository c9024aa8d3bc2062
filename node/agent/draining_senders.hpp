// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/ended_epochs.hpp"
#include "node/io/stream/stream_edge.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::agent {

/// Senders that the show no longer has on this node. Each stays until its last frames are
/// acknowledged. Also keeps the readings of ended senders.
///
/// Shape    Each sender is a state machine that tend() moves on:
///
///          | state    | condition                                   | next     |
///          |----------|---------------------------------------------|----------|
///          | in_use   | its patch has released it                   | draining |
///          | in_use   | kEditPatience has passed                    | stuck    |
///          | stuck    | its patch has released it                   | draining |
///          | draining | its last frames are acknowledged, or its    | ended    |
///          |          | receiver follows another sender             |          |
///          | draining | kPatience has passed                        | ended    |
///
///          The time of a state starts with the state and does not run in a pause. A stuck sender
///          is reported once: its patch's edit has failed. An ended sender is destroyed.
/// Threads  Compatible.
class DrainingSenders {
 public:
  /// How long a released sender may take to deliver its last frames.
  static constexpr std::chrono::seconds kPatience{2};
  /// How long a patch may take to release a sender.
  static constexpr std::chrono::seconds kEditPatience{10};

  enum class State : std::uint8_t { in_use, stuck, draining, ended };
  /// The conditions of the table.
  struct Progress {
    bool is_released = false;   ///< by its patch
    bool is_delivered = false;  ///< acknowledged, or another sender is followed
    bool is_overdue = false;    ///< the time of its state has passed
  };
  /// The table above.
  [[nodiscard]] static State next(State state, const Progress& progress);

  struct Sender {
    show::Stream stream;
    std::string destination;  ///< node that it sends to
    std::shared_ptr<io::StreamEdge> edge;
    State state = State::in_use;
    std::optional<LocalTime> deadline = {};  ///< of its state; empty: before the first tend()

    /// Whether its patch has released it.
    [[nodiscard]] bool is_released() const { return edge.use_count() == 1; }
  };

  void add(const show::Stream& stream, std::string destination,
           std::shared_ptr<io::StreamEdge> edge);
  /// Applies the show's links, policies and pause budgets to senders of submixes that `node` (this
  /// node) still runs.
  void follow(const show::Show& show, std::string_view node);
  /// Ends senders that are done. Call regularly. Returns the streams whose patch has not released
  /// its sender in time, each once.
  [[nodiscard]] std::vector<show::Stream> tend(LocalTime now, bool is_paused);
  /// Forgets the readings of ended senders whose stream is not in `streams`.
  void forget_all_but(const std::vector<show::Stream>& streams);

  [[nodiscard]] bool is_empty() const { return senders_.empty(); }
  /// Whether tend() may soon end a sender. A sender that was reported as stuck does not count while
  /// its patch keeps it.
  [[nodiscard]] bool is_any_to_end() const;
  [[nodiscard]] bool has(std::string_view stream) const;
  /// Whether a sender of the same stream and format is draining: `next` would end it too early.
  [[nodiscard]] bool has_predecessor_of(const link::StreamSender& next) const;
  /// Whether `is_so` holds for any draining sender of `submix`.
  [[nodiscard]] bool is_any_of(std::string_view submix,
                               const std::function<bool(const Sender&)>& is_so) const;
  /// Readings of the draining senders.
  [[nodiscard]] std::vector<telemetry::StreamReading> readings() const;
  /// Readings of the ended senders of `stream`, the oldest first.
  [[nodiscard]] std::vector<telemetry::EpochReading> ended(const std::string& stream) const;

 private:
  /// Returns whether the sender has entered another state.
  static bool advance(Sender& sender, LocalTime now, bool is_paused);

  std::vector<Sender> senders_;
  std::map<std::string, telemetry::EndedEpochs> ended_;  // by stream
};

}  // namespace submix::agent
