// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/streams.hpp"

#include "node/io/stream/stream_plugins.hpp"

#include <algorithm>
#include <utility>

namespace submix::agent {
namespace {

/// A receiver stays while slots come behind it, whose taps and outputs hold some more of its frames.
constexpr std::size_t kFramesForEdits = 4;

const show::Stream* find_stream_to(const std::vector<show::Stream>& streams, const show::Port& port) {
  const auto found = std::find_if(streams.begin(), streams.end(),
                                  [&](const show::Stream& stream) { return stream.to == port; });
  return found == streams.end() ? nullptr : &*found;
}

/// Whether a running sender can go on under the new show; its receiver's place and its links may change.
bool is_same_sender(const show::Stream& a, const show::Stream& b) {
  return a.from == b.from && a.to == b.to && a.congestion == b.congestion && a.checksum == b.checksum;
}

link::LinkWish wish_of(const show::Stream& stream) {
  link::LinkWish wish{static_cast<std::size_t>(stream.link_count), {}, stream.is_local_allowed};
  for (const auto& route : stream.routes)
    wish.routes.push_back({route.from, route.to});
  return wish;
}

wire::Checksum checksum_of(const show::Stream& stream) {
  return stream.checksum == show::Checksum::xxh3 ? wire::Checksum::xxh3 : wire::Checksum::none;
}

}  // namespace

Streams::Streams(std::string node, link::DataPlane& data_plane, const engine::Transport& transport,
                 EventSink& events)
    : node_(std::move(node)), data_plane_(data_plane), transport_(transport), events_(events) {}

void Streams::add_plugins(plugin::Catalog& catalog) {
  io::add_stream_plugins(catalog, {[this](const plugin::Setup& setup) { return open_input(setup); },
                                   [this](const plugin::Setup& setup) { return open_output(setup); }});
}

void Streams::follow(const show::Show& show) {
  MutexLock lock(mutex_);
  show_ = show;
  const auto find = [&](const std::string& name) {
    return std::find_if(show.streams.begin(), show.streams.end(),
                        [&](const show::Stream& stream) { return stream.name == name; });
  };
  std::erase_if(senders_, [&](const auto& entry) SUBMIX_REQUIRES(mutex_) {
    const auto stream = find(entry.first);
    return stream == show.streams.end() || node_of(stream->from) != node_ ||
           !is_same_sender(*stream, entry.second.stream) || entry.second.edge->sender().size() != show.size;
  });
  std::erase_if(receivers_, [&](const auto& entry) SUBMIX_REQUIRES(mutex_) {
    const auto stream = find(entry.first);
    return stream == show.streams.end() || node_of(stream->to) != node_ ||
           entry.second.end->size() != show.size;
  });
  for (auto& [name, sender] : senders_) {
    const auto stream = find(name);
    if (wish_of(*stream) != wish_of(sender.stream)) sender.edge->sender().set_links(wish_of(*stream));
    sender.edge->set_policy(stream->policy, stream->pause_budget);
    sender.stream = *stream;
    point_to_receiver(sender);
  }
  for (auto& [name, receiver] : receivers_) {
    const auto stream = find(name);
    receiver.policy->set(stream->policy, stream->pause_budget);
  }
}

void Streams::set_endpoints(const std::string& node, std::vector<DataEndpoint> endpoints,
                            const LocalDoor& door) {
  MutexLock lock(mutex_);
  const Reach reach{std::move(endpoints), door};
  if (reach_[node] == reach) return;
  reach_[node] = reach;
  for (const auto& [name, sender] : senders_) {
    if (node_of(sender.stream.to) == node) point_to_receiver(sender);
  }
}

std::vector<telemetry::StreamReading> Streams::readings() const {
  MutexLock lock(mutex_);
  std::vector<telemetry::StreamReading> readings;
  for (const auto& [name, sender] : senders_)
    readings.push_back(sender.edge->telemetry());
  for (const auto& [name, receiver] : receivers_)
    readings.push_back(receiver.end->telemetry());
  return readings;
}

Result<io::StreamInput> Streams::open_input(const plugin::Setup& setup) {
  MutexLock lock(mutex_);
  const auto* stream = find_stream_to(show_.streams, {setup.submix, setup.slot});
  if (stream == nullptr) return io::StreamInput();  // nothing leads here yet: the slot waits
  auto known = receivers_.find(stream->name);
  if (known == receivers_.end()) {
    auto opened = data_plane_.open_receiver({.stream = stream->name,
                                             .size = setup.size,
                                             .rate = setup.rate,
                                             .frames_held = setup.frames_behind + 1 + kFramesForEdits});
    if (!opened) return tl::unexpected(opened.error());
    auto policy = std::make_shared<io::StreamPolicy>(stream->policy, stream->pause_budget);
    known = receivers_.emplace(stream->name, Receiver{std::move(*opened), std::move(policy)}).first;
  }
  return io::StreamInput{known->second.end, known->second.policy};
}

Result<io::StreamOutput> Streams::open_output(const plugin::Setup& setup) {
  MutexLock lock(mutex_);
  const show::Port port{setup.submix, setup.slot};
  io::StreamOutput output{{}, [&transport = transport_] { return transport.state().is_paused; }};
  for (const auto& stream : show_.streams) {
    if (stream.from != port) continue;
    auto edge = open_edge(stream, setup);
    if (!edge) return tl::unexpected(edge.error());
    output.edges.push_back(std::move(*edge));
  }
  return output;
}

Result<std::shared_ptr<io::StreamEdge>> Streams::open_edge(const show::Stream& stream,
                                                           const plugin::Setup& setup) {
  if (const auto known = senders_.find(stream.name); known != senders_.end()) return known->second.edge;
  auto wish = wish_of(stream);
  auto opened = data_plane_.open_sender({.stream = stream.name,
                                         .size = setup.size,
                                         .rate = setup.rate,
                                         .link_count = wish.count,
                                         .routes = std::move(wish.routes),
                                         .congestion = stream.congestion,
                                         .checksum = checksum_of(stream),
                                         .is_local_allowed = stream.is_local_allowed,
                                         .is_receiver_near = is_receiver_near(stream)});
  if (!opened) return tl::unexpected(opened.error());
  auto edge = std::make_shared<io::StreamEdge>(io::StreamEdgeOptions{.sender = std::move(*opened),
                                                                     .about = setup.about(),
                                                                     .events = &events_,
                                                                     .rate = setup.rate,
                                                                     .policy = stream.policy,
                                                                     .pause_budget = stream.pause_budget});
  point_to_receiver(senders_.emplace(stream.name, Sender{stream, edge}).first->second);
  return edge;
}

void Streams::point_to_receiver(const Sender& sender) {
  const auto node = node_of(sender.stream.to);
  const auto known = reach_.find(node);
  const auto reach = known == reach_.end() ? Reach() : known->second;
  sender.edge->sender().set_destination(node, reach.endpoints, reach.door);
}

bool Streams::is_receiver_near(const show::Stream& stream) const {
  const auto known = reach_.find(node_of(stream.to));
  return stream.is_local_allowed &&
         (known == reach_.end() || known->second.door.machine == data_plane_.local_door().machine);
}

std::string Streams::node_of(const show::Port& port) const {
  const auto* submix = show_.find_submix(port.submix);
  return submix == nullptr ? std::string() : submix->node;
}

}  // namespace submix::agent
