// SPDX-License-Identifier: GPL-3.0-or-later
// submix trace
#include "common/base/files.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/observer.hpp"
#include "controller/session/trace_merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

namespace submix::cli {
namespace {

struct TraceAnswers {
  std::vector<std::string> texts;
  std::vector<std::string> missing;  ///< "node left: it is silent now"
};

TraceAnswers ask_nodes(Observer& observer, std::chrono::seconds look_back) {
  TraceAnswers answers;
  for (const auto& node : observer.view().nodes) {
    if (node.health != model::Health::healthy) {
      answers.missing.push_back(fmt::format("node {}: it is silent now", node.name));
      continue;
    }
    auto text = observer.cluster().request_trace(node.name, look_back);
    if (text) {
      answers.texts.push_back(std::move(*text));
    } else {
      answers.missing.push_back(fmt::format("node {}: {}", node.name, text.error().message));
    }
  }
  return answers;
}

std::string summary_of(const session::MergedTrace& trace, const TraceOptions& options,
                       std::size_t nodes) {
  auto text =
      fmt::format("{}: the last {} s of {} node{}, {} spans, on the clock of \"{}\"", options.file,
                  options.seconds, nodes, nodes == 1 ? "" : "s", trace.spans, trace.reference);
  if (trace.error.count() > 0) {
    text += fmt::format(" to within {:.2f} ms",
                        std::chrono::duration<double, std::milli>(trace.error).count());
  }
  if (!trace.by_wall_clock.empty()) {
    text += fmt::format("; no stream has measured the clock of {}: placed by the time of day",
                        fmt::join(trace.by_wall_clock, ", "));
  }
  return text + "\nopen it in chrome://tracing or https://ui.perfetto.dev";
}

}  // namespace

int run_trace(Context& context, const TraceOptions& options) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  std::this_thread::sleep_for(kObservation);
  const auto answers = ask_nodes(**observer, std::chrono::seconds(options.seconds));
  for (const auto& each : answers.missing)
    context.err << "submix: warning: not in the trace: " << each << "\n";
  if (answers.texts.empty())
    return failed(context, "no node is here to be asked; start one with: submix-node --name NAME");
  const auto merged = session::merge_traces(answers.texts);
  if (!merged) return failed(context, merged.error().message);
  if (const auto written = write_file_atomically(options.file, merged->text); !written)
    return failed(context, written.error().message);
  context.out << summary_of(*merged, options, answers.texts.size()) << std::endl;
  return kOk;
}

}  // namespace submix::cli
