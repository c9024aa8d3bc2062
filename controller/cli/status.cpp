// SPDX-License-Identifier: GPL-3.0-or-later
// submix status, submix watch, submix bottleneck
#include "controller/cli/status_text.hpp"

#include "common/base/clock.hpp"
#include "common/base/stop_signal.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/observer.hpp"
#include "controller/cli/pools_text.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/cli/status_json.hpp"
#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/verdict/verdict.hpp"
#include "controller/model/view/node_track.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <ostream>
#include <thread>

namespace submix::cli {
namespace {

constexpr std::chrono::milliseconds kUndecided{4000};  // a verdict may come soon
constexpr std::chrono::milliseconds kLookAgain{100};

void print(Context& context, const model::ClusterView& view, bool is_live) {
  if (context.is_json) {
    context.out << status_json(view) << std::endl;
  } else {
    if (is_live) clear_screen(context);
    context.out << status_text(view) << std::flush;
  }
}

// The remedy. Whether helpers may help depends on the limiting submix's plugins.
std::optional<model::Remedy> remedy(cluster::Cluster& cluster, model::ClusterView& view,
                                    const model::Bottleneck& bottleneck) {
  if (view.show != nullptr && !bottleneck.submix.empty()) {
    view.plugins = std::make_shared<const model::PluginMap>(
        plugins_for(cluster, *view.show, {bottleneck.submix}));
  }
  return model::remedy_of(view, bottleneck);
}

/// Returns when a longer look would give the same verdict, or after the limit of time.
model::ClusterView decided_view(Observer& observer) {
  const SteadyClock clock;
  const auto began = clock.now();
  std::this_thread::sleep_for(kObservation);
  for (;;) {
    auto view = observer.view_with_silences();
    if (view.show == nullptr) return view;
    const auto verdict = model::find_bottleneck(view);
    const auto patience = std::max(kUndecided, model::rate_window(view.show->rate) + kObservation);
    if (model::is_decided(view, verdict) || clock.now() - began >= patience) return view;
    std::this_thread::sleep_for(kLookAgain);
  }
}

}  // namespace

int run_status(Context& context, const StatusOptions& options) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  std::this_thread::sleep_for(kObservation);
  const auto view = (*observer)->view_with_silences();
  print(context, view, false);
  if (options.has_detail && !context.is_json) context.out << "\n" << pools_text(view) << std::flush;
  return kOk;
}

int run_bottleneck(Context& context, const BottleneckOptions&) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  auto view = decided_view(**observer);
  const auto bottleneck = model::find_bottleneck(view);
  const auto remedy_known = remedy((*observer)->cluster(), view, bottleneck);
  if (context.is_json) {
    context.out << bottleneck_json(view, bottleneck,
                                   remedy_known ? remedy_known->text : std::string())
                << std::endl;
  } else {
    context.out << bottleneck.sentence << std::endl;
    if (remedy_known) context.out << "would help: " << remedy_known->text << std::endl;
  }
  return bottleneck.kind == model::Bottleneck::Kind::unknown ? kFailed : kOk;
}

int run_watch(Context& context, const WatchOptions& options) {
  StopSignal stop;  // before the observer's threads
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  auto pause = kObservation;
  for (int i = 0; !options.seconds || i < *options.seconds; ++i) {
    if (stop.wait_for(pause)) break;
    print(context, (*observer)->view_with_silences(), true);
    if (!context.out) break;  // nobody reads any more
    pause = std::chrono::seconds(1);
  }
  return kOk;
}

}  // namespace submix::cli
