// SPDX-License-Identifier: GPL-3.0-or-later
// submix pipe out, in and remove
#include "common/base/host_name.hpp"
#include "common/base/stop_signal.hpp"
#include "common/show/text.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/pipe_guard.hpp"
#include "controller/cli/pipe_process.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/cli/size_text.hpp"
#include "controller/model/edit/pipes.hpp"
#include "controller/session/node_forgetting.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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

/// What differs between a pipe out and a pipe in.
struct Pipe {
  bool is_out = true;
  std::string node;
  std::string submix;  ///< of the pipe's node
  std::string stream;  ///< whose sender may leave frames out
  std::string format;
  std::function<std::string(const show::Show& show)> more_words;
  std::function<Result<model::Edit>(const show::Show& show, cluster::Cluster& cluster)> add;
};

/// A name that no other pipe has, also on other PCs: two nodes of one name would take turns.
std::string new_pipe_name(std::string_view about) {
  constexpr std::size_t kAboutMax = 20;
  std::random_device random;
  return fmt::format("pipe-{}-{:04x}", about.substr(0, kAboutMax), random() & 0xFFFFU);
}

/// Prints nothing to standard output, where the pictures are.
Context on_stderr(Context& context) {
  return Context{.out = context.err,
                 .err = context.err,
                 .url = context.url,
                 .key_file = context.key_file,
                 .is_forced = context.is_forced};
}

SubmixNames to_set(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

/// Takes the pipe's parts out of the show, and its node out of the lists. The show may have been
/// changed by others meanwhile.
int remove_from_show(Context& context, cluster::Cluster& cluster, const std::string& node) {
  context.is_forced = true;  // a pipe that ends cannot stay
  const auto make = [&](const show::Show& show) {
    const auto neighbors = to_set(model::neighbors_of_pipe(show, node));
    return model::remove_pipe(show, plugins_for(cluster, show, neighbors), node);
  };
  const auto current = read_show(cluster);
  if (!current) return failed(context, current.error().message);
  const auto nodes = model::pipe_nodes(current->show);
  const bool is_there = std::ranges::find(nodes, node) != nodes.end();
  return is_there ? run_edit(context, cluster, {.make = make, .command = "pipe", .is_step = false})
                  : kOk;
}

int remove_patiently(Context& context, cluster::Cluster& cluster, const std::string& node) {
  for (int attempt = 1;; ++attempt) {
    if (remove_from_show(context, cluster, node) == kOk) return kOk;
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
    const auto nodes = model::pipe_nodes(current->show);
    if (std::ranges::find(nodes, pipe_.node) != nodes.end()) return {};
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
  static_cast<void>(remove_patiently(quiet, connection->cluster(), node));
  // The killed run's node gets SIGTERM and ends by itself.
  for (int i = 0; i < 20 && connection->cluster().is_there(node, kPipeAnswerPatience); ++i)
    std::this_thread::sleep_for(kPipeLookPeriod * 2);
  [[maybe_unused]] const auto forgotten = session::forget_node(connection->cluster(), node);
  return kFailed;
}

int run_pipe(Context& context, const Pipe& pipe) {
  StopSignal stop;
  const auto status = run_guarded(
      stop, [&] { return PipeRun(context, stop, pipe).run(); },
      [&] { return tidy(context, pipe.node); });
  return status ? *status : failed(context, status.error().message);
}

int used_wrongly(Context& context, std::string_view message) {
  static_cast<void>(failed(context, message));
  return kWrongUse;
}

std::string description_of(std::string_view what) {
  return fmt::format("{} of a program on {}", what, host_name());
}

// A pipe out whose place is "mix" or "mix.slot".
Result<show::Port> place_of(const std::string& text) {
  if (text.find('.') == std::string::npos) return show::Port{text, {}};
  return show::parse_port(text);
}

/// Fails if `descriptor` cannot carry pictures in this direction; told before the show changes.
Result<void> check_end(int descriptor, int access, std::string_view name, std::string_view remedy) {
  if (::isatty(descriptor) == 1) return fail("{} is a terminal; {}", name, remedy);
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0) return fail("{} is closed; {}", name, remedy);
  const int opened = flags & O_ACCMODE;
  if (opened == access || opened == O_RDWR) return {};
  return fail("{} is open for {} only; {}", name, access == O_WRONLY ? "reading" : "writing",
              remedy);
}

/// What the options say of the pictures that come in.
struct PicturesIn {
  std::optional<Size> size{};       ///< empty: the stream tells it
  std::optional<FrameRate> rate{};  ///< empty: the show's, if the stream does not tell
};

Result<Size> raw_size(const std::string& text) {
  if (text.empty()) return fail("--format raw needs the pictures' size: --size 1280x720");
  auto size = parse_size(text);
  if (size && !is_allowed(*size))
    return fail("--size {}: pictures have {}x{} to {}x{}", text, kSmallestSize.width,
                kSmallestSize.height, kLargestSize.width, kLargestSize.height);
  return size;
}

Result<PicturesIn> pictures_in(const PipeInOptions& options) {
  PicturesIn pictures;
  if (!show::is_name(options.name)) return fail("\"{}\": {}", options.name, show::kNameRule);
  if (options.format == "raw") {
    const auto size = raw_size(options.size);
    SUBMIX_TRY(size);
    pictures.size = *size;
  } else if (!options.size.empty()) {
    return fail("--size is for --format raw; other streams tell their size themselves");
  }
  if (options.rate.empty()) return pictures;
  const auto rate = show::parse_frame_rate(options.rate);
  SUBMIX_TRY(rate);
  pictures.rate = *rate;
  return pictures;
}

/// The words behind the format in submix-node --pipe.
std::string more_words_in(const PicturesIn& pictures, bool is_lossless, const show::Show& show) {
  const auto rate = pictures.rate.value_or(show.rate);
  auto words = fmt::format(",{}/{}", rate.numerator, rate.denominator);
  if (pictures.size) words += fmt::format(",{}x{}", pictures.size->width, pictures.size->height);
  return is_lossless ? words + ",lossless" : words;
}

Result<model::Edit> add_layer_of(model::NewPipeIn added, const show::Show& show,
                                 cluster::Cluster& cluster) {
  if (added.layer.mix.empty()) {
    auto mix = model::find_mix(show);
    SUBMIX_TRY(mix);
    added.layer.mix = *std::move(mix);
  }
  return model::add_pipe_in(show, plugins_for(cluster, show, {added.layer.mix}), added);
}

}  // namespace

