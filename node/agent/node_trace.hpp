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

/// The trace of a node and its files: one for a frame that missed its deadline, one at the node's end.
///
/// Shape    At most kFilesMax of late frames in the folder, the newest; each names node, submix and frame. At
///          most one in LateWatch::kPause. One of the end, in place of the one before.
/// Threads  trace(), text(): Synchronized. look_at(): Confined (agent). What writes waits for the disk: one
///          thread at a time.
/// Errors   A file that cannot be written is an event.
class NodeTrace {
 public:
  static constexpr std::size_t kFilesMax = 8;
  static constexpr std::chrono::seconds kLookBack{10};  // in files

  /// `events` and `clock` outlive it.
  NodeTrace(std::string node, std::filesystem::path folder, EventSink& events, const Clock& clock);

  [[nodiscard]] telemetry::Trace& trace() { return trace_; }
  /// The last `look_back` as a Chrome trace; `streams` have measured the other nodes' clocks.
  [[nodiscard]] std::string text(std::chrono::seconds look_back,
                                 const std::vector<telemetry::StreamReading>& streams) const;
  /// The late frame whose trace is to be written, soon: a ring remembers some seconds only. Ask as often.
  /// What it leaves out, since one was written a short while ago, is counted and told later.
  [[nodiscard]] std::optional<LateFrame> look_at(
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
