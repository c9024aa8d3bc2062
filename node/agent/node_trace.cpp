// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/node_trace.hpp"

#include "common/base/files.hpp"
#include "common/telemetry/trace_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace submix::agent {
namespace {

namespace fs = std::filesystem;

std::string describe(const telemetry::LongestTurn& turn) {
  if (turn.name.empty()) return "the trace has the frame no more";
  const auto milliseconds = std::chrono::duration<double, std::milli>(turn.time).count();
  return turn.kind == telemetry::TraceKind::starved
             ? fmt::format("slot \"{}\" waited {:.1f} ms for it", turn.name, milliseconds)
             : fmt::format("slot \"{}\" took longest, {:.1f} ms", turn.name, milliseconds);
}

}  // namespace

NodeTrace::NodeTrace(std::string node, fs::path folder, EventSink& events, const Clock& clock)
    : node_(std::move(node)), folder_(std::move(folder)), events_(events), clock_(clock) {}

std::string NodeTrace::text(std::chrono::seconds look_back,
                            const std::vector<telemetry::StreamReading>& streams) const {
  telemetry::TraceClock clock;
  clock.now = clock_.now();
  clock.wall = std::chrono::system_clock::now().time_since_epoch();
  for (const auto& stream : streams) {
    if (stream.is_sender && stream.round_trip.count() > 0)
      clock.peers.push_back({stream.peer, stream.clock_offset, stream.round_trip});
  }
  return telemetry::to_chrome_json(trace_, node_, clock, clock.now - look_back);
}

std::optional<LateFrame> NodeTrace::find_late(
    const std::vector<telemetry::SubmixReading>& submixes) {
  const auto now = clock_.now();
  auto late = late_watch_.find_late(submixes, now);
  if (const auto untold = late_watch_.take_untold(now); untold > 0) {
    events_.report(
        Severity::note, node_,
        fmt::format("{} more frame{} missed {} after the last trace: one is written in {} s at "
                    "most, `submix trace` gives one at any time",
                    untold, untold == 1 ? "" : "s",
                    untold == 1 ? "its deadline" : "their deadlines",
                    LateWatch::kReportInterval.count()));
  }
  return late;
}

void NodeTrace::write_late(const LateFrame& late,
                           const std::vector<telemetry::StreamReading>& streams) {
  const auto slowest = find_longest_turn(trace_, late.submix, late.frame);
  const auto file =
      write(fmt::format("{}-late-{}-{}.json", node_, late.submix, late.frame), streams);
  remove_old_files();
  events_.report(
      file ? Severity::note : Severity::warning, late.submix,
      fmt::format("frame {} missed its deadline: {}; {}{}", late.frame, describe(slowest),
                  file ? "its trace is " + file->string() : file.error().message,
                  late.untold == 0 ? ""
                                   : fmt::format("; {} more had missed theirs since the last "
                                                 "trace",
                                                 late.untold)));
}

void NodeTrace::write_at_end(const std::vector<telemetry::StreamReading>& streams) {
  const auto file = write(node_ + "-end.json", streams);
  events_.report(file ? Severity::note : Severity::warning, node_,
                 file ? "the trace up to the end is " + file->string() : file.error().message);
}

Result<fs::path> NodeTrace::write(const std::string& name,
                                  const std::vector<telemetry::StreamReading>& streams) const {
  auto file = folder_ / name;
  std::error_code failed;
  fs::create_directories(folder_, failed);  // opening the file reports a failure
  const auto written = write_file_atomically(file, text(kLookBack, streams));
  if (!written)
    return fail("no trace was written: {}; give this node another --traces",
                written.error().message);
  return file;
}

// Only this node's files: several nodes may share the folder.
void NodeTrace::remove_old_files() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code ignored;
  for (fs::directory_iterator each(folder_, ignored); each != fs::directory_iterator();
       each.increment(ignored)) {
    const auto& entry = *each;
    if (entry.path().filename().string().starts_with(node_ + "-late-"))
      files.emplace_back(entry.last_write_time(ignored), entry.path());
  }
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; i + kFilesMax < files.size(); ++i)
    fs::remove(files[i].second, ignored);
}

}  // namespace submix::agent
