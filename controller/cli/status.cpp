// SPDX-License-Identifier: GPL-3.0-or-later
// submix status, submix watch, submix bottleneck
#include "controller/cli/status_text.hpp"

#include "common/base/stop_signal.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/observer.hpp"
#include "controller/cli/status_json.hpp"
#include "controller/model/bottleneck.hpp"

#include <ostream>
#include <thread>

namespace submix::cli {
namespace {

constexpr std::string_view kHomeAndClear = "\x1b[H\x1b[2J";

void print(Context& context, const model::ClusterView& view, bool is_live) {
  if (context.is_json) {
    context.out << status_json(view) << std::endl;
  } else {
    context.out << (is_live && context.is_terminal ? kHomeAndClear : "") << status_text(view) << std::flush;
  }
}

}  // namespace

int run_status(Context& context, const StatusOptions&) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  std::this_thread::sleep_for(kObservation);
  print(context, (*observer)->view(), false);
  return kOk;
}

int run_bottleneck(Context& context, const BottleneckOptions&) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  std::this_thread::sleep_for(kObservation);
  const auto bottleneck = model::find_bottleneck((*observer)->view());
  context.out << (context.is_json ? bottleneck_json(bottleneck) : bottleneck.sentence) << std::endl;
  return bottleneck.kind == model::Bottleneck::Kind::unknown ? kFailed : kOk;
}

int run_watch(Context& context, const WatchOptions& options) {
  StopSignal stop;  // before the observer's threads
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  auto pause = kObservation;
  for (int i = 0; !options.seconds || i < *options.seconds; ++i) {
    if (stop.wait_for(pause)) break;
    print(context, (*observer)->view(), true);
    if (!context.out) break;  // nobody reads any more
    pause = std::chrono::seconds(1);
  }
  return kOk;
}

}  // namespace submix::cli
