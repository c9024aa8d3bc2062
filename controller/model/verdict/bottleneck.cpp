// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/bottleneck.hpp"

#include "common/show/lookup.hpp"
#include "common/show/text.hpp"
#include "controller/model/verdict/slow_links.hpp"
#include "controller/model/verdict/standstill.hpp"
#include "controller/model/view/link_cards.hpp"
#include "controller/model/view/machine_use.hpp"
#include "controller/model/view/node_track.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace submix::model {
namespace {

using Kind = Bottleneck::Kind;

constexpr double kFramesUnsure = 1.0;  // a count is off by one
constexpr double kRateKept = 0.98;     // of the show's rate
constexpr double kHardlyEver = 0.02;   // of the time: measured shares are never quite 0
constexpr double kMuchSlower = 0.8;
constexpr double kNearlyAllWork = 0.8;  // of a machine

constexpr double kMeasuredMin = 0.9;  // of the period of rates

// Whether an output keeps the rate, over a second or, in a slow show, longer.
bool keeps_rate(double fps, FrameRate wanted) {
  const double seconds = std::chrono::duration<double>(rate_window(wanted)).count();
  return fps >= wanted.frames_per_second() * kRateKept - kFramesUnsure / seconds;
}

// Submixes that no node runs count only where no others exist.
const SubmixView* slowest_final(const ClusterView& view) {
  const SubmixView* slowest = nullptr;
  const auto rank = [](const SubmixView& submix) {
    return std::pair(submix.node.empty(), submix.fps);
  };
  for (const auto& submix : view.submixes) {
    if (!submix.is_final) continue;
    if (slowest == nullptr || rank(submix) < rank(*slowest)) slowest = &submix;
  }
  return slowest;
}

/// Finds the stages of a submix that lack something: those that wait least for their readers.
class LeastReady {
 public:
  explicit LeastReady(const SubmixView& submix) : submix_(submix) {}

  [[nodiscard]] const StageView* end() const {
    std::vector<const StageView*> ends;
    for (const auto& stage : submix_.stages) {
      if (submix_.is_output(stage.slot)) ends.push_back(&stage);
    }
    const auto found = std::ranges::min_element(
        ends, {}, [](const StageView* stage) { return stage->shares.blocked; });
    return found == ends.end() ? nullptr : *found;
  }
  [[nodiscard]] const StageView* feeder_of(const StageView& stage) {
    const auto found = feeders(stage);
    const auto least = std::ranges::min_element(
        found, {}, [this](const StageView* feeder) { return readiness_of(*feeder); });
    return least == found.end() ? nullptr : *least;
  }

 private:
  [[nodiscard]] std::vector<const StageView*> feeders(const StageView& stage) const {
    std::vector<const StageView*> found;
    for (const auto& queue : stage.queues) {
      if (const auto* feeder = submix_.find_stage(queue.from)) found.push_back(feeder);
    }
    return found;
  }
  // The share of time in which it waits for its readers. A stage that waits for its own feeders is
  // as ready as they are: where sources begin each frame just in time, only they wait for readers.
  double readiness_of(const StageView& stage) {
    const auto [known, is_new] = readiness_.try_emplace(&stage, stage.shares.blocked);
    if (!is_new || stage.shares.blocked >= stage.shares.starved) return known->second;
    if (const auto* feeder = feeder_of(stage))
      readiness_[&stage] = std::max(stage.shares.blocked, readiness_of(*feeder));
    return readiness_[&stage];
  }

  const SubmixView& submix_;
  std::map<const StageView*, double> readiness_;  // of the stages met so far, so circles end
};

// Whether frames have stopped so recently that rates still count earlier ones.
bool has_just_stopped(const ClusterView& view) {
  constexpr double kFramesOverdue = 10;
  const std::chrono::duration<double> overdue(kFramesOverdue / view.show->rate.frames_per_second());
  return std::ranges::any_of(view.submixes, [&](const SubmixView& submix) {
    return submix.is_final && submix.fps > 0 && submix.still_for > overdue;
  });
}

double pace_of(const LinkView& link) {
  if (link.limit_mb_per_second > 0) return std::max(link.limit_mb_per_second, link.mb_per_second);
  return link.capacity_mb_per_second > 0 ? link.capacity_mb_per_second : link.mb_per_second;
}

/// A computer, and the user of its time.
struct BusyMachine {
  std::string host;
  int cores = 0;
  MachineUse use = {};

