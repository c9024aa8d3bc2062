// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/streams.hpp"

#include "node/io/stream/stream_plugins.hpp"

#include <algorithm>
#include <utility>

namespace submix::agent {
namespace {

const show::Stream* find_stream(const std::vector<show::Stream>& streams, show::Port show::Stream::* end,
                                const plugin::Setup& setup) {
  const show::Port port{setup.submix, setup.slot};
  const auto found = std::find_if(streams.begin(), streams.end(),
                                  [&](const show::Stream& stream) { return stream.*end == port; });
  return found == streams.end() ? nullptr : &*found;
}

/// Whether a running sender can go on under the new show; its receiver's place and its links may change.
bool is_same_sender(const show::Stream& a, const show::Stream& b) {
  return a.from == b.from && a.to == b.to && a.congestion == b.congestion;
}

link::LinkWish wish_of(const show::Stream& stream) {
  link::LinkWish wish{static_cast<std::size_t>(stream.link_count), {}};
  for (const auto& route : stream.routes)
    wish.routes.push_back({route.from, route.to});
  return wish;
}

}  // namespace

Streams::Streams(std::string node, link::DataPlane& data_plane)
    : node_(std::move(node)), data_plane_(data_plane) {}

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
           !is_same_sender(*stream, entry.second.stream) || entry.second.end->size() != show.size;
  });
  std::erase_if(receivers_, [&](const auto& entry) SUBMIX_REQUIRES(mutex_) {
    const auto stream = find(entry.first);
    return stream == show.streams.end() || node_of(stream->to) != node_ || entry.second->size() != show.size;
  });
  for (auto& [name, sender] : senders_) {
    const auto stream = find(name);
    if (wish_of(*stream) != wish_of(sender.stream)) sender.end->set_links(wish_of(*stream));
    sender.stream = *stream;
    point_to_receiver(sender);
  }
}

void Streams::set_endpoints(const std::string& node, std::vector<DataEndpoint> endpoints) {
  MutexLock lock(mutex_);
  if (endpoints_[node] == endpoints) return;
  endpoints_[node] = std::move(endpoints);
  for (const auto& [name, sender] : senders_) {
    if (node_of(sender.stream.to) == node) point_to_receiver(sender);
  }
}

std::vector<telemetry::StreamReading> Streams::readings() const {
  MutexLock lock(mutex_);
  std::vector<telemetry::StreamReading> readings;
  for (const auto& [name, sender] : senders_)
    readings.push_back(sender.end->telemetry());
  for (const auto& [name, receiver] : receivers_)
    readings.push_back(receiver->telemetry());
  return readings;
}

Result<io::StreamInput> Streams::open_input(const plugin::Setup& setup) {
  MutexLock lock(mutex_);
  const auto* stream = find_stream(show_.streams, &show::Stream::to, setup);
  if (stream == nullptr) return io::StreamInput();  // nothing leads here yet: the slot waits
  auto known = receivers_.find(stream->name);
  if (known == receivers_.end()) {
    auto opened = data_plane_.open_receiver({.stream = stream->name,
                                             .size = setup.size,
                                             .rate = setup.rate,
                                             .frames_held = setup.frames_behind + 1});
    if (!opened) return tl::unexpected(opened.error());
    known = receivers_.emplace(stream->name, std::move(*opened)).first;
  }
  return io::StreamInput{known->second, stream->policy, stream->pause_budget};
}

Result<std::shared_ptr<link::StreamSender>> Streams::open_output(const plugin::Setup& setup) {
  MutexLock lock(mutex_);
  const auto* stream = find_stream(show_.streams, &show::Stream::from, setup);
  if (stream == nullptr) return nullptr;  // nothing begins here yet: the slot waits
  auto known = senders_.find(stream->name);
  if (known == senders_.end()) {
    auto wish = wish_of(*stream);
    auto opened = data_plane_.open_sender({.stream = stream->name,
                                           .size = setup.size,
                                           .rate = setup.rate,
                                           .link_count = wish.count,
                                           .routes = std::move(wish.routes),
                                           .congestion = stream->congestion});
    if (!opened) return tl::unexpected(opened.error());
    known = senders_.emplace(stream->name, Sender{*stream, std::move(*opened)}).first;
    point_to_receiver(known->second);
  }
  return known->second.end;
}

void Streams::point_to_receiver(const Sender& sender) {
  const auto node = node_of(sender.stream.to);
  const auto known = endpoints_.find(node);
  sender.end->set_destination(node, known == endpoints_.end() ? std::vector<DataEndpoint>() : known->second);
}

std::string Streams::node_of(const show::Port& port) const {
  const auto* submix = show_.find_submix(port.submix);
  return submix == nullptr ? std::string() : submix->node;
}

}  // namespace submix::agent
