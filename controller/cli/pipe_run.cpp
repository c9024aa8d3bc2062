// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/pipe_run.hpp"

#include "common/base/stop_signal.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/pipe_guard.hpp"
#include "controller/cli/pipe_process.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/model/edit/pipes.hpp"
#include "controller/session/node_forgetting.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <utility>

namespace submix::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr milliseconds kPipeLookPeriod(50);
constexpr seconds kTellPeriod(1);
constexpr seconds kPipeStartPatience(15);
constexpr milliseconds kPipeAnswerPatience(500);
constexpr int kRemovalAttempts = 3;  // a second apart, while NATS comes back

/// Prints nothing to standard output, where the pictures are.
Context on_stderr(Context& context) {
  return Context{.out = context.err,
                 .err = context.err,
                 .url = context.url,
                 .key_file = context.key_file,
                 .is_forced = context.is_forced};
}

int remove_patiently(Context& context, cluster::Cluster& cluster, const std::string& node) {
  for (int attempt = 1;; ++attempt) {
    if (remove_pipe_from_show(context, cluster, node) == kOk) return kOk;
    if (attempt == kRemovalAttempts) break;
    std::this_thread::sleep_for(kTellPeriod);
  }
  context.err << "the show may still have the pipe; remove it by: submix pipe remove " << node
              << std::endl;
  return kFailed;
}

/// One pipe, from its node's start to its end.
class PipeRun {
 public:
  PipeRun(Context& context, StopSignal& stop, const Pipe& pipe)
      : context_(on_stderr(context)), stop_(stop), pipe_(pipe) {}

  int run() {
    auto connection = ClusterConnection::open(context_);
    if (!connection) return failed(context_, connection.error().message);
    cluster_ = &connection->cluster();
    const auto watch = cluster_->subscribe_readings(
        [this](const telemetry::NodeReading& reading) { note_skipped(reading); });
    const auto ended = start_and_follow();
    if (process_) end();
    return ended ? kOk : failed(context_, ended.error().message);
  }

 private:
  // Fails with the reason why the pipe did not end in the ordinary way.
  Result<void> start_and_follow() {
    const auto current = read_show(*cluster_);
    SUBMIX_TRY(current);
    SUBMIX_TRY(pipe_.add(current->show, *cluster_));  // a wrong name is told before all else
    auto process =
        PipeProcess::start(context_, {.name = pipe_.node,
                                      .descriptor = pipe_.is_out ? STDOUT_FILENO : STDIN_FILENO,
                                      .format = pipe_.format,
                                      .more = pipe_.more_words(current->show)});
    SUBMIX_TRY(process);
    process_.emplace(*std::move(process));
    SUBMIX_TRY(wait_until_ready());
    if (is_over_) return {};
    SUBMIX_TRY(join());
    return follow();
  }

  // Until the node is present and, for a pipe in, has read a picture. Whoever sends pictures may
  // take his time.
  Result<void> wait_until_ready() {
    const auto begin = steady_clock::now();
    bool is_present = false;
    bool is_told = false;
    while (!is_present || (!pipe_.is_out && !has_picture_)) {
      SUBMIX_TRY(process_->check());
      SUBMIX_TRY(read_lines());
      if (stop_.wait_for(kPipeLookPeriod)) is_over_ = true;
      if (is_over_) return {};
      is_present = is_present || cluster_->is_there(pipe_.node, kPipeAnswerPatience);
      const auto waited = steady_clock::now() - begin;
      if (!is_present && waited > kPipeStartPatience)
        return fail("the pipe's node has not come within {} s", kPipeStartPatience.count());
      if (is_present && waited > 2 * kTellPeriod && !std::exchange(is_told, true))
        tell("waits for the first picture");
    }
    return {};
  }

  Result<void> join() {
    const auto make = [this](const show::Show& show) { return pipe_.add(show, *cluster_); };
    is_in_show_ = true;  // perhaps, from here on
    const auto status =
        run_edit(context_, *cluster_,
                 {.make = make, .command = "pipe", .submix = pipe_.submix, .is_step = false});
    if (status != kOk) return fail("no pipe: see above");
    tell("Ctrl+C ends it");
    return {};
  }

  Result<void> follow() {
    auto looked = steady_clock::now();
    while (!is_over_ && !stop_.wait_for(kPipeLookPeriod)) {
      SUBMIX_TRY(process_->check());
      SUBMIX_TRY(read_lines());
      if (steady_clock::now() - looked < kTellPeriod) continue;
      looked = steady_clock::now();
      tell_left_out();
      SUBMIX_TRY(check_show());
    }
    return {};
  }

