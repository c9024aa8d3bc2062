// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/bottleneck.hpp"

#include "common/show/text.hpp"
#include "controller/model/holdup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <set>

namespace submix::model {
namespace {

using Kind = Bottleneck::Kind;

constexpr double kFramesUnsure = 1.0;  // a second's count is off by one
constexpr double kRateKept = 0.98;     // of the show's
constexpr double kHardlyEver = 0.02;   // of the time: measured shares are never quite 0
constexpr double kMostOfTheTime = 0.5;
constexpr double kMuchSlower = 0.8;     // than the others, or than before: worth saying
constexpr double kMachineIsFull = 0.9;  // of its cores

bool keeps_rate(double fps, double wanted) {
  return fps >= wanted * kRateKept - kFramesUnsure;
}

const SubmixView* slowest_final(const ClusterView& view) {
  const SubmixView* slowest = nullptr;
  for (const auto& submix : view.submixes) {
    if (!submix.is_final || submix.node.empty()) continue;
    if (slowest == nullptr || submix.fps < slowest->fps) slowest = &submix;
  }
  return slowest;
}

// The one that waits least for its readers: of several it is the one that is short of something.
const StageView* least_ready(std::vector<const StageView*> stages) {
  std::erase(stages, nullptr);
  const auto found =
      std::ranges::min_element(stages, {}, [](const StageView* stage) { return stage->shares.blocked; });
  return found == stages.end() ? nullptr : *found;
}

const StageView* last_stage(const SubmixView& submix) {
  std::vector<const StageView*> ends;
  for (const auto& stage : submix.stages)
    ends.push_back(submix.is_read(stage.slot) ? nullptr : &stage);
  return least_ready(std::move(ends));
}

const StageView* feeder_of(const SubmixView& submix, const StageView& stage) {
  std::vector<const StageView*> feeders;
  for (const auto& queue : stage.queues)
    feeders.push_back(submix.find_stage(queue.from));
  return least_ready(std::move(feeders));
}

double pace_of(const LinkView& link) {
  return link.capacity_mb_per_second > 0 ? link.capacity_mb_per_second : link.mb_per_second;
}

double best_so_far(const LinkView& link) {
  return std::accumulate(link.history.begin(), link.history.end(), 0.0F,
                         [](float a, float b) { return std::max(a, b); });
}

/// A computer and the nodes on it, of which there may be several.
struct Machine {
  std::string host;
  std::string nodes;  // "left, mix"
  double cpu_cores = 0;
  int cores = 0;

  [[nodiscard]] bool is_full() const { return cores > 0 && cpu_cores >= kMachineIsFull * cores; }
  [[nodiscard]] std::string text() const {
    return fmt::format("machine \"{}\" has no time left: {:.1f} of its {} cores for {}", host, cpu_cores,
                       cores, nodes);
  }
};

Machine machine_of(const ClusterView& view, const NodeView& node) {
  Machine machine{.host = node.host, .nodes = {}, .cpu_cores = 0, .cores = node.cores};
  for (const auto& each : view.nodes) {
    if (each.host != node.host) continue;
    machine.nodes += (machine.nodes.empty() ? "" : ", ") + each.name;
    machine.cpu_cores += each.cpu_cores;
  }
  return machine;
}

std::string name_of(const LinkView& link) {
  return fmt::format("link {} ({} to {})", link.index, link.local, link.remote);
}

/// The way back from the output, and what is at its end.
class Search {
 public:
  Search(const ClusterView& view, Bottleneck& found) : view_(view), found_(found) {}

  void run(const SubmixView& output) {
    output_ = &output;
    const auto* stage = last_stage(output);
    if (stage == nullptr) {
      found_.sentence = fmt::format("nothing is known yet of submix \"{}\"", output.name);
      return;
    }
    look_at(output, *stage);
  }

 private:
  struct Place {
    const SubmixView* submix;
    const StageView* stage;
  };

  void look_at(const SubmixView& submix, const StageView& stage) {
    const auto name = submix.name + "." + stage.slot;
    if (!seen_.insert(name).second) return end_at_busiest();
    found_.path.push_back(name);
    way_.push_back({&submix, &stage});
    if (const auto* stream = stream_into(submix, stage); stream != nullptr && is_starved(stage))
      return look_at(*stream);
    const auto* feeder = feeder_of(submix, stage);
    if (feeder != nullptr && is_starved(stage) && feeder->shares.blocked < stage.shares.starved)
      return look_at(submix, *feeder);
    end_at_busiest();
  }

  static bool is_starved(const StageView& stage) {
    return stage.shares.starved > std::max(kHardlyEver, stage.shares.blocked);
  }

  const StreamView* stream_into(const SubmixView& submix, const StageView& stage) const {
    const auto found = std::ranges::find(view_.streams, show::Port{submix.name, stage.slot}, &StreamView::to);
    return found == view_.streams.end() ? nullptr : &*found;
  }

  void look_at(const StreamView& stream) {
    found_.path.push_back("stream " + stream.name);
    const auto* sender = view_.find_submix(stream.from.submix);
    const auto* out = sender == nullptr ? nullptr : sender->find_stage(stream.from.slot);
    if (out == nullptr) return end_at_busiest();
    if (stream.sender.blocked_share > out->shares.starved) return end_at(stream);
    look_at(*sender, *out);
  }

  const Place& busiest() const {
    return *std::ranges::max_element(way_, {},
                                     [](const Place& place) { return place.stage->shares.working; });
  }

