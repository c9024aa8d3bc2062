// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/world.hpp"

#include "common/show/macros.hpp"
#include "common/show/text.hpp"
#include "common/telemetry/trace_json.hpp"
#include "controller/simulation/picture.hpp"
#include "controller/simulation/seed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

namespace submix::simulation {
namespace {

using std::chrono::nanoseconds;

constexpr std::chrono::milliseconds kStep(5);  // shorter than any frame
constexpr std::chrono::seconds kGapMax(1);
constexpr double kPayloadOfMegabit = 1e6 / 8 * 0.95;  // bytes a second; the rest is headers
// A card carries a 40th more than a link counts: TCP, IP, Ethernet.
constexpr std::uint64_t kHeadersOf = 40;

}  // namespace

World::World(WorldSettings settings, LocalTime now) : settings_(std::move(settings)), now_(now) {
  nodes_.reserve(settings_.nodes.size());
  const int card_mbit = settings_.cable_mbit > 0 ? settings_.cable_mbit : kCardMbit;
  for (const auto& name : settings_.nodes)
    nodes_.emplace_back(name, static_cast<int>(nodes_.size()), card_mbit);
}

// The desired state.

void World::follow(const cluster::DesiredTransport& transport) {
  if (transport_.is_paused && transport.is_paused && transport.steps > transport_.steps)
    steps_due_ += transport.steps - transport_.steps;
  transport_ = transport;
}

void World::follow(const show::Show& show, std::uint64_t revision) {
  const auto before = std::exchange(show_, show::expand(show));
  const bool is_same_picture = before.size == show_.size && before.rate == show_.rate;
  auto former_streams = std::exchange(streams_, {});
  for (const auto& stated : show_.streams)
    streams_.push_back(successor(stated, before, former_streams, is_same_picture));
  auto former_patches = std::exchange(patches_, {});
  for (const auto& submix : show_.submixes) {
    auto* node = find_node(submix.node);
    if (node == nullptr) continue;
    const auto known = std::ranges::find_if(former_patches, [&](const RunningPatch& running) {
      return running.patch.stated().name == submix.name;
    });
    const bool is_here = known != former_patches.end() && known->node == node;
    if (is_here && known->patch.stated() == submix) {
      patches_.push_back(std::move(*known));
    } else {
      patches_.push_back({Patch(submix, settings_.seed), node});
      if (is_here) patches_.back().patch.inherit(known->patch);
    }
    patches_.back().patch.connect(streams_);
  }
  ends_.clear();
  for (const auto& stream : streams_)
    ends_.push_back(
        {find_patch(stream.stated().from.submix), find_patch(stream.stated().to.submix)});
  load_slots();
  report(revision);
}

// Streams whose ends have not moved continue.
Stream World::successor(const show::Stream& stated, const show::Show& before,
                        std::vector<Stream>& former, bool is_same_picture) {
  const auto known = std::ranges::find_if(
      former, [&](const Stream& stream) { return stream.stated().name == stated.name; });
  const auto* from_before = before.find_submix(stated.from.submix);
  const auto* to_before = before.find_submix(stated.to.submix);
  const auto* from = find_node_of(stated.from.submix);
  const auto* to = find_node_of(stated.to.submix);
  const bool is_sender_here =
      from != nullptr && from_before != nullptr && from_before->node == from->name();
  const bool is_receiver_here =
      to != nullptr && to_before != nullptr && to_before->node == to->name();
  if (known != former.end() && is_same_picture && is_sender_here && is_receiver_here &&
      known->stated().link_count == stated.link_count && known->stated().routes == stated.routes) {
    auto stream = std::move(*known);
    stream.set_stated(stated);
    return stream;
  }
  const bool is_local = from != nullptr && from == to;
  const auto addresses = [is_local](const Node* node) {
    return node == nullptr || is_local ? std::vector<std::string>() : node->addresses();
  };
  Stream stream(show_, stated,
                {addresses(from), addresses(to), settings_.cable_mbit * kPayloadOfMegabit});
  if (known == former.end()) return stream;
  stream.succeed(*known);
  if (!is_sender_here || !is_same_picture) stream.restart_sender();
  if (!is_receiver_here) stream.restart_receiver();
  return stream;
}

void World::report(std::uint64_t revision) {
  for (auto& node : nodes_) {
    std::vector<cluster::SubmixReport> submixes;
    for (const auto& running : patches_) {
      if (running.node == &node)
        submixes.push_back({running.patch.stated().name, cluster::SubmixState::running, {}});
    }
    node.set_submixes(std::move(submixes));
    node.set_show_revision(revision);
  }
}

Node* World::find_node(std::string_view name) {
  const auto found = std::ranges::find(nodes_, name, &Node::name);
  return found == nodes_.end() ? nullptr : &*found;
}

const Node* World::find_node_of(std::string_view submix) {
  const auto* stated = show_.find_submix(submix);
  return stated == nullptr ? nullptr : find_node(stated->node);
}

const World::RunningPatch* World::find_patch(std::string_view submix) const {
  const auto found = std::ranges::find_if(
      patches_, [&](const RunningPatch& running) { return running.patch.stated().name == submix; });
  return found == patches_.end() ? nullptr : &*found;
}

// Time.

void World::advance(LocalTime now) {
  if (now - now_ > kGapMax) now_ = now - kGapMax;
  prepare_nodes();
  for (; now - now_ >= kStep; now_ += kStep) {
    const auto before = std::exchange(age_, age_ + kStep);
    if (settings_.has_incidents) {
      for (const auto& incident : incidents_within(settings_.seed, before, age_))
        happen(incident);
    }
    step();
  }
}

// Each node's work and the living ends of streams change with the show and with incidents.
void World::prepare_nodes() {
  std::map<const Node*, double> cores;
  for (const auto& running : patches_)
    cores[running.node] += running.patch.cores_at(show_.rate);
  for (auto& running : patches_)
    running.slowness = std::max(1.0, cores[running.node] / kCoresOfNode);
  const auto is_alive = [](const RunningPatch* running) {
    return running != nullptr && running->node->is_alive();
  };
  for (std::size_t i = 0; i < streams_.size(); ++i)
    streams_[i].set_ends_alive(is_alive(ends_[i].from), is_alive(ends_[i].to));
}

void World::step() {
  Patch::Conditions conditions{.now = now_,
                               .time = kStep,
                               .rate = show_.rate,
                               .is_paused = transport_.is_paused,
                               .steps = std::exchange(steps_due_, 0)};
  for (auto& running : patches_) {
    if (!running.node->is_alive()) continue;
    conditions.slowness = running.slowness;
    running.patch.advance(conditions, streams_);
  }
  for (std::size_t i = 0; i < streams_.size(); ++i)
    carry(streams_[i], ends_[i]);
  std::vector<nanoseconds> cpu(nodes_.size());
  for (auto& running : patches_)
    cpu[static_cast<std::size_t>(running.node - nodes_.data())] += running.patch.take_cpu();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_alive()) nodes_[i].live(kStep, cpu[i]);
  }
}