  [[nodiscard]] bool is_full() const { return use.share_of(cores) >= kMachineIsFull; }
  [[nodiscard]] std::string text() const {
    const bool has_other_programs = use.node_cores < kNearlyAllWork * use.all_cores;
    return fmt::format("machine \"{}\" has no time left: {:.1f} of its {} cores{} for {}", host,
                       use.all_cores, cores,
                       has_other_programs ? fmt::format(", {:.1f} of them", use.node_cores) : "",
                       use.nodes);
  }
};

BusyMachine machine_of(const ClusterView& view, const NodeView& node) {
  return {.host = node.host, .cores = node.cores, .use = machine_use(view, node)};
}

// "link 1 (rack1's eth1 to desk's eth1, 198.18.1.2:40000 to 198.18.1.1:7400)".
std::string name_of(const ClusterView& view, const StreamView& stream, const LinkView& link) {
  const auto cards = cards_of(view, stream, link);
  const auto from = name_of(cards.from);
  const auto to = name_of(cards.to);
  const auto names =
      from.empty() || to.empty() ? std::string() : fmt::format("{} to {}, ", from, to);
  return fmt::format("link {} ({}{} to {})", link.index, names, link.local, link.remote);
}

/// Walks the way back from the output, and judges its end.
class BottleneckSearch {
 public:
  enum class SearchEnd { at_the_limit, at_the_source };

  BottleneckSearch(const ClusterView& view, Bottleneck& found,
                   SearchEnd search_end = SearchEnd::at_the_limit)
      : view_(view), found_(found), search_end_(search_end) {}

  void run(const SubmixView& output) {
    output_ = &output;
    const auto* stage = LeastReady(output).end();
    if (stage == nullptr) {
      found_.sentence = fmt::format("nothing is known yet of submix \"{}\"", output.name);
      return;
    }
    look_at(output, *stage);
  }

  /// Starts at a stream instead of an output; only its performer counts.
  void run(const StreamView& stream) {
    output_ = view_.find_submix(stream.from.submix);
    const auto* out = output_ == nullptr ? nullptr : output_->find_stage(stream.from.slot);
    if (out == nullptr) return;
    path_.push_back({output_, out});
    look_at(stream);
  }

 private:
  struct PathStage {
    const SubmixView* submix;
    const StageView* stage;
  };

  void look_at(const SubmixView& submix, const StageView& stage) {
    const auto name = submix.name + "." + stage.slot;
    if (!seen_.insert(name).second) return end_at_busiest();
    found_.path.push_back(name);
    found_.steps.push_back({.name = name,
                            .node = submix.node,
                            .fps = stage.fps,
                            .working = stage.shares.working,
                            .starved = stage.shares.starved,
                            .blocked = stage.shares.blocked,
                            .submix = submix.name,
                            .slot = stage.slot});
    path_.push_back({&submix, &stage});
    const bool goes_all_the_way = search_end_ == SearchEnd::at_the_source;
    if (const auto* stream = view_.find_stream_to({submix.name, stage.slot});
        stream != nullptr && (goes_all_the_way || is_starved(stage)))
      return look_at(*stream);
    const auto* feeder = LeastReady(submix).feeder_of(stage);
    const bool leads_on =
        feeder != nullptr && is_starved(stage) && feeder->shares.blocked < stage.shares.starved;
    if (leads_on || (feeder != nullptr && goes_all_the_way)) return look_at(submix, *feeder);
    end_at_busiest();
  }

  static bool is_starved(const StageView& stage) {
    return stage.shares.starved > std::max(kHardlyEver, stage.shares.blocked);
  }

