// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/result.hpp"
#include "common/telemetry/readings.hpp"
#include "common/telemetry/trace.hpp"
#include "node/agent/late_watch.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace submix::agent {

/// A node's trace and its files: one file for a late frame, one at the node's end.
///
/// Shape    The folder keeps the newest kFilesMax files of late frames. Each names node, submix and
///          frame. At most one is written in LateWatch::kReportInterval. One file of the end
///          replaces the former one.
/// Threads  trace(), text(): Synchronized. find_late(): Confined (agent). The write functions wait
///          for the disk: one thread at a time.
/// Errors   A file that cannot be written is an event.
class NodeTrace {
 public:
  static constexpr std::size_t kFilesMax = 8;
  static constexpr std::chrono::seconds kLookBack{10};  // time covered by a file

  /// `events` and `clock` outlive it.
  NodeTrace(std::string node, std::filesystem::path folder, EventSink& events, const Clock& clock);

  [[nodiscard]] telemetry::Trace& trace() { return trace_; }
  /// The last `look_back` as a Chrome trace. `streams` hold the measured clock offsets of other
  /// nodes.
  [[nodiscard]] std::string text(std::chrono::seconds look_back,
                                 const std::vector<telemetry::StreamReading>& streams) const;
  /// A late frame whose trace shall be written soon, since the ring holds a few seconds only. Call
  /// it as often. Late frames soon after a report are counted and reported later.
  [[nodiscard]] std::optional<LateFrame> find_late(
      const std::vector<telemetry::SubmixReading>& submixes);
  void write_late(const LateFrame& late, const std::vector<telemetry::StreamReading>& streams);
  void write_at_end(const std::vector<telemetry::StreamReading>& streams);

 private:
  [[nodiscard]] Result<std::filesystem::path> write(
      const std::string& name, const std::vector<telemetry::StreamReading>& streams) const;
  void remove_old_files() const;

  const std::string node_;
  const std::filesystem::path folder_;
  EventSink& events_;
  const Clock& clock_;
  telemetry::Trace trace_;
  LateWatch late_watch_;
};

}  // namespace submix::agent