void World::carry(Stream& stream, const StreamEnds& ends) {
  constexpr std::size_t kLinksMax = 8;
  std::array<std::uint64_t, kLinksMax> before{};
  auto& links = stream.links();
  const auto count = std::min(links.size(), kLinksMax);
  for (std::size_t i = 0; i < count; ++i)
    before.at(i) = links[i].bytes();
  stream.carry(kStep);
  const auto& [from, to] = ends;
  if (from == nullptr || to == nullptr || from->node == to->node) return;
  for (std::size_t i = 0; i < count; ++i) {
    const auto payload = links[i].bytes() - before.at(i);
    const auto bytes = payload + payload / kHeadersOf;
    from->node->count_bytes(static_cast<int>(i), 0, bytes);
    to->node->count_bytes(static_cast<int>(i), bytes, 0);
  }
}

// Incidents.

void World::happen(const Incident& incident) {
  switch (incident.kind) {
    case IncidentKind::slow_link:
      return incident.is_over ? end_slow_link() : slow_link(incident.victim);
    case IncidentKind::absent_node:
      return change_node(incident);
    case IncidentKind::broken_slot:
      return incident.is_over ? end_broken_slot() : break_slot(incident.victim);
  }
}

void World::slow_link(std::uint64_t victim) {
  if (streams_.empty()) return;
  auto& stream = streams_[victim % streams_.size()];
  const auto link = victim / streams_.size() % stream.links().size();
  constexpr double kSlowed = 0.1;
  stream.links()[link].set_speed(kSlowed);
  slowed_ = {stream.stated().name, link};
  say_of_link(stream, link, Severity::warning,
              "carries a tenth of what it did; the other links take what it is late with");
}