  void look_at(const StreamView& stream) {
    found_.path.push_back("stream " + stream.name);
    found_.steps.push_back({.name = found_.path.back(),
                            .node = stream.sender.node,
                            .fps = stream.sender.fps,
                            .blocked = stream.sender.blocked_share,
                            .mb_per_second = stream.mb_per_second(),
                            .stream = stream.name});
    const auto* sender = view_.find_submix(stream.from.submix);
    const auto* out = sender == nullptr ? nullptr : sender->find_stage(stream.from.slot);
    if (out == nullptr) return end_at_busiest();
    // Without credit the performer begins no frame, so its output waits for a frame as well.
    const double output_lacks = out->shares.starved - stream.sender.blocked_share;
    if (search_end_ == SearchEnd::at_the_limit && stream.sender.blocked_share > output_lacks)
      return end_at(stream);
    look_at(*sender, *out);
  }

  const PathStage& busiest() const {
    return *std::ranges::max_element(
        path_, {}, [](const PathStage& each) { return each.stage->shares.working; });
  }

  // A slot that neither waits for input nor works much is slowed by other work on its computer, or
  // by a lack of credit.
  void end_at_busiest() {
    if (search_end_ == SearchEnd::at_the_source) return;
    const auto& [submix, stage] = busiest();
    found_.node = submix->node;
    const auto* node = view_.find_node(submix->node);
    const auto machine = node == nullptr ? BusyMachine() : machine_of(view_, *node);
    if (stage->shares.working >= kMostOfTheTime) return end_at(*submix, *stage, machine);
    if (machine.is_full()) {
      found_.kind = Kind::machine;
      found_.sentence = waits_for(submix->name) + machine.text();
      return;
    }
    found_.sentence = "no slot, link or machine of the show is busy most of the time";
  }

  void end_at(const SubmixView& submix, const StageView& stage, const BusyMachine& machine) {
    found_.kind = Kind::slot;
    found_.submix = submix.name;
    found_.slot = stage.slot;
    if (stage.fps > 0) found_.frame_ms = stage.shares.working * stage.helpers / stage.fps * 1e3;
    found_.sentence = fmt::format(
        "{}slot \"{}.{}\" ({}) on node \"{}\" takes {:.1f} ms for a frame{}; the show allows "
        "{:.1f} ms{}",
        waits_for(submix.name), submix.name, stage.slot, stage.plugin, submix.node, found_.frame_ms,
        stage.helpers > 1 ? fmt::format(" with {} helpers", stage.helpers) : "",
        1e3 / found_.wanted_fps, machine.is_full() ? "; " + machine.text() : "");
  }

  void end_at(const StreamView& stream) {
    const auto& links = stream.links();
    const bool is_busy = std::ranges::any_of(links, is_at_its_limit);
    const auto closed = std::ranges::find_if_not(links, &LinkView::is_open);
    const bool has_spare_time = !is_busy && closed == links.end();
    if (has_spare_time && busiest().stage->shares.working >= kMostOfTheTime)
      return end_at_busiest();
    found_.node = stream.sender.node;
    found_.stream = stream.name;
    found_.mb_per_second = stream.mb_per_second();
    static const show::Stream kUnknown;
    const auto* stated = view_.show->find_stream(stream.name);
    found_.mb_per_second_needed =
        show::frame_bytes(*view_.show, stated == nullptr ? kUnknown : *stated) * found_.wanted_fps /
        1e6;
    if (has_spare_time) return end_at_delay(stream);
    found_.kind = Kind::link;
    found_.sentence = fmt::format("{}stream \"{}\" carries {:.1f} of {:.1f} MB/s: ",
                                  waits_for(stream.from.submix), stream.name, found_.mb_per_second,
                                  found_.mb_per_second_needed) +
                      (closed == links.end() ? slowest_link(stream) : closed_link(stream, *closed));
  }

  void end_at_delay(const StreamView& stream) {
    found_.kind = Kind::delay;
    found_.sentence = fmt::format(
        "{}stream \"{}\": a frame takes {:.1f} ms to arrive, and at most {} are in flight; its "
        "links have time to spare",
        waits_for(stream.from.submix), stream.name,
        std::chrono::duration<double, std::milli>(stream.sender.latency.p50).count(),
        std::max(1U, stream.sender.frames_queued + stream.sender.credits));
  }