  // What neither waits for input nor has much to do is held up by what shares its computer or its credits.
  void end_at_busiest() {
    const auto& [submix, stage] = busiest();
    found_.node = submix->node;
    const auto* node = view_.find_node(submix->node);
    const auto machine = node == nullptr ? Machine() : machine_of(view_, *node);
    if (stage->shares.working >= kMostOfTheTime) return end_at(*submix, *stage, machine);
    if (machine.is_full()) {
      found_.kind = Kind::machine;
      found_.sentence = waits_for(submix->name) + machine.text();
      return;
    }
    found_.sentence = "no slot, link or machine of the show is busy most of the time";
  }

  void end_at(const SubmixView& submix, const StageView& stage, const Machine& machine) {
    found_.kind = Kind::slot;
    found_.submix = submix.name;
    found_.slot = stage.slot;
    if (stage.fps > 0) found_.frame_ms = stage.shares.working / stage.fps * 1e3;
    found_.sentence = fmt::format(
        "{}slot \"{}.{}\" ({}) on node \"{}\" takes {:.1f} ms for a frame, which lasts {:.1f} ms{}",
        waits_for(submix.name), submix.name, stage.slot, stage.plugin, submix.node, found_.frame_ms,
        1e3 / found_.wanted_fps, machine.is_full() ? "; " + machine.text() : "");
  }

  void end_at(const StreamView& stream) {
    const auto& links = stream.links();
    const bool is_busy = std::ranges::any_of(
        links, [](const LinkView& link) { return link.is_open() && link.shares.idle < kMostOfTheTime; });
    const auto closed = std::ranges::find_if_not(links, &LinkView::is_open);
    const bool has_spare_time = !is_busy && closed == links.end();
    if (has_spare_time && busiest().stage->shares.working >= kMostOfTheTime) return end_at_busiest();
    found_.node = stream.sender.node;
    found_.stream = stream.name;
    found_.mb_per_second = stream.mb_per_second();
    found_.mb_per_second_needed =
        static_cast<double>(view_.show->size.pixels()) * 3 * found_.wanted_fps / 1e6;
    if (has_spare_time) return end_at_delay(stream);
    found_.kind = Kind::link;
    found_.sentence =
        fmt::format("{}stream \"{}\" carries {:.1f} of {:.1f} MB/s: ", waits_for(stream.from.submix),
                    stream.name, found_.mb_per_second, found_.mb_per_second_needed) +
        (closed == links.end() ? slowest_link(links) : closed_link(*closed, links.size()));
  }

  void end_at_delay(const StreamView& stream) {
    found_.kind = Kind::delay;
    found_.sentence = fmt::format(
        "{}stream \"{}\": a frame is {:.1f} ms on its way and {} at most are, while its links have time to "
        "spare",
        waits_for(stream.from.submix), stream.name,
        std::chrono::duration<double, std::milli>(stream.sender.latency.p50).count(),
        std::max(1U, stream.sender.frames_queued + stream.sender.credits));
  }

  std::string closed_link(const LinkView& link, std::size_t count) {
    found_.link = link.index;
    return fmt::format("{} of {} is not open{}", name_of(link), count,
                       link.error.empty() ? "" : ": " + link.error);
  }

  std::string slowest_link(const std::vector<LinkView>& links) {
    const auto [slowest, fastest] = std::ranges::minmax_element(links, {}, pace_of);
    found_.link = slowest->index;
    const double pace = pace_of(*slowest);
    if (const double best = best_so_far(*slowest); pace < kMuchSlower * best) {
      return fmt::format("{} carries {:.1f} MB/s, {:.0f} % of the {:.1f} it has carried", name_of(*slowest),
                         pace, pace / best * 100, best);
    }
    if (pace < kMuchSlower * pace_of(*fastest)) {
      return fmt::format("{} carries {:.1f} MB/s, {:.0f} % of what link {} does", name_of(*slowest), pace,
                         pace / pace_of(*fastest) * 100, fastest->index);
    }
    if (links.size() == 1) return name_of(*slowest) + " is full";
    return fmt::format("its {} links are full", links.size());
  }

  // "mix waits for left: "; nothing within one submix.
  std::string waits_for(std::string_view submix) const {
    return submix == output_->name ? "" : fmt::format("{} waits for {}: ", output_->name, submix);
  }

  const ClusterView& view_;
  Bottleneck& found_;
  const SubmixView* output_ = nullptr;
  std::vector<Place> way_;
  std::set<std::string> seen_;
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines)
    text += (text.empty() ? "" : "; and for ") + line;
  return text;
}

}  // namespace

Bottleneck find_bottleneck(const ClusterView& view) {
  Bottleneck found;
  const auto* output = slowest_final(view);
  if (view.connection != Connection::connected || view.show == nullptr || output == nullptr) {
    found.sentence = view.show == nullptr ? "no show is applied" : "nothing is known of the show now";
    return found;
  }
  found.fps = output->fps;
  found.wanted_fps = view.show->rate.frames_per_second();
  if (view.transport.is_paused) {
    found.kind = Kind::paused;
    found.sentence = fmt::format("the show is paused by {}", view.transport.author);
    return found;
  }
  if (const auto holdups = find_holdups(view); !holdups.empty()) {
    found.kind = Kind::standstill;
    found.sentence = "the show stands still; all wait for " + joined(holdups);
    return found;
  }
  const auto rate =
      fmt::format("{} shows {:.1f} of {} fps", output->name, found.fps, show::to_string(view.show->rate));
  if (keeps_rate(found.fps, found.wanted_fps)) {
    found.kind = Kind::nothing;
    found.sentence = "nothing holds the show back: " + rate;
    return found;
  }
  Search(view, found).run(*output);
  found.sentence += "; " + rate;
  return found;
}

std::string_view to_string(Bottleneck::Kind kind) {
  static constexpr std::array<std::string_view, 8> kNames{"unknown", "nothing", "paused", "standstill",
                                                          "slot",    "link",    "delay",  "machine"};
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace submix::model