void World::end_slow_link() {
  const auto slowed = std::exchange(slowed_, std::nullopt);
  if (!slowed) return;
  const auto found = std::ranges::find_if(
      streams_, [&](const auto& stream) { return stream.stated().name == slowed->stream; });
  if (found == streams_.end() || slowed->link >= found->links().size()) return;
  found->links()[slowed->link].set_speed(1);
  say_of_link(*found, slowed->link, Severity::note, "is as fast as before again");
}

void World::say_of_link(const Stream& stream, std::size_t link, Severity severity,
                        std::string_view text) {
  const auto* running = find_patch(stream.stated().from.submix);
  if (running != nullptr)
    say(*running->node, severity,
        fmt::format("link {} of {}", stream.links()[link].reading(true).index,
                    stream.stated().name),
        text);
}

// Never kills the node that shows the output: a person would think that the simulation has ended.
void World::change_node(const Incident& incident) {
  std::vector<Node*> candidates;
  for (const auto& running : patches_) {
    const bool is_feeding = std::ranges::any_of(show_.streams, [&](const auto& stream) {
      return stream.from.submix == running.patch.stated().name;
    });
    if (is_feeding) candidates.push_back(running.node);
  }
  if (incident.is_over) {
    for (auto& node : nodes_) {
      if (!node.is_alive()) restart(node);
    }
    return;
  }
  if (candidates.empty()) return;
  candidates[incident.victim % candidates.size()]->die();
  prepare_nodes();
}

void World::restart(Node& node) {
  node.restart();
  for (auto& running : patches_) {
    if (running.node != &node) continue;
    running.patch = Patch(running.patch.stated(), settings_.seed);
    running.patch.connect(streams_);
    load_slots();
    for (auto& stream : streams_) {
      if (stream.stated().from.submix == running.patch.stated().name) stream.restart_sender();
      if (stream.stated().to.submix == running.patch.stated().name) stream.restart_receiver();
    }
  }
  prepare_nodes();
  say(node, Severity::warning, node.name(),
      "was away for 8 s, and runs its share of the show again");
}

Link* World::find_link(std::string_view stream, std::size_t link) {
  const auto found = std::ranges::find_if(
      streams_, [&](const Stream& each) { return each.stated().name == stream; });
  return found == streams_.end() || link >= found->links().size() ? nullptr : &found->links()[link];
}

void World::set_speed(std::string_view stream, std::size_t link, double share) {
  if (auto* found = find_link(stream, link)) found->set_speed(share);
}

void World::cut(std::string_view stream, std::size_t link, const std::string& why) {
  if (auto* found = find_link(stream, link)) found->set_trouble(why);
}

void World::set_delay(std::string_view stream, std::chrono::milliseconds delay) {
  for (auto& each : streams_) {
    if (each.stated().name == stream) each.set_delay(delay);
  }
}

void World::lose_realtime(std::string_view node, const std::string& reason) {
  if (auto* found = find_node(node)) found->lose_realtime(reason);
}

void World::kill(std::string_view node) {
  if (auto* found = find_node(node)) found->die();
  prepare_nodes();
}

void World::revive(std::string_view node) {
  if (auto* found = find_node(node)) restart(*found);
}

void World::set_load(const show::Port& slot, double factor) {
  std::erase_if(loads_, [&](const auto& load) { return load.first == slot; });
  loads_.emplace_back(slot, factor);
  load_slots();
}

void World::load_slots() {
  for (const auto& [port, factor] : loads_) {
    for (auto& running : patches_) {
      if (running.patch.stated().name == port.submix) running.patch.set_load(port.slot, factor);
    }
  }
}

void World::set_trouble(const show::Port& slot, const std::string& why) {
  for (auto& running : patches_) {
    if (running.patch.stated().name != slot.submix) continue;
    for (std::size_t i = 0; i < running.patch.slot_count(); ++i) {
      if (running.patch.slot_name(i) == slot.slot) running.patch.set_trouble(i, why);
    }
  }
}