  Result<void> read_lines() {
    while (const auto line = process_->next_line()) {
      const auto space = std::min(line->find(' '), line->size());
      const auto word = line->substr(0, space);
      const auto rest = line->substr(std::min(space + 1, line->size()));
      if (word == "broken") return fail("{}", rest);
      if (word == "over") is_over_ = true;
      if (word == "count") count(rest);
      if (word == "picture") {
        has_picture_ = true;
        tell("standard input: " + rest);
      }
    }
    return {};
  }

  void count(const std::string& numbers) {
    const auto space = std::min(numbers.find(' '), numbers.size());
    pictures_ = numbers.substr(0, space);
    if (!pipe_.is_out) left_out_ = std::strtoull(numbers.c_str() + space, nullptr, 10);
  }

  // Called by a thread of the bus.
  void note_skipped(const telemetry::NodeReading& reading) {
    if (!pipe_.is_out) return;
    for (const auto& stream : reading.streams) {
      if (stream.is_sender && stream.stream == pipe_.stream) left_out_ = stream.frames_skipped;
    }
  }

  void tell_left_out() {
    const std::uint64_t now = left_out_;
    if (now == told_left_out_) return;
    told_left_out_ = now;
    tell(fmt::format("{} pictures left out so far: {}", now,
                     pipe_.is_out ? "the reader is slower than the show"
                                  : "they came late, or faster than the show"));
  }

  // Another person may remove the pipe or replace the show. Without NATS nothing is known.
  Result<void> check_show() {
    const auto current = read_show(*cluster_);
    if (!current) return {};
    if (model::has_pipe_node(current->show, pipe_.node)) return {};
    return fail(
        "the show has this pipe no longer: somebody has removed it, or applied another show");
  }

  void end() {
    if (is_in_show_) remove_patiently(context_, *cluster_, pipe_.node);
    process_->end();
    [[maybe_unused]] const auto last_count = read_lines();
    // The node was heard of, at least; if not, there is nothing to forget.
    [[maybe_unused]] const auto forgotten = session::forget_node(*cluster_, pipe_.node);
    if (is_in_show_) tell(fmt::format("{} pictures, {} left out", pictures_, left_out_.load()));
  }

  void tell(const std::string& text) { context_.err << "submix pipe: " << text << std::endl; }

  Context context_;
  StopSignal& stop_;
  const Pipe& pipe_;
  cluster::Cluster* cluster_ = nullptr;
  std::optional<PipeProcess> process_;
  bool has_picture_ = false;
  bool is_in_show_ = false;
  bool is_over_ = false;
  std::string pictures_ = "0";
  std::atomic<std::uint64_t> left_out_{0};
  std::uint64_t told_left_out_ = 0;
};

/// After the run was killed.
int tidy(Context& context, const std::string& node) {
  auto quiet = on_stderr(context);
  quiet.err << "submix pipe: was killed; its parts leave the show" << std::endl;
  auto connection = ClusterConnection::open(quiet);
  if (!connection) return failed(quiet, connection.error().message);
  auto& cluster = connection->cluster();
  static_cast<void>(remove_patiently(quiet, cluster, node));
  // The killed run's node gets SIGTERM and ends by itself.
  for (int i = 0; i < 20 && cluster.is_there(node, kPipeAnswerPatience); ++i)
    std::this_thread::sleep_for(kPipeLookPeriod * 2);
  [[maybe_unused]] const auto forgotten = session::forget_node(cluster, node);
  return kFailed;
}

}  // namespace

int run_pipe(Context& context, const Pipe& pipe) {
  StopSignal stop;
  const auto status = run_guarded(
      stop, [&] { return PipeRun(context, stop, pipe).run(); },
      [&] { return tidy(context, pipe.node); });
  return status ? *status : failed(context, status.error().message);
}

int remove_pipe_from_show(Context& context, cluster::Cluster& cluster, const std::string& node) {
  const auto make = [&](const show::Show& show) {
    const auto plugins = plugins_for(cluster, show, model::neighbors_of_pipe(show, node));
    return model::remove_pipe(show, plugins, node);
  };
  const auto current = read_show(cluster);
  if (!current) return failed(context, current.error().message);
  if (!model::has_pipe_node(current->show, node)) return kOk;
  auto forced = context;  // a pipe that ends cannot stay
  forced.is_forced = true;
  return run_edit(forced, cluster, {.make = make, .command = "pipe", .is_step = false});
}

void forget_pipe_node(cluster::Cluster& cluster, const std::string& node) {
  if (cluster.is_there(node, kPipeAnswerPatience)) return;
  [[maybe_unused]] const auto forgotten = session::forget_node(cluster, node);
}

}  // namespace submix::cli
