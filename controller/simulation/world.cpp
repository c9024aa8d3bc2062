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
  for (const auto& wish : show_.streams)
    streams_.push_back(successor(wish, before, former_streams, is_same_picture));
  auto former_places = std::exchange(places_, {});
  for (const auto& submix : show_.submixes) {
    auto* node = find_node(submix.node);
    if (node == nullptr) continue;
    const auto known = std::ranges::find_if(
        former_places, [&](const Place& place) { return place.patch.wish().name == submix.name; });
    const bool is_here = known != former_places.end() && known->node == node;
    if (is_here && known->patch.wish() == submix) {
      places_.push_back(std::move(*known));
    } else {
      places_.push_back({Patch(submix, settings_.seed), node});
      if (is_here) places_.back().patch.inherit(known->patch);
    }
    places_.back().patch.connect(streams_);
  }
  ends_.clear();
  for (const auto& stream : streams_)
    ends_.push_back({find_place(stream.wish().from.submix), find_place(stream.wish().to.submix)});
  load_slots();
  report(revision);
}

// Streams whose ends have not moved continue.
Stream World::successor(const show::Stream& wish, const show::Show& before,
                        std::vector<Stream>& former, bool is_same_picture) {
  const auto known = std::ranges::find_if(
      former, [&](const Stream& stream) { return stream.wish().name == wish.name; });
  const auto* from_before = before.find_submix(wish.from.submix);
  const auto* to_before = before.find_submix(wish.to.submix);
  const auto* from = find_node_of(wish.from.submix);
  const auto* to = find_node_of(wish.to.submix);
  const bool is_sender_here =
      from != nullptr && from_before != nullptr && from_before->node == from->name();
  const bool is_receiver_here =
      to != nullptr && to_before != nullptr && to_before->node == to->name();
  if (known != former.end() && is_same_picture && is_sender_here && is_receiver_here &&
      known->wish().link_count == wish.link_count && known->wish().routes == wish.routes) {
    auto stream = std::move(*known);
    stream.set_wish(wish);
    return stream;
  }
  const bool is_local = from != nullptr && from == to;
  const auto addresses = [is_local](const Node* node) {
    return node == nullptr || is_local ? std::vector<std::string>() : node->addresses();
  };
  Stream stream(show_, wish,
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
    for (const auto& place : places_) {
      if (place.node == &node)
        submixes.push_back({place.patch.wish().name, cluster::SubmixState::running, {}});
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
  const auto* wish = show_.find_submix(submix);
  return wish == nullptr ? nullptr : find_node(wish->node);
}

const World::Place* World::find_place(std::string_view submix) const {
  const auto found = std::ranges::find_if(
      places_, [&](const Place& place) { return place.patch.wish().name == submix; });
  return found == places_.end() ? nullptr : &*found;
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
  for (const auto& place : places_)
    cores[place.node] += place.patch.cores_at(show_.rate);
  for (auto& place : places_)
    place.slowness = std::max(1.0, cores[place.node] / kCoresOfNode);
  const auto is_alive = [](const Place* place) {
    return place != nullptr && place->node->is_alive();
  };
  for (std::size_t i = 0; i < streams_.size(); ++i)
    streams_[i].set_ends_alive(is_alive(ends_[i].from), is_alive(ends_[i].to));
}

void World::step() {
  Patch::Moment moment{.now = now_,
                       .time = kStep,
                       .rate = show_.rate,
                       .is_paused = transport_.is_paused,
                       .steps = std::exchange(steps_due_, 0)};
  for (auto& place : places_) {
    if (!place.node->is_alive()) continue;
    moment.slowness = place.slowness;
    place.patch.advance(moment, streams_);
  }
  for (std::size_t i = 0; i < streams_.size(); ++i)
    carry(streams_[i], ends_[i]);
  std::vector<nanoseconds> cpu(nodes_.size());
  for (auto& place : places_)
    cpu[static_cast<std::size_t>(place.node - nodes_.data())] += place.patch.take_cpu();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_alive()) nodes_[i].live(kStep, cpu[i]);
  }
}

void World::carry(Stream& stream, const Ends& ends) {
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
  slowed_ = {stream.wish().name, link};
  say_of_link(stream, link, Severity::warning,
              "carries a tenth of what it did; the other links take what it is late with");
}

void World::end_slow_link() {
  const auto slowed = std::exchange(slowed_, std::nullopt);
  if (!slowed) return;
  const auto found = std::ranges::find_if(
      streams_, [&](const auto& stream) { return stream.wish().name == slowed->stream; });
  if (found == streams_.end() || slowed->link >= found->links().size()) return;
  found->links()[slowed->link].set_speed(1);
  say_of_link(*found, slowed->link, Severity::note, "is as fast as before again");
}