  std::string closed_link(const StreamView& stream, const LinkView& link) {
    found_.link = link.index;
    return fmt::format("{} of {} is not open{}", name_of(view_, stream, link),
                       stream.links().size(), link.error.empty() ? "" : ": " + link.error);
  }

  std::string slowest_link(const StreamView& stream) {
    const auto& links = stream.links();
    const auto [slowest, fastest] = std::ranges::minmax_element(links, {}, pace_of);
    found_.link = slowest->index;
    const double pace = pace_of(*slowest);
    const auto shared = sharing_of(view_, stream);
    const auto full = links.size() == 1 ? name_of(view_, stream, *slowest) + " is full"
                                        : fmt::format("its {} links are full", links.size());
    // A newer stream has taken a part of this stream's capacity: no link has become slower.
    const bool is_divided =
        !shared.empty() && is_card_full(view_, stream, *slowest, slowest->best_mb_per_second());
    if (is_divided) return fmt::format("{}: {}", full, shared);
    if (const double best = slowest->best_mb_per_second(); pace < kMuchSlower * best) {
      return fmt::format("{} carries {:.1f} MB/s, {:.0f} % of the {:.1f} it has carried",
                         name_of(view_, stream, *slowest), pace, pace / best * 100, best);
    }
    if (pace < kMuchSlower * pace_of(*fastest)) {
      return fmt::format("{} carries {:.1f} MB/s, {:.0f} % of what link {} does",
                         name_of(view_, stream, *slowest), pace, pace / pace_of(*fastest) * 100,
                         fastest->index);
    }
    return shared.empty() ? full : fmt::format("{}: {}", full, shared);
  }

  // "mix waits for left: "; empty within one submix.
  std::string waits_for(std::string_view submix) const {
    return submix == output_->name ? "" : fmt::format("{} waits for {}: ", output_->name, submix);
  }

  const ClusterView& view_;
  Bottleneck& found_;
  const SearchEnd search_end_;
  const SubmixView* output_ = nullptr;
  std::vector<PathStage> path_;
  std::set<std::string> seen_;
};

void name_held_inputs(const ClusterView& view, Bottleneck& found) {
  found.held = find_held_inputs(view);
  for (const auto& line : lines_of(view, found.held))
    found.sentence += (found.is_slow() ? "; and " : "; but ") + line;
}

std::string joined(const std::vector<StandstillCause>& causes) {
  std::string text;
  for (const auto& cause : causes)
    text += (text.empty() ? "" : "; and for ") + cause.text;
  return text;
}

std::string name_of(const StandstillCause& cause) {
  if (!cause.stream.empty()) return "stream " + cause.stream;
  return cause.slot.empty() ? "submix " + cause.submix : cause.submix + "." + cause.slot;
}

bool is_cause(const BottleneckStep& step, const StandstillCause& cause) {
  if (!cause.stream.empty()) return step.stream == cause.stream;
  return step.submix == cause.submix && (cause.slot.empty() || step.slot == cause.slot);
}

bool has_stopped(const SubmixView& submix) {
  return submix.is_final && submix.fps <= 0;
}

std::string standstill_sentence(const ClusterView& view, const std::vector<StandstillCause>& causes,
                                Bottleneck& found) {
  std::string names;
  double others_fps = 0;
  for (const auto& submix : view.submixes) {
    if (!submix.is_final) continue;
    if (has_stopped(submix)) {
      constexpr std::size_t kNamed = 3;
      if (++found.outputs_still <= kNamed) names += (names.empty() ? "" : ", ") + submix.name;
      if (found.outputs_still == kNamed + 1) names += ", …";
    } else {
      others_fps = std::max(others_fps, submix.fps);
    }
  }
  if (found.outputs_still == 0 || found.outputs_still == found.outputs)
    return "the show stands still; all wait for " + joined(causes);
  return fmt::format(
      "{} of {} outputs stand still ({}), and wait for {}; the others show {:.1f} fps",
      found.outputs_still, found.outputs, names, joined(causes), others_fps);
}

// The way to a source leads through the thing that all wait for, or ends before it where readings
// are missing.
void describe_standstill(const ClusterView& view, const std::vector<StandstillCause>& causes,
                         Bottleneck& found) {
  found.kind = Kind::standstill;
  found.is_behind = true;
  found.sentence = standstill_sentence(view, causes, found);
  const auto& first = causes.front();
  found.node = first.node;
  found.submix = first.submix;
  found.slot = first.slot;
  found.stream = first.stream;
  found.steps = way_to_the_source(view);
  const auto end =
      std::ranges::find_if(found.steps, [&](const auto& step) { return is_cause(step, first); });
  if (end != found.steps.end()) {
    found.steps.erase(std::next(end), found.steps.end());
  } else {
    found.steps.push_back({.name = name_of(first),
                           .node = first.node,
                           .submix = first.submix,
                           .slot = first.slot,
                           .stream = first.stream});
  }
  for (const auto& step : found.steps)
    found.path.push_back(step.name);
  for (const auto& submix : view.submixes) {
    if (submix.is_final) found.still_for = std::max(found.still_for, submix.still_for);
  }
}

}  // namespace

