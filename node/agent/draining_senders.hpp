// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/ended_epochs.hpp"
#include "node/io/stream/stream_edge.hpp"

#include <chrono>
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
/// A sender's patch releases it first. The sender then has kPatience, paused time not counted, to
/// deliver its last frames. It ends at once if its receiver follows another sender.
///
/// Threads  Compatible.
class DrainingSenders {
 public:
  static constexpr std::chrono::seconds kPatience{2};

  /// How long a patch may take to release a sender, paused time not counted. After that, the
  /// patch's edit has failed.
  static constexpr std::chrono::seconds kEditPatience{10};

  struct Sender {
    show::Stream stream;
    std::string destination;  ///< node that it sends to
    std::shared_ptr<io::StreamEdge> edge;
    std::optional<LocalTime> ends_by = {};     ///< deadline, set once the patch has released it
    std::optional<LocalTime> release_by = {};  ///< deadline for the patch's release
    bool is_reported = false;
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
  [[nodiscard]] static bool is_done(Sender& draining, LocalTime now, bool is_paused);
  [[nodiscard]] static bool is_newly_stuck(Sender& draining, LocalTime now, bool is_paused);

  std::vector<Sender> senders_;
  std::map<std::string, telemetry::EndedEpochs> ended_;  // by stream
};

}  // namespace submix::agent