int run_pipe_out(Context& context, const PipeOutOptions& options) {
  const auto end = check_end(
      STDOUT_FILENO, O_WRONLY, "stdout",
      "lead the pictures to a program or a file: submix pipe out mix | ffmpeg -i - out.mp4");
  if (!end) return used_wrongly(context, end.error().message);
  const auto place = place_of(options.place);
  if (!place) return used_wrongly(context, place.error().message);
  const auto name = new_pipe_name(place->submix);
  const model::NewPipeOut added{name, description_of("stdin"), *place, options.is_lossless};
  const auto add = [added](const show::Show& show, cluster::Cluster& cluster) {
    return model::add_pipe_out(show, plugins_for(cluster, show, {added.from.submix}), added);
  };
  return run_pipe(context, {.is_out = true,
                            .node = name,
                            .submix = name,
                            .stream = name,
                            .format = "out," + options.format,
                            .more_words = [](const show::Show&) { return std::string(); },
                            .add = add});
}

int run_pipe_in(Context& context, const PipeInOptions& options) {
  const auto end = check_end(STDIN_FILENO, O_RDONLY, "stdin",
                             "lead pictures into it: ffmpeg -i FILE -pix_fmt yuv444p -f "
                             "yuv4mpegpipe - | submix pipe in NAME");
  if (!end) return used_wrongly(context, end.error().message);
  const auto pictures = pictures_in(options);
  if (!pictures) return used_wrongly(context, pictures.error().message);
  const auto node = new_pipe_name(options.name);
  const model::NewPipeIn added{
      {.name = options.name, .mix = options.mix, .node = node, .level = options.level},
      description_of("stdout"),
      options.is_lossless};
  const auto more_words = [&](const show::Show& show) {
    return more_words_in(*pictures, options.is_lossless, show);
  };
  const auto add = [added](const show::Show& show, cluster::Cluster& cluster) {
    return add_layer_of(added, show, cluster);
  };
  return run_pipe(context, {.is_out = false,
                            .node = node,
                            .submix = options.name,
                            .stream = options.name,
                            .format = "in," + options.format,
                            .more_words = more_words,
                            .add = add});
}

int run_pipe_remove(Context& context, const PipeRemoveOptions& options) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  auto& cluster = connection->cluster();
  const auto current = read_show(cluster);
  if (!current) return failed(context, current.error().message);
  const auto nodes = model::pipe_nodes(current->show);
  const auto* submix = current->show.find_submix(options.name);
  const auto node = submix == nullptr ? options.name : submix->node;
  if (std::ranges::find(nodes, node) == nodes.end()) {
    return failed(
        context, fmt::format("the show has no pipe \"{}\"; {}", options.name,
                             nodes.empty() ? "it has none"
                                           : fmt::format("there are: {}", fmt::join(nodes, ", "))));
  }
  if (remove_from_show(context, cluster, node) != kOk) return kFailed;
  // A command that runs sees the removal and ends; then it forgets its node itself.
  if (!cluster.is_there(node, kPipeAnswerPatience)) {
    [[maybe_unused]] const auto forgotten = session::forget_node(cluster, node);
  }
  return kOk;
}

}  // namespace submix::cli