Bottleneck find_bottleneck(const ClusterView& view) {
  Bottleneck found;
  const auto* output = slowest_final(view);
  if (!view.is_known_now() || view.show == nullptr || output == nullptr) {
    found.sentence = !view.show_error.empty() ? "the show cannot be read: " + view.show_error
                     : view.show == nullptr   ? "no show is applied"
                                              : "nothing is known of the show now";
    return found;
  }
  found.fps = output->fps;
  found.wanted_fps = view.show->rate.frames_per_second();
  found.outputs =
      static_cast<std::size_t>(std::ranges::count(view.submixes, true, &SubmixView::is_final));
  if (view.transport.is_paused) {
    found.kind = Kind::paused;
    found.sentence = fmt::format("the show is paused by {}", view.transport.author);
    return found;
  }
  if (const auto causes = find_standstill_causes(view); !causes.empty()) {
    describe_standstill(view, causes, found);
    return found;
  }
  const auto rate = fmt::format("{} shows {:.1f} of {} fps", output->name, found.fps,
                                show::to_string(view.show->rate));
  if (keeps_rate(found.fps, view.show->rate)) {
    found.kind = Kind::nothing;
    found.sentence = "nothing holds the show back: " + rate;
  } else {
    found.is_behind = true;
    BottleneckSearch(view, found).run(*output);
    found.sentence += "; " + rate;
  }
  name_held_inputs(view, found);
  return found;
}

Bottleneck limit_of(const ClusterView& view, const StreamView& stream) {
  Bottleneck found;
  if (view.show == nullptr) return found;
  found.wanted_fps = view.show->rate.frames_per_second();
  BottleneckSearch(view, found).run(stream);
  return found.is_slow() ? found : Bottleneck();
}

bool is_decided(const ClusterView& view, const Bottleneck& bottleneck) {
  if (bottleneck.kind == Kind::unknown || view.show == nullptr) return false;
  if (bottleneck.kind == Kind::paused) return true;
  if (bottleneck.kind != Kind::standstill && has_just_stopped(view)) return false;
  const auto wanted =
      std::chrono::duration<double>(rate_window(view.show->rate)).count() * kMeasuredMin;
  return std::ranges::all_of(view.nodes, [wanted](const NodeView& node) {
    const double uptime = std::chrono::duration<double>(node.uptime).count();
    return node.health != Health::healthy || node.measured_seconds >= std::min(wanted, uptime);
  });
}

std::vector<BottleneckStep> way_to_the_source(const ClusterView& view) {
  const auto* output = slowest_final(view);
  if (view.show == nullptr || output == nullptr) return {};
  Bottleneck way;
  BottleneckSearch(view, way, BottleneckSearch::SearchEnd::at_the_source).run(*output);
  return std::move(way.steps);
}

std::string_view to_string(Bottleneck::Kind kind) {
  static constexpr std::array<std::string_view, 8> kNames{
      "unknown", "nothing", "paused", "standstill", "slot", "link", "delay", "machine"};
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace submix::model