void World::say_of_link(const Stream& stream, std::size_t link, Severity severity,
                        std::string_view text) {
  const auto* place = find_place(stream.wish().from.submix);
  if (place != nullptr)
    say(*place->node, severity,
        fmt::format("link {} of {}", stream.links()[link].reading(true).index, stream.wish().name),
        text);
}

// Never kills the node that shows the output: a person would think that the simulation has ended.
void World::change_node(const Incident& incident) {
  std::vector<Node*> candidates;
  for (const auto& place : places_) {
    const bool is_feeding = std::ranges::any_of(show_.streams, [&](const auto& stream) {
      return stream.from.submix == place.patch.wish().name;
    });
    if (is_feeding) candidates.push_back(place.node);
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
  for (auto& place : places_) {
    if (place.node != &node) continue;
    place.patch = Patch(place.patch.wish(), settings_.seed);
    place.patch.connect(streams_);
    load_slots();
    for (auto& stream : streams_) {
      if (stream.wish().from.submix == place.patch.wish().name) stream.restart_sender();
      if (stream.wish().to.submix == place.patch.wish().name) stream.restart_receiver();
    }
  }
  prepare_nodes();
  say(node, Severity::warning, node.name(),
      "was away for 8 s, and runs its share of the show again");
}

Link* World::find_link(std::string_view stream, std::size_t link) {
  const auto found = std::ranges::find_if(
      streams_, [&](const Stream& each) { return each.wish().name == stream; });
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
    if (each.wish().name == stream) each.set_delay(delay);
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
    for (auto& place : places_) {
      if (place.patch.wish().name == port.submix) place.patch.set_load(port.slot, factor);
    }
  }
}

void World::set_trouble(const show::Port& slot, const std::string& why) {
  for (auto& place : places_) {
    if (place.patch.wish().name != slot.submix) continue;
    for (std::size_t i = 0; i < place.patch.slot_count(); ++i) {
      if (place.patch.slot_name(i) == slot.slot) place.patch.set_trouble(i, why);
    }
  }
}

void World::break_slot(std::uint64_t victim) {
  std::vector<std::pair<Place*, std::size_t>> candidates;
  for (auto& place : places_) {
    const auto& slots = place.patch.wish().slots;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].plugin.starts_with(show::kFrei0rPrefix)) candidates.emplace_back(&place, i);
    }
  }
  if (candidates.empty()) return;
  auto& [place, slot] = candidates[victim % candidates.size()];
  const auto text = fmt::format("plugin \"{}\" crashed three times in 10 s: its input is passed on",
                                place->patch.wish().slots[slot].plugin);
  broken_ = show::Port{place->patch.wish().name, std::string(place->patch.slot_name(slot))};
  place->patch.set_trouble(slot, "simulated: " + text);
  say(*place->node, Severity::fault, show::to_string(*broken_), text);
}

void World::end_broken_slot() {
  const auto broken = std::exchange(broken_, std::nullopt);
  if (!broken) return;
  for (auto& place : places_) {
    const auto& slots = place.patch.wish().slots;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (show::Port{place.patch.wish().name, std::string(place.patch.slot_name(i))} != *broken)
        continue;
      place.patch.set_trouble(i, "");
      say(*place.node, Severity::note, show::to_string(*broken), "works again");
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
  for (const auto& place : places_) {
    if (place.node == &told) reading.submixes.push_back(place.patch.reading());
  }
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const auto& stream = streams_[i];
    const auto& [from, to] = ends_[i];
    const auto peer = [](const Place* place) {
      return place == nullptr ? std::string() : place->node->name();
    };
    if (from != nullptr && from->node == &told)
      reading.streams.push_back(stream.reading(true, peer(to)));
    if (to != nullptr && to->node == &told)
      reading.streams.push_back(stream.reading(false, peer(from)));
  }
  return reading;
}

Result<cluster::Snapshot> World::picture(std::size_t node, const cluster::Command& command) const {
  const auto* place = find_place(command.submix);
  if (place == nullptr || place->node != &nodes_.at(node))
    return fail("submix \"{}\" does not run on node \"{}\"", command.submix,
                nodes_.at(node).name());
  const auto frames = place->patch.frames_of(command.slot);
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
  for (const auto& place : places_) {
    if (place.node != &nodes_.at(node)) continue;
    for (std::size_t i = 0; i < place.patch.slot_count(); ++i) {
      rings.push_back(
          trace.open(fmt::format("{}.{}", place.patch.wish().name, place.patch.slot_name(i))));
      for (const auto& turn : place.patch.turns(i))
        rings.back()->add(
            {turn.begin, turn.begin + turn.time, turn.frame, telemetry::TraceKind::working, 0});
    }
  }
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  const telemetry::TraceClock clock{now_, std::chrono::duration_cast<nanoseconds>(wall), {}};
  return telemetry::to_chrome_json(trace, nodes_.at(node).name(), clock, now_ - look_back);
}

}  // namespace submix::simulation