void World::break_slot(std::uint64_t victim) {
  std::vector<std::pair<RunningPatch*, std::size_t>> candidates;
  for (auto& running : patches_) {
    const auto& slots = running.patch.stated().slots;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].plugin.starts_with(show::kFrei0rPrefix)) candidates.emplace_back(&running, i);
    }
  }
  if (candidates.empty()) return;
  auto& [running, slot] = candidates[victim % candidates.size()];
  const auto text = fmt::format("plugin \"{}\" crashed three times in 10 s: its input is passed on",
                                running->patch.stated().slots[slot].plugin);
  broken_ = show::Port{running->patch.stated().name, std::string(running->patch.slot_name(slot))};
  running->patch.set_trouble(slot, "simulated: " + text);
  say(*running->node, Severity::fault, show::to_string(*broken_), text);
}

void World::end_broken_slot() {
  const auto broken = std::exchange(broken_, std::nullopt);
  if (!broken) return;
  for (auto& running : patches_) {
    const auto& slots = running.patch.stated().slots;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (show::Port{running.patch.stated().name, std::string(running.patch.slot_name(i))} !=
          *broken)
        continue;
      running.patch.set_trouble(i, "");
      say(*running.node, Severity::note, show::to_string(*broken), "works again");
    }
  }
}

void World::say(const Node& node, Severity severity, std::string about, std::string_view text) {
  constexpr std::size_t kEventsMax = 1000;  // kept if nobody takes them
  if (!node.is_alive() || events_.size() >= kEventsMax) return;
  events_.push_back({node.name(), severity, std::move(about), fmt::format("simulated: {}", text)});
}

// Messages of the nodes.

telemetry::NodeReading World::next_reading(std::size_t node) {
  auto& told = nodes_.at(node);
  auto reading = told.next_reading(transport_.is_paused);
  for (const auto& running : patches_) {
    if (running.node == &told) reading.submixes.push_back(running.patch.reading());
  }
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const auto& stream = streams_[i];
    const auto& [from, to] = ends_[i];
    const auto peer = [](const RunningPatch* running) {
      return running == nullptr ? std::string() : running->node->name();
    };
    if (from != nullptr && from->node == &told)
      reading.streams.push_back(stream.reading(true, peer(to)));
    if (to != nullptr && to->node == &told)
      reading.streams.push_back(stream.reading(false, peer(from)));
  }
  return reading;
}

Result<cluster::Snapshot> World::picture(std::size_t node, const cluster::Command& command) const {
  const auto* running = find_patch(command.submix);
  if (running == nullptr || running->node != &nodes_.at(node))
    return fail("submix \"{}\" does not run on node \"{}\"", command.submix,
                nodes_.at(node).name());
  const auto frames = running->patch.frames_of(command.slot);
  if (!frames) return fail("submix \"{}\" has no slot \"{}\"", command.submix, command.slot);
  const int width =
      command.width_max > 0 ? std::min(command.width_max, show_.size.width) : show_.size.width;
  const Size size{std::max(1, width), std::max(1, width * show_.size.height / show_.size.width)};
  const auto number = spread(spread(settings_.seed, command.submix), command.slot);
  return cluster::Snapshot{size, *frames, paint(size, *frames, number)};
}

std::string World::trace(std::size_t node, std::chrono::seconds look_back) const {
  telemetry::Trace trace;
  std::vector<std::shared_ptr<telemetry::TraceRing>> rings;
  for (const auto& running : patches_) {
    if (running.node != &nodes_.at(node)) continue;
    for (std::size_t i = 0; i < running.patch.slot_count(); ++i) {
      rings.push_back(trace.open(
          fmt::format("{}.{}", running.patch.stated().name, running.patch.slot_name(i))));
      for (const auto& span : running.patch.spans(i))
        rings.back()->add(
            {span.begin, span.begin + span.time, span.frame, telemetry::TraceKind::working, 0});
    }
  }
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  const telemetry::TraceClock clock{now_, std::chrono::duration_cast<nanoseconds>(wall), {}};
  return telemetry::to_chrome_json(trace, nodes_.at(node).name(), clock, now_ - look_back);
}

}  // namespace submix::simulation
